// SPDX-License-Identifier: Apache-2.0
// Studies: the published tables, figures and theorems that this program can compute and judge. A study is one value
// with its name, what the paper says, what is judged, and the function that computes it. Each kind of study is a file
// in this folder and a line in list.inc. `sepx reproduce` and the pages of exhibits iterate over the list. All texts
// are English and are translated where they are shown. Any thread.
// Rules for verdicts: the claim of a study states what its checks judge, and nothing more. A check that cannot fail is
// left out. A bound that was chosen after looking at runs is judged on runs with other seeds (kThresholdSeeds), and the
// study states this in Study::thresholds. If a run cannot decide a check, for example because a quick run has not
// learnt, the check has `notJudged` set: its number is shown but does not affect the verdict.
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

/// Parameters of a computation. The functions may be empty. They are called from worker threads; `progress` is called
/// from one thread at a time.
struct Work {
  ThreadPool& pool;        ///< for the computation; outlives it
  bool quick = false;      ///< a smaller computation; the header of each kind says what is reduced
  std::uint64_t seed = 0;  ///< seed of the first run
  std::function<void(double share)> progress{};  ///< called with the share done, 0 to 1
  std::function<bool()> cancelled{};             ///< true: stop, the result is no longer needed

  void at(double share) const {  ///< reports the progress, 0 to 1
    if (progress) progress(share);
  }
  bool isCancelled() const { return cancelled && cancelled(); }  ///< for loops that do not pass `cancelled` on
};
/// The error of a cancelled study: Interrupted.
tl::unexpected<Error> interrupted();

enum class StudyForm { Table, Figure, Theorem };  ///< what a paper calls it
/// Names of the papers.
inline constexpr const char* kLocalToGlobal = "Local-to-Global";
inline constexpr const char* kAttentionStructure = "Attention-Structure";
inline constexpr const char* kReversal = "Reversal";

struct Study {
  const char* id = "";                   ///< "local-to-global-theorem-2": the paper, then the item in it
  StudyForm form = StudyForm::Theorem;   ///< whether the paper calls it a table, figure or theorem
  const char* paper = "";                ///< "Local-to-Global"
  const char* title = "";                ///< short
  const char* about = "";                ///< what is computed, one line
  const char* claim = "";                ///< what is judged; corrected where the paper is wrong
  const char* assumptions = "";          ///< the conditions under which the claim is judged
  std::vector<const char*> corrected{};  ///< ids of errata (ui/properties/errata.h) that correct the claim
  /// For bounds that were chosen and do not follow from the claim: when they were chosen, and on which seeds. Empty:
  /// there is no such bound.
  const char* thresholds = "";

  // For a page that shows the study next to the paper.
  const char* label = "";             ///< "Figure 3"; empty: no page shows it
  std::vector<const char*> says{};    ///< what the paper reports, one line each
  const char* scale = "";             ///< how our setting differs from the paper's; may be empty
  StudyTable (*printed)() = nullptr;  ///< the paper's numbers, shown before a computation; null: only curves

  /// Worker threads only. Empty: not computed here, or computed from checkpoints (`ofCheckpoints`).
  std::function<Result<StudyResult>(const Work&)> compute{};
  /// Reads a result that ships in the folder `assets`, in less than a second. It is shown until the study has been run.
  /// May be empty.
  std::function<Result<StudyResult>(const std::string& assets)> shipped{};
  bool atOnce = false;         ///< computed as soon as it is shown, because it takes less than a second
  bool ofCheckpoints = false;  ///< measures checkpoints that the user gives (score_study.h)

  /// Seed of the first run if the user gives none.
  std::uint64_t firstSeed() const;
  /// "theorem-2": the id without its paper.
  std::string_view key() const;
  /// Whether `sepx reproduce` can compute it.
  bool isReproduced() const { return compute || ofCheckpoints; }
};

/// The result to show for computed data, or its error. Each kind of data declares its own resultOf(const Data&).
template <class Data>
Result<StudyResult> resultOf(const Result<Data>& computed) {
  if (!computed) return tl::unexpected(computed.error());
  return resultOf(*computed);
}

/// All studies, in the order of list.inc.
std::span<const Study> studies();
/// The study with this id; null if there is none.
const Study* findStudy(std::string_view id);
/// The study with this id, which must exist.
const Study& studyOf(std::string_view id);
/// The studies of a paper that a page shows.
std::vector<const Study*> shownStudies(std::string_view paper);

/// Runs with seeds below this one were used to set the thresholds of trained studies, so they are not judged.
inline constexpr std::uint64_t kThresholdSeeds = 3;
/// Text for studies whose bounds were chosen on runs with those seeds.
inline constexpr const char* kOwnBounds =
    N_("The bounds and the settings that are judged are ours: chosen in November 2026 on runs of the seeds 0, 1 and 2, "
       "and judged on runs of other seeds.");
inline constexpr const char* kThresholdSeed = N_("the threshold was set on this seed");
/// Why a run with this seed is not judged; null if it is judged.
inline const char* notJudgedSeed(std::uint64_t seed) {
  return seed < kThresholdSeeds ? kThresholdSeed : nullptr;
}

}  // namespace sepx::studies
