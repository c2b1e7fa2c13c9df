// SPDX-License-Identifier: Apache-2.0
// What the ranks of a shared run say to each other (process_group.h). At the start: whether all are ready, whether they
// have the same config, data and kernels; then the state of rank 0. For each step: an order, what each has to say of
// its part, and the sums of loss and gradient. The batch is the whole run's: every rank makes it, from the same stream,
// and works on its part (nn::BatchPart), so that losses are those of one process, to rounding. After each step all have
// the same parameters, because they make the same step with the same sum.
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

/// `prepared`: whether this rank can train. Then compares the resolved `config`, the data and the instruction level of
/// all with rank 0's: BadInput or Usage on every rank where they differ. `source` is null where `prepared` failed.
Result<void> meet(ProcessGroup& group, const Result<void>& prepared, const RunConfig& config,
                  const data::Source* source);

/// Rank 0's state on all ranks.
Result<void> shareState(ProcessGroup& group, TrainState& state);

/// What rank 0 asks of the others.
struct GroupOrder {
  enum class Kind : std::int64_t { Step = 1, End = 2 };  ///< what the group does next
  Kind kind = Kind::End;
  std::int64_t steps = 0;  ///< the end, which the schedule of the learning rate depends on
  double rateFactor = 1;
};
Result<GroupOrder> shareOrder(ProcessGroup& group, GroupOrder order = {});

/// Stands for bytes that must be the same on all ranks: 48 bits, which a double holds.
class RankMark {
 public:
  void add(std::span<const std::byte> bytes);  ///< in their order
  void add(const nn::Batch& batch);            ///< its tokens and targets
  double value() const { return static_cast<double>(hash_ >> 16U); }

 private:
  std::uint64_t hash_ = 0x9E3779B97F4A7C15;
};

/// What a rank has to say of its part of a step.
struct PartOutcome {
  double loss = 0;
  bool cancelled = false;
  Result<void> went;
  RankMark mark;
};
/// The loss of the whole batch, and `gradient` becomes its gradient. Interrupted where a rank was cancelled or no
/// longer answers, CheckFailed where the marks differ, the error of a rank that has one: `gradient` is worth nothing
/// then.
Result<double> sumStep(ProcessGroup& group, const PartOutcome& mine, std::int64_t step, std::span<float> gradient);

}  // namespace sepx::train
