// SPDX-License-Identifier: Apache-2.0
// What is published and can be computed and judged here: tables, figures and theorems of the papers. A study is one
// value: what it is called, what the paper says, what is judged, and the function that computes it. Each kind of study
// is a file beside this one and a line in list.inc; `sepx reproduce` and the pages of exhibits walk the list. All texts
// are English, translated where they are shown. Any thread.
//
// What a verdict may say: the claim of a study is what its checks judge and no more. A check that cannot fail is left
// out. A bound that was chosen while looking at runs is judged on runs of other seeds (kThresholdSeeds), and the study
// says so (Study::thresholds). What a run cannot decide, as a quick one that has not learnt, has a check with
// `notJudged`: the number is shown, and it decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/sentence.h"
#include "engine/core/thread_pool.h"
#include "engine/studies/study_result.h"

namespace sepx::studies {

/// How a study is computed. The functions may be empty; they are called from worker threads, `progress` from one at a
/// time with the share done, 0 to 1.
struct Work {
  ThreadPool& pool;                              ///< of the computation; outlives it
  bool quick = false;                            ///< less of everything; the header of each kind says what
  std::uint64_t seed = 0;                        ///< of the first run
  std::function<void(double share)> progress{};  ///< told the share done, 0 to 1
  std::function<bool()> cancelled{};             ///< true: give up, the answer is not wanted any more

  void at(double share) const {  ///< tells how far it is, 0 to 1
    if (progress) progress(share);
  }
  bool isCancelled() const { return cancelled && cancelled(); }  ///< for loops that have no `cancelled` of their own
};
/// What a study answers that was cancelled: Interrupted.
tl::unexpected<Error> interrupted();

enum class StudyForm { Table, Figure, Theorem };  ///< what a paper calls it
/// Names of the papers.
inline constexpr const char* kLocalToGlobal = "Local-to-Global";
inline constexpr const char* kAttentionStructure = "Attention-Structure";
inline constexpr const char* kReversal = "Reversal";

struct Study {
  const char* id = "";  ///< "local-to-global-theorem-2": the paper, the form and what the paper calls it
  StudyForm form = StudyForm::Theorem;   ///< of what the paper calls a table, figure or theorem
  const char* paper = "";                ///< "Local-to-Global"
  const char* title = "";                ///< short
  const char* about = "";                ///< what is computed, one line
  const char* claim = "";                ///< what is judged; corrected where the paper is wrong
  const char* assumptions = "";          ///< under which the claim is judged
  std::vector<const char*> corrected{};  ///< ids of errata (ui/properties/errata.h) that correct the claim
  /// Where bounds come from that were chosen and do not follow from the claim: when, and on which seeds. Empty: there
  /// is no such bound.
  const char* thresholds = "";

  // Of a page that shows it beside the paper.
  const char* label = "";             ///< "Figure 3"; empty: no page shows it
  std::vector<const char*> says{};    ///< what the paper reports, a line each
  const char* scale = "";             ///< how ours differs from the paper's setting; may be empty
  StudyTable (*printed)() = nullptr;  ///< what the paper prints, before anything was computed; null: curves alone

  /// Workers only. Empty: it is not computed here, or from checkpoints (`ofCheckpoints`).
  std::function<Result<StudyResult>(const Work&)> compute{};
  /// From what ships in the folder of assets, below a second; shown until the study was run. May be empty.
  std::function<Result<StudyResult>(const std::string& assets)> shipped{};
  bool atOnce = false;         ///< computed as soon as it is shown: it takes below a second
  bool ofCheckpoints = false;  ///< measures checkpoints that are given (score_study.h)

  /// Of the first run where no seed is asked for.
  std::uint64_t firstSeed() const;
  /// "theorem-2": the id without its paper.
  std::string_view key() const;
  /// `sepx reproduce` has it.
  bool isReproduced() const { return compute || ofCheckpoints; }
};

/// What is shown of what was computed: resultOf(const Data&) stands beside each kind of data.
template <class Data>
Result<StudyResult> resultOf(const Result<Data>& computed) {
  if (!computed) return tl::unexpected(computed.error());
  return resultOf(*computed);
}

/// All of them, in the order of a list.
std::span<const Study> studies();
/// Null when there is none of that id.
const Study* findStudy(std::string_view id);
/// The one of that id, which exists.
const Study& studyOf(std::string_view id);
/// Those of a paper that a page shows.
std::vector<const Study*> shownStudies(std::string_view paper);

/// Seeds below this one were looked at when thresholds of trained studies were set: their runs are not judged.
inline constexpr std::uint64_t kThresholdSeeds = 3;
/// Of studies whose bounds were chosen on runs of those seeds.
inline constexpr const char* kOwnBounds =
    N_("The bounds and the settings that are judged are ours: chosen in November 2026 on runs of the seeds 0, 1 and 2, "
       "and judged on runs of other seeds.");
inline constexpr const char* kThresholdSeed = N_("the threshold was set on this seed");
/// Why a run of that seed is not judged; null: it is.
inline const char* notJudgedSeed(std::uint64_t seed) {
  return seed < kThresholdSeeds ? kThresholdSeed : nullptr;
}

}  // namespace sepx::studies
