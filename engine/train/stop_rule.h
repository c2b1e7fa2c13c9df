// SPDX-License-Identifier: Apache-2.0
// Decides whether a run ends before its last step (Schedule::stopPatience and the fields below it). The run has
// converged if its loss has not improved for that many steps, and diverged if a loss is far above the first one. A pure
// function of the numbers in the run store, so that a resumed run decides like the original one. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/train/run_config.h"

namespace sepx::train {

class StopRule {
 public:
  explicit StopRule(const Schedule& schedule) : schedule_(schedule) {}

  /// Whether the schedule enables any rule.
  bool watches() const { return schedule_.stopPatience > 0 || schedule_.stopFactor > 0; }
  /// Takes the recorded values in the order of their steps; within a step the loss comes first. Nats, finite.
  void loss(std::int64_t step, double value);
  void validation(std::int64_t step, double value);
  /// The end of the run was changed: earlier values are no longer compared. The first loss remains the first.
  void restart();

  /// Why the run ends here, as part of a sentence; empty: it continues. A run that continued anyway, because another
  /// rule applied at that time, is judged by the values that it recorded last.
  const std::optional<std::string>& converged() const { return converged_; }
  const std::optional<std::string>& diverged() const { return diverged_; }

 private:
  void compare(std::int64_t step, double value);

  Schedule schedule_;
  std::optional<double> first_, best_;
  std::int64_t bestStep_ = 0;
  // Training losses are averaged over stopPatience steps, because single ones are too noisy to compare.
  std::optional<std::int64_t> blockFrom_;
  double blockSum_ = 0;
  std::int64_t blockCount_ = 0;
  std::optional<std::string> converged_, diverged_;
};

}  // namespace sepx::train
