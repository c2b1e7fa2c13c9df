// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of Reversal: how often one-layer models that learnt forward pairs answer the reverse query. Table 1
// compares masked diffusion with RoPE and an autoregressive model; Table 2 compares absolute positions, RoPE and ALiBi.
// The reverse accuracy at a single step is not stable. Therefore the mean over the evaluations at 500, 1,000 ... 3,000
// steps and over three seeds is judged, at L = 10 with batches of 64, and only qualitatively; the accuracy at the last
// step is shown as well. If a model does not learn the forward queries, checks that compare it are not judged. Longer
// sequences are run with one seed, reported and not judged. The parameters are not averaged. Every token may be the
// answer; the accuracy among small letters only is shown as well. Each run has one thread; several run at once. Worker
// threads only.
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

  /// Mean over the points, percent; NaN if there are none or the run failed.
  double mean(reversal::Direction direction, bool letters = false) const;
  /// Value at the last point, percent; NaN in the same cases.
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
/// The row for a model and a length; empty if there is none.
std::optional<PublishedAccuracy> publishedAccuracy(int table, PairModel model, int length);

struct AccuracyTable {   ///< all runs of a table
  int number = 1;        ///< of the table: 1 or 2
  bool shipped = false;  ///< read from the runs that ship with the program
  bool quick = false;
  std::int64_t steps = 0;  ///< of each run
  int batch = 0, width = 0;
  std::vector<AccuracyRun> runs;  ///< by row of the table, then seed
  /// Mean over the runs of a model and a length, percent; NaN if there are none or one failed.
  double mean(PairModel model, int length, reversal::Direction direction, bool letters = false) const;
  double atEnd(PairModel model, int length, reversal::Direction direction, bool letters = false) const;
  bool has(PairModel model, int length) const;  ///< whether there is such a run
  std::vector<Check> checks() const;            ///< quick: none of them is judged
  bool passed() const { return studies::passed(checks()); }

 private:
  template <class Of>
  double over(PairModel model, int length, const Of& of) const;
  const char* whyNotJudged(std::initializer_list<PairModel> compared, bool chosenBound) const;
  void add(std::vector<Check>& into, const char* what, std::initializer_list<PairModel> compared, double value,
           const char* relation, double bound, bool chosenBound) const;
};

/// The setting that is judged: steps of a run, steps between evaluations, number of seeds.
inline constexpr std::int64_t kAccuracySteps = 3000, kAccuracyEvery = 500;
inline constexpr std::uint64_t kAccuracySeeds = 3;
/// Least forward accuracy at the end, percent, mean over the seeds, for the reverse accuracy of a model to be judged.
inline constexpr double kLearntAccuracy = 90;

/// Quick: width 64, 1,500 steps, learning rate 1e-3, one seed, L = 10, evaluations every 250 steps, nothing judged.
Result<AccuracyTable> computeAccuracy(int number, const Work& work);

// The parts of computeAccuracy().
/// The setting of Reversal, Table 6, with batches of 64, as interpreted in assets/configs/reversal-*.json.
train::RunConfig accuracyConfig(PairModel model, int length, std::uint64_t seed);
/// One run, evaluated every `every` steps. `made` is called after each evaluation.
Result<AccuracyRun> followAccuracy(PairModel model, const train::RunConfig& config, std::int64_t every,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies
