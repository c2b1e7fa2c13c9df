// SPDX-License-Identifier: Apache-2.0
// One step of training and what it changes, without threads of its own, files or clocks:
//   g = mean over `accumulate` batches of dL/d theta + d constraint/d theta;  g <- g min(1, clip/|g|);  theta <-
//   rule(g) average <- d average + (1 - d) theta every emaEvery steps, d = min(ema, (1 + n)/(10 + n)) at update n
// A step is a pure function of the state before it and of the config: sequences are addressed by their index, random
// numbers by (seed, purpose, number). One thread at a time; the same bits on any number of threads of the pool.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/data/source.h"
#include "engine/nn/batch.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/accuracy.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_config.h"
#include "engine/train/snapshot.h"

namespace sepx::train {

/// What random numbers are for; streams of different purposes never meet.
enum class Draw : std::uint64_t { Start = 1, Batch = 2, Validation = 3, Augmentation = 4, Mixing = 5 };
RandomStream drawStream(std::uint64_t seed, Draw purpose, std::uint64_t number = 0);

struct StepReport {         ///< of one step
  double loss = 0;          ///< before the step, without the constraint
  double constraint = 0;    ///< its value; 0 where there is none
  double rate = 0;          ///< learning rate of the step
  double gradientNorm = 0;  ///< before clipping
};

struct MeanLoss {                  ///< over the validation sequences
  double value = 0;                ///< nats, as the objective counts them
  double error = 0;                ///< its standard error: the deviation among sequences over the root of their number
  std::optional<double> accuracy;  ///< of images: the share whose class has the largest logit
  bool operator==(const MeanLoss&) const = default;
};

class ProcessGroup;
class RankMark;

class Stepper {  ///< makes steps, one after another
 public:
  /// `config` is resolved and checked (also by checkFrozen()); source and pool outlive this.
  Stepper(const RunConfig& config, const data::Source& source, ThreadPool& pool);

  /// Step 0, from config.initial.
  void begin();
  /// Where another left off. What the rule remembers is dropped where this config's rule remembers something else.
  void load(TrainState state);
  /// A copy of everything that the next step depends on.
  TrainState state() const;
  /// Calls `write` with the state; only the parameters are copied for it.
  Result<void> withState(const std::function<Result<void>(const TrainState&)>& write);

  /// Asked between groups of sequences of step(), validate(), answer() and those of the average, from several threads.
  void onCancel(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }
  /// Whether the last of these was cancelled: it has changed nothing, and its answer is worth nothing.
  bool cancelled() const { return wasCancelled_; }
  /// From now on step() is one that all ranks make together, each on its part of the batch (group_run.h): the group's
  /// sums come between, and what is true of step() is true of all ranks at once. `group` outlives this.
  void share(ProcessGroup& group) { group_ = &group; }
  /// One step of a run that ends at `steps`. CheckFailed when loss or gradient is not finite, Interrupted when it was
  /// cancelled: nothing has changed then.
  /// `gradients`: the norms of all parameters' gradients go there (null: not wanted).
  Result<StepReport> step(std::int64_t steps, std::vector<Metric>* gradients = nullptr);
  /// Mean loss over the first sequences of the validation split, always with the same masks.
  MeanLoss validate();
  /// The same of the averaged parameters; nothing without EMA.
  std::optional<MeanLoss> validateAverage();
  /// Of a run on pairs: how the first sequences of the validation split are answered in both directions
  /// (engine/reversal/ accuracy.h); nothing of other data, or when it was cancelled.
  std::optional<reversal::AccuracyReport> answer();
  /// The same of the averaged parameters; nothing without EMA.
  std::optional<reversal::AccuracyReport> answerAverage();
  /// CheckFailed when a few sequences of the validation split have no finite loss: such parameters are not worth
  /// keeping.
  Result<void> stillFinite();
  /// CheckFailed when a loss of the present parameters is not finite.
  Result<void> finite(double loss) const;

  std::int64_t made() const { return step_; }                            ///< steps made, those before a resume included
  double rateFactor() const { return rateFactor_; }                      ///< 1 unless a person changed it
  void setRateFactor(double factor) { rateFactor_ = factor; }            ///< of the schedule; from the next step on
  const RunConfig& config() const { return config_; }                    ///< of the run
  const nn::ParameterLayout& layout() const { return model_.layout(); }  ///< where each parameter lies in theta()
  std::span<const float> theta() const { return std::as_const(model_).theta(); }  ///< all parameters, as layout() says
  nn::Transformer<float>& model() { return model_; }                              ///< between two steps

 private:
  /// While one lives, the model asks whether to go on.
  class Cancellable;
  /// CheckFailed; `when`: "in step 3".
  tl::unexpected<Error> diverged(std::string_view what, double value, const std::string& when, double rate) const;
  /// Of the next step's batches, `share` of each; the gradient is added to the model's.
  Result<double> lossAndGradient(double share);
  Result<double> sharedLossAndGradient(double share);
  double accumulateParts(double share, nn::BatchPart part, RankMark* mark);
  void forgetFrozenGradient();
  void keepFrozen();
  void putFrozenBack();
  /// The validation of classes: its loss and its accuracy come from one pass.
  MeanLoss classify(int sequences);
  const nn::Batch& makeBatch(data::Split split, std::uint64_t first, int sequences, RandomStream random);

  RunConfig config_;
  const data::Source& source_;
  ThreadPool& pool_;
  ProcessGroup* group_ = nullptr;  ///< null: this process is alone
  nn::Transformer<float> model_;
  std::vector<nn::FlatRange> decayed_, frozen_;
  std::vector<float> kept_;  ///< values of frozen_ during a step

  std::int64_t step_ = 0;
  std::uint64_t sequence_ = 0;
  double rateFactor_ = 1;
  double rate_ = 0;  ///< of the last step, for sentences
  nn::OptimiserState<float> optimiser_;
  std::vector<float> average_;

  std::function<bool()> cancelled_;
  std::atomic<bool> wasCancelled_{false};
  std::vector<reversal::Pair> pairs_;  ///< of answer(); empty: data of another kind
  std::vector<std::int32_t> tokens_, lengths_;
  std::vector<double> losses_;
  nn::Batch batch_;
};

}  // namespace sepx::train
