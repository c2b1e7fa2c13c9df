// SPDX-License-Identifier: Apache-2.0
// Whether a run ends before its last step (Schedule::stopPatience and the fields below it). It has converged where its
// loss has not improved for so many steps, and diverged where a loss is far above the first one. A pure function of the
// numbers that the run store keeps, so that a resume decides as the run before it did. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/train/run_config.h"

namespace sepx::train {

class StopRule {
 public:
  explicit StopRule(const Schedule& schedule) : schedule_(schedule) {}

  /// Whether the schedule asks for anything.
  bool watches() const { return schedule_.stopPatience > 0 || schedule_.stopFactor > 0; }
  /// Recorded values in the order of their steps; of one step the loss comes first. Nats, finite.
  void loss(std::int64_t step, double value);
  void validation(std::int64_t step, double value);
  /// The end of the run was set: what came before is no longer compared. The first loss stays the first.
  void restart();

  /// Why the run ends here, as part of a sentence; nothing: it goes on. A run that went on all the same, since another
  /// rule held then, is judged by what it has recorded last.
  const std::optional<std::string>& converged() const { return converged_; }
  const std::optional<std::string>& diverged() const { return diverged_; }

 private:
  void compare(std::int64_t step, double value);

  Schedule schedule_;
  std::optional<double> first_, best_;
  std::int64_t bestStep_ = 0;
  // Training losses are averaged over as many steps as the patience has: single ones are too noisy to compare.
  std::optional<std::int64_t> blockFrom_;
  double blockSum_ = 0;
  std::int64_t blockCount_ = 0;
  std::optional<std::string> converged_, diverged_;
};

}  // namespace sepx::train
