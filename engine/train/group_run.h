// SPDX-License-Identifier: Apache-2.0
// The communication between the ranks of a shared run (process_group.h). At the start the ranks agree that all are
// ready and have the same config, data and kernels, and they receive the state of rank 0. For each step they exchange
// an order, the outcome of their parts, and the sums of loss and gradient. Every rank makes the batch of the whole run
// from the same stream and works on its part (nn::BatchPart), so that losses equal those of one process up to rounding.
// After each step all have the same parameters, because they make the same step with the same sum.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/result.h"
#include "engine/data/source.h"
#include "engine/nn/batch.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/process_group.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// `prepared` says whether this rank can train. Compares the resolved `config`, the data and the instruction level of
/// all ranks with those of rank 0. If they differ, fails with BadInput or Usage on every rank. `source` is null if
/// `prepared` failed.
Result<void> compareRanks(ProcessGroup& group, const Result<void>& prepared, const RunConfig& config,
                          const data::Source* source);

/// Copies the state of rank 0 to all ranks.
Result<void> shareState(ProcessGroup& group, TrainState& state);

/// A request of rank 0 to the other ranks.
struct GroupOrder {
  enum class Kind : std::int64_t { Step = 1, End = 2 };  ///< what the group does next
  Kind kind = Kind::End;
  std::int64_t steps = 0;  ///< last step of the run, on which the learning-rate schedule depends
  double rateFactor = 1;
};
Result<GroupOrder> shareOrder(ProcessGroup& group, GroupOrder order = {});

/// A hash of bytes that must be the same on all ranks: 48 bits, which a double represents exactly.
class RankChecksum {
 public:
  void add(std::span<const std::byte> bytes);  ///< in their order
  void add(const nn::Batch& batch);            ///< its tokens and targets
  double value() const { return static_cast<double>(hash_ >> 16U); }

 private:
  std::uint64_t hash_ = 0x9E3779B97F4A7C15;
};

/// The outcome of a rank's part of a step.
struct PartOutcome {
  double loss = 0;
  bool cancelled = false;
  Result<void> status;
  RankChecksum mark;
};
/// Returns the loss of the whole batch; `gradient` becomes the gradient of the whole batch. Fails with Interrupted if a
/// rank was cancelled or no longer answers, with CheckFailed if the marks differ, and with the error of a rank that has
/// one. `gradient` is then undefined.
Result<double> sumStep(ProcessGroup& group, const PartOutcome& mine, std::int64_t step, std::span<float> gradient);

}  // namespace sepx::train
