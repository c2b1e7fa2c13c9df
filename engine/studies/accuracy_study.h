// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of Reversal: how often one-layer models that learnt pairs forwards answer the reverse query. 1: masked
// diffusion with RoPE and an autoregressive model. 2: absolute positions, RoPE and ALiBi. The reverse accuracy of one
// step is not stable, so the mean over evaluations at 500, 1,000 ... 3,000 steps and over three seeds is judged, in
// kind: L = 10, batches of 64; the accuracy at the last step stands beside it. A model that does not learn the forward
// queries says nothing about the reverse ones: a check that compares it is not judged. Longer sequences are
// reported, of one seed, and not judged. Raw parameters, no average; every token may be the answer, and the accuracy
// among small letters stands beside it. Each run has one thread; several run at once. Workers only.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/reversal/accuracy.h"
#include "engine/studies/study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

enum class PairModel { Arm, Absolute, Rope, Alibi };  ///< the models of the table
/// In the order of the table.
inline constexpr PairModel kPairModels[] = {PairModel::Arm, PairModel::Absolute, PairModel::Rope, PairModel::Alibi};
/// "ARM", "absolute", "RoPE", "ALiBi"
const char* toString(PairModel model);

struct AccuracyPoint {  ///< an evaluation
  std::int64_t step = 0;
  reversal::AccuracyReport report;  ///< over all pairs of the length
};

struct AccuracyRun {  ///< one training
  PairModel model = PairModel::Rope;
  int length = 10;
  std::uint64_t seed = 0;
  std::vector<AccuracyPoint> points;
  std::string failure;  ///< why it stopped early; empty: it did not

  /// Of the points, percent; NaN without one.
  double mean(reversal::Direction direction, bool letters = false) const;
  /// At the last point, percent; NaN without one.
  double atEnd(reversal::Direction direction, bool letters = false) const;
};

/// As printed, percent.
struct PublishedAccuracy {
  PairModel model = PairModel::Rope;
  int length = 10;
  double forward = 0, reverse = 0;
};
/// The rows of table 1 or 2, all of which are trained here.
std::span<const PublishedAccuracy> publishedAccuracies(int table);
/// One of them; nothing where there is none.
std::optional<PublishedAccuracy> publishedAccuracy(int table, PairModel model, int length);

struct AccuracyTable {   ///< all runs of a table
  int number = 1;        ///< of the table: 1 or 2
  bool shipped = false;  ///< read from the runs that ship
  bool quick = false;
  std::int64_t steps = 0;  ///< of each run
  int batch = 0, width = 0;
  std::vector<AccuracyRun> runs;  ///< by model, length, seed
  /// Mean over the runs of a model and a length, percent; NaN where one is missing.
  double mean(PairModel model, int length, reversal::Direction direction, bool letters = false) const;
  double atEnd(PairModel model, int length, reversal::Direction direction, bool letters = false) const;
  bool has(PairModel model, int length) const;  ///< such a run
  std::vector<Check> checks() const;            ///< what is judged; quick: nothing
  bool passed() const { return studies::passed(checks()); }

 private:
  template <class Of>
  double over(PairModel model, int length, const Of& of) const;
  const char* whyNotJudged(std::initializer_list<PairModel> compared, bool chosenBound) const;
  void add(std::vector<Check>& into, const char* what, std::initializer_list<PairModel> compared, double value,
           const char* relation, double bound, bool chosenBound) const;
};

/// What is judged: evaluations every so many steps, over so many seeds.
inline constexpr std::int64_t kAccuracySteps = 3000, kAccuracyEvery = 500;
inline constexpr std::uint64_t kAccuracySeeds = 3;
/// Forward accuracy at the end, percent, mean over the seeds, from which the reverse accuracy of a model is judged.
inline constexpr double kLearntAccuracy = 90;

/// Quick: width 64, 1,500 steps, learning rate 1e-3, one seed, L = 10 alone, evaluations every 250 steps; nothing is
/// judged.
Result<AccuracyTable> computeAccuracy(int number, const Work& work);

// The parts.
/// Reversal, Table 6, with batches of 64, as assets/configs/reversal-*.json read it.
train::RunConfig accuracyConfig(PairModel model, int length, std::uint64_t seed);
/// Evaluates every `every` steps.
Result<AccuracyRun> followAccuracy(PairModel model, const train::RunConfig& config, std::int64_t every,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies
