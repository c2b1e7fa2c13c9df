// SPDX-License-Identifier: Apache-2.0
// What is published and can be computed and judged here: tables, figures and theorems of the papers. A study is
// described once; what it computes and how it is judged stands in a file for each kind (score_study.h, flow_study.h,
// training_study.h, theorem_study.h, growth_study.h, emergence_study.h, transfer_study.h, bound_study.h,
// vision_study.h). All texts are English, translated where they are shown. Any thread.
//
// What a verdict may say: the claim of a study is what its checks judge and no more. A check that cannot fail is left
// out. A bound that was chosen while looking at runs is judged on runs of other seeds (kThresholdSeeds), and the study
// says so (Study::thresholds). What a run cannot decide, as a quick one that has not learnt, has a check with
// `notJudged`: the number is shown, and it decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/sentence.h"
#include "engine/core/thread_pool.h"

namespace sepx::studies {

enum class StudyKind {
  Scores,     ///< printed scores beside those of given checkpoints
  Flow,       ///< a figure of the gradient flow
  Training,   ///< a figure of Local-to-Global that is trained
  Theorem,    ///< a theorem of Local-to-Global checked by numbers
  Growth,     ///< Theorem 2.3 of Attention-Structure, sampled
  Emergence,  ///< a figure or table of Attention-Structure that is trained
  Bounds,     ///< a table of Reversal computed without a model
  Accuracy,   ///< a table of Reversal that is trained
  Transfer,   ///< a figure of Reversal that is trained
  Vision,     ///< Table 3 of Attention-Structure, trained
};

struct Study {
  StudyKind kind = StudyKind::Theorem;
  int number = 0;                      ///< of the table, figure or theorem in its paper; of figure S3 100 + 3
  const char* id = "";                 ///< "local-to-global-theorem-2"
  const char* paper = "";              ///< "Local-to-Global"
  const char* title = "";              ///< short
  const char* about = "";              ///< what is computed, one line
  const char* claim = "";              ///< what is judged; corrected where the paper is wrong
  const char* assumptions = "";        ///< under which the claim is judged
  std::vector<const char*> corrected;  ///< ids of errata (ui/properties/errata.h) that correct the claim
  /// Where bounds come from that were chosen and do not follow from the claim: when, and on which seeds. Empty: there
  /// is no such bound.
  const char* thresholds = "";
  /// Of the first run where no seed is asked for.
  std::uint64_t firstSeed() const;
};

/// All of them, in the order of a list.
std::span<const Study> studies();
/// Null when there is none of that id.
const Study* findStudy(std::string_view id);
/// One that exists, or an empty description.
const Study& studyOf(StudyKind kind, int number);

/// How a study is computed. The functions may be empty; they are called from worker threads, `progress` from one at a
/// time with the share done, 0 to 1.
struct Work {
  ThreadPool& pool;
  bool quick = false;      ///< less of everything; the header of each kind says what
  std::uint64_t seed = 0;  ///< of the first run
  std::function<void(double share)> progress{};
  std::function<bool()> cancelled{};

  void at(double share) const {
    if (progress) progress(share);
  }
  bool isCancelled() const { return cancelled && cancelled(); }
};
/// What a study answers that was cancelled: Interrupted.
tl::unexpected<Error> interrupted();

/// Seeds below this one were looked at when thresholds of trained studies were set: their runs are not judged.
inline constexpr std::uint64_t kThresholdSeeds = 3;
inline constexpr const char* kThresholdSeed = N_("the threshold was set on this seed");
/// Why a run of that seed is not judged; null: it is.
inline const char* notJudgedSeed(std::uint64_t seed) {
  return seed < kThresholdSeeds ? kThresholdSeed : nullptr;
}

enum class Verdict { Holds, Fails, NotJudged };

/// One number and what it must be.
struct Check {
  double p = 0, q = 0;         ///< of the chain it is about; 0: of none
  Sentence what;               ///< one line
  std::int64_t points = 1;     ///< that it was taken over
  double value = 0;            ///< NaN keeps no bound
  const char* relation = "<";  ///< value relation bound: "<", "<=", "=" or ">="
  double bound = 0;
  const char* notJudged = nullptr;  ///< why it is not, N_(); null: it is judged
  bool passed() const;              ///< the value keeps its bound, judged or not
  Verdict verdict() const;
};
/// No check that is judged fails.
bool passed(std::span<const Check> checks);
/// How many have this verdict.
std::size_t countOf(std::span<const Check> checks, Verdict verdict);

}  // namespace sepx::studies
