// SPDX-License-Identifier: Apache-2.0
// Measures the progress of runs, or of a number that is compared with another one.
#include "ui/workbench/wait_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/number.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/runs/state_words.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {
namespace {

constexpr double kEstimateAfter = 2;  // seconds of progress after which the remaining time is shown
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool isStep(const std::string& key) {
  return key.ends_with(".step");
}

/// The goal of a number that has to grow; NaN for other waits, which have no share.
double goalOf(const ScriptStep& step) {
  return step.op == ">=" || step.op == ">" || step.op == "==" || step.op == "~"
             ? parseNumber(step.value).value_or(kNone)
             : kNone;
}

double numberAt(const Workbench& workbench, const std::string& key) {
  const auto value = workbench.get(key);
  const double* const number = value ? std::get_if<double>(&*value) : nullptr;
  return number ? *number : kNone;
}

}  // namespace

WaitWatch::WaitWatch(const ScriptStep& step, const Workbench& workbench, double now)
    : step_(step), workbench_(workbench), asked_(now), began_(now), moved_(now), now_(now) {
  for (const RunPointer& run : workbench_.runs().all())
    if (run->trains()) runs_.push_back(run);
  if (step_.kind == StepKind::WaitFor) {
    goal_ = goalOf(step_);
  } else {
    for (const RunPointer& run : runs_)
      goal_ += static_cast<double>(step_.kind == StepKind::WaitTrained
                                       ? run->step() + static_cast<std::int64_t>(step_.numbers[0])
                                       : run->steps());
  }
  start_ = position();
  look(now);
}

std::int64_t WaitWatch::trained() const {
  std::int64_t sum = 0;
  for (const RunPointer& run : workbench_.runs().all())
    sum += run->step();
  return sum;
}

void WaitWatch::look(double now) {
  now_ = now;
  std::string value;
  if (step_.kind == StepKind::WaitFor) {
    if (const auto found = workbench_.get(step_.text)) value = toString(*found);
  }
  const std::int64_t steps = trained();
  if (value == seen_ && steps == trained_) return;
  seen_ = std::move(value);
  trained_ = steps;
  moved_ = now;
  if (!std::isfinite(start_)) {  // it had no value yet
    start_ = position();
    began_ = now;
  }
}

double WaitWatch::position() const {
  if (step_.kind == StepKind::WaitFor) return numberAt(workbench_, step_.text);
  double sum = 0;
  for (const RunPointer& run : runs_)
    sum += static_cast<double>(run->step());
  return sum;
}

std::optional<double> WaitWatch::share() const {
  const double at = position();
  if (!std::isfinite(at) || !std::isfinite(start_) || !(goal_ > start_)) return std::nullopt;
  return std::clamp((at - start_) / (goal_ - start_), 0.0, 1.0);
}

std::string WaitWatch::failure() const {
  for (const RunPointer& run : runs_)
    if (run->state() == train::RunState::Failed) return run->failure();
  return {};
}

std::string WaitWatch::what() const {
  if (step_.kind == StepKind::WaitRunEnded) return tr("Training to the end");
  if (step_.kind == StepKind::WaitTrained)
    return trFormat("Training for {} steps", stepText(static_cast<std::int64_t>(step_.numbers[0])));
  if (isStep(step_.text) && std::isfinite(goal_))
    return trFormat("Training to step {}", stepText(static_cast<std::int64_t>(goal_)));
  const auto found = workbench_.find(step_.text);
  const std::string label = !found ? std::string() : found->property ? found->property->label : found->readOut->label;
  return trFormat("Waiting for {} {} {}", label.empty() ? step_.text : tr(label), step_.op, step_.value);
}

std::string WaitWatch::words() const {
  const std::optional<double> done = share();
  if (!done) return what();
  std::string words = trFormat("{}: {} %", what(), static_cast<int>(*done * 100));
  const double passed = now_ - began_;
  if (*done > 0.01 && passed > kEstimateAfter)
    words += ", " + trFormat("about {} left", durationWords(passed * (1 - *done) / *done));
  return words;
}

}  // namespace sepx::ui
