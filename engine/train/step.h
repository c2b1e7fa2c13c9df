// SPDX-License-Identifier: Apache-2.0
// One training step and the state that it changes, without threads of its own, files or clocks:
//   g = mean over `accumulate` batches of dL/d theta + d constraint/d theta
//   g <- g min(1, clip/|g|);  theta <- rule(g)
//   average <- d average + (1 - d) theta every emaEvery steps, d = min(ema, (1 + n)/(10 + n)) at update n
// A step is a pure function of the previous state and of the config: sequences are addressed by their index, random
// numbers by (seed, purpose, number). One thread at a time; the same bits for any number of threads in the pool.
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

/// The purpose of random numbers; streams of different purposes never overlap.
enum class Draw : std::uint64_t { Start = 1, Batch = 2, Validation = 3, Augmentation = 4, Mixing = 5 };
RandomStream drawStream(std::uint64_t seed, Draw purpose, std::uint64_t number = 0);

struct StepReport {         ///< of one step
  double loss = 0;          ///< before the step, without the constraint
  double constraint = 0;    ///< value of the constraint; 0 without one
  double rate = 0;          ///< learning rate of the step
  double gradientNorm = 0;  ///< before clipping
};

struct MeanLoss {                  ///< over the validation sequences
  double value = 0;                ///< nats, as the objective counts them
  double error = 0;                ///< its standard error: the deviation among sequences over the root of their number
  std::optional<double> accuracy;  ///< for images: the fraction whose class has the largest logit
  bool operator==(const MeanLoss&) const = default;
};

class ProcessGroup;
class RankChecksum;

class Stepper {  ///< makes steps, one after another
 public:
  /// `config` is resolved and checked (also by checkFrozen()); `source` and `pool` must outlive this object.
  Stepper(const RunConfig& config, const data::Source& source, ThreadPool& pool);

  /// Starts at step 0, with the initial point of config.initial.
  void begin();
  /// Continues from a saved state. The state of the optimiser is dropped if this config's rule keeps a different state.
  void load(TrainState state);
  /// A copy of everything that the next step depends on.
  TrainState state() const;
  /// Calls `write` with the state. Only the parameters are copied.
  Result<void> withState(const std::function<Result<void>(const TrainState&)>& write);

  /// `cancelled` is called between groups of sequences of step(), validate(), answer() and their versions for the
  /// average, from several threads.
  void onCancel(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }
  /// Whether the last of these calls was cancelled. It has then changed nothing, and its result is meaningless.
  bool cancelled() const { return wasCancelled_; }
  /// From now on all ranks make each step() together, each on its part of the batch, and the group computes the sums
  /// (group_run.h). What holds for step() then holds for all ranks at once. `group` must outlive this object.
  void share(ProcessGroup& group) { group_ = &group; }
  /// Makes one step of a run that ends at `steps`. Fails with CheckFailed if loss or gradient is not finite, and with
  /// Interrupted if it was cancelled: nothing has changed then. `gradients` (may be null) receives the gradient norms
  /// of all parameters.
  Result<StepReport> step(std::int64_t steps, std::vector<Metric>* gradients = nullptr);
  /// Mean loss over the first sequences of the validation split, always with the same masks.
  MeanLoss validate();
  /// The same for the averaged parameters; empty without EMA.
  std::optional<MeanLoss> validateAverage();
  /// For a run on pairs: how well the first sequences of the validation split are answered in both directions
  /// (engine/reversal/accuracy.h). Empty for other data, or if it was cancelled.
  std::optional<reversal::AccuracyReport> answer();
  /// The same for the averaged parameters; empty without EMA.
  std::optional<reversal::AccuracyReport> answerAverage();
  /// Fails with CheckFailed if a few sequences of the validation split do not have a finite loss: such parameters must
  /// not be saved.
  Result<void> checkFinite();
  /// Fails with CheckFailed if `loss`, a loss of the current parameters, is not finite.
  Result<void> finite(double loss) const;

  std::int64_t made() const { return step_; }                  ///< steps made, including those before a resume
  double rateFactor() const { return rateFactor_; }            ///< 1 unless a person changed it
  void setRateFactor(double factor) { rateFactor_ = factor; }  ///< factor on the schedule, from the next step on
  const RunConfig& config() const { return config_; }          ///< of the run
  const nn::ParameterLayout& layout() const { return model_.layout(); }  ///< where each parameter is in theta()
  std::span<const float> theta() const { return std::as_const(model_).theta(); }  ///< all parameters, as layout() says
  nn::Transformer<float>& model() { return model_; }                              ///< for use between two steps

 private:
  /// During its lifetime the model polls cancelled_.
  class Cancellable;
  /// CheckFailed; `when`: "in step 3".
  tl::unexpected<Error> diverged(std::string_view what, double value, const std::string& when, double rate) const;
  /// Loss of the next step's batches, each weighted by `share`; their gradient is added to the model's.
  Result<double> lossAndGradient(double share);
  Result<double> sharedLossAndGradient(double share);
  double accumulateParts(double share, nn::BatchPart part, RankChecksum* mark);
  void forgetFrozenGradient();
  void saveFrozen();
  void putFrozenBack();
  /// The validation of a classifier: its loss and its accuracy come from one pass.
  MeanLoss classify(int sequences);
  const nn::Batch& makeBatch(data::Split split, std::uint64_t first, int sequences, RandomStream random);

  RunConfig config_;
  const data::Source& source_;
  ThreadPool& pool_;
  ProcessGroup* group_ = nullptr;  ///< null: a single process
  nn::Transformer<float> model_;
  std::vector<nn::FlatRange> decayed_, frozen_;
  std::vector<float> savedFrozen_;  ///< values of frozen_ during a step

  std::int64_t step_ = 0;
  std::uint64_t sequence_ = 0;
  double rateFactor_ = 1;
  double rate_ = 0;  ///< of the last step, for messages
  nn::OptimiserState<float> optimiser_;
  std::vector<float> average_;

  std::function<bool()> cancelled_;
  std::atomic<bool> wasCancelled_{false};
  std::vector<reversal::Pair> pairs_;  ///< for answer(); empty: data of another kind
  std::vector<std::int32_t> tokens_, lengths_;
  std::vector<double> losses_;
  nn::Batch batch_;
};

}  // namespace sepx::train
