// SPDX-License-Identifier: Apache-2.0
// See stop_rule.h.
#include "engine/train/stop_rule.h"

#include <fmt/format.h>

#include "engine/core/number.h"

namespace sepx::train {

void StopRule::compare(std::int64_t step, double value) {
  if (!best_ || value < *best_ - schedule_.stopImprovement) {
    best_ = value;
    bestStep_ = step;
    converged_.reset();
    return;
  }
  if (step - bestStep_ < schedule_.stopPatience) return;
  const std::string by = schedule_.stopImprovement > 0
                             ? fmt::format("more than {} nats ", formatShortest(schedule_.stopImprovement))
                             : std::string();
  converged_ = schedule_.stopLoss == StopLoss::Validation
                   ? fmt::format(
                         "converged: at step {} the validation loss is {:.6g}, not {}below the {:.6g} of step {} "
                         "(schedule.stop_patience {})",
                         step, value, by, *best_, bestStep_, schedule_.stopPatience)
                   : fmt::format(
                         "converged: at step {} the mean training loss of the last {} steps is {:.6g}, not {}"
                         "below the {:.6g} of those up to step {} (schedule.stop_patience)",
                         step, schedule_.stopPatience, value, by, *best_, bestStep_);
}

void StopRule::loss(std::int64_t step, double value) {
  if (!first_) first_ = value;
  diverged_.reset();
  if (schedule_.stopFactor > 0 && value > schedule_.stopFactor * *first_)
    diverged_ = fmt::format(
        "diverged: the loss of step {} is {:.6g}, more than {} times the first one, {:.6g} "
        "(schedule.stop_factor); lower optimisation.learning_rate",
        step, value, formatShortest(schedule_.stopFactor), *first_);
  if (schedule_.stopPatience <= 0 || schedule_.stopLoss != StopLoss::Training) return;
  if (!blockFrom_) blockFrom_ = step - 1;
  blockSum_ += value;
  ++blockCount_;
  if (step - *blockFrom_ < schedule_.stopPatience) return;
  compare(step, blockSum_ / static_cast<double>(blockCount_));
  blockFrom_ = step;
  blockSum_ = 0;
  blockCount_ = 0;
}

void StopRule::validation(std::int64_t step, double value) {
  if (schedule_.stopPatience > 0 && schedule_.stopLoss == StopLoss::Validation) compare(step, value);
}

void StopRule::restart() {
  best_.reset();
  blockFrom_.reset();
  blockSum_ = 0;
  blockCount_ = 0;
  converged_.reset();
}

}  // namespace sepx::train
