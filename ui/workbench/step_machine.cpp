// SPDX-License-Identifier: Apache-2.0
// The order of things: a step puts events into the coming frames, or waits for a condition; when both are over the next
// begins.
#include "ui/workbench/step_machine.h"

#include <algorithm>
#include <cmath>

#include <utility>

#include <fmt/format.h>

#include "engine/core/log.h"
#include "engine/core/terminal_output.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kMostQuoted = 200;  // bytes of a line in a sentence
constexpr double kLiveRest = 0.5;         // seconds a live pointer rests before it presses, so that eyes can follow

/// Waiting for this brings nothing that the steps after it need.
bool mayBeSkipped(StepKind waiting) {
  return waiting != StepKind::StepFrames && waiting != StepKind::Open && waiting != StepKind::Drop;
}

double eased(double t, bool live) {
  return live ? t * t * (3 - 2 * t) : t;
}

}  // namespace

StepMachine::StepMachine(std::vector<ScriptStep> steps, std::string name, StepSurroundings surroundings)
    : steps_(std::move(steps)), name_(std::move(name)), around_(std::move(surroundings)) {
  messagesSeen_ = around_.workbench.messages().size();
}

std::vector<InputEvent> StepMachine::before(double now) {
  now_ = now;
  while (running()) {
    if (active_) noteTraining();
    if (active_ && expired()) {
      giveUp(steps_[step_], Error{ErrorKind::CheckFailed, trFormat("the step took more than {} seconds", patience_)});
      break;
    }
    if (!batches_.empty()) {
      Events events = std::move(batches_.front());
      batches_.pop_front();
      return events;
    }
    if (gesture_) return moveGesture();
    if (const ScriptStep* const step = std::exchange(scrolled_, nullptr)) {
      if (const Result<void> done = actOn(*step); !done) {
        giveUp(*step, done.error());
        break;
      }
      continue;
    }
    if (waiting_ && hurried_ && mayBeSkipped(steps_[step_].kind)) waiting_ = nullptr;
    if (waiting_) {
      const Condition waiting = waiting_;  // what it does may stop this machine
      const Result<bool> over = waiting();
      if (!running()) break;
      if (!over) {
        giveUp(steps_[step_], over.error());
        break;
      }
      if (!*over) return {};
      waiting_ = nullptr;
      continue;
    }
    if (!endStepIfDone()) startStep();
  }
  return {};
}

void StepMachine::after() {
  if (!shot_.empty() && batches_.empty()) {
    const std::string path = std::exchange(shot_, {});
    const ScriptStep& step = steps_[step_];
    auto pixels = around_.host->capture();
    if (!pixels) return giveUp(step, pixels.error());
    if (auto written = render::writePng(*pixels, path, {{render::kRecipeKey, around_.workbench.recipe()}}); !written) {
      return giveUp(step, written.error());
    }
  }
  if (running()) endStepIfDone();
}

bool StepMachine::endStepIfDone() {
  if (!active_ || !batches_.empty() || gesture_ || waiting_ || scrolled_) return false;
  active_ = false;
  ++step_;
  return true;
}

void StepMachine::startStep() {
  const ScriptStep& step = steps_[step_];
  active_ = true;
  began_ = std::chrono::steady_clock::now();
  if (step.kind != StepKind::ExpectError) pending_.reset();
  if (auto started = start(step); !started) {
    const bool expected = step_ + 1 < steps_.size() && steps_[step_ + 1].kind == StepKind::ExpectError;
    if (expected || around_.live) {
      spdlog::debug("{}:{}: {}", name_, step.line, started.error().sentence);
      pending_ = started.error();
      batches_.clear();
    } else {
      giveUp(step, started.error());
    }
  }
}

StepMachine::Events StepMachine::moveGesture() {
  Gesture& gesture = *gesture_;
  if (gesture.settling > 0) {
    if (--gesture.settling == 0) {
      gesture.from = pixels(steps_[step_], steps_[step_].from).value_or(gesture.from);
      gesture.to = pixels(steps_[step_], steps_[step_].to).value_or(gesture.to);
    }
    return {};
  }
  if (gesture.began < 0) {
    gesture.began = now_;
    // The resting pointer of a live lesson; a script presses in the next frame.
    pointer_ = gesture.from;
    return {PointerMoved{gesture.from.x, gesture.from.y}};
  }
  const double rest = around_.live && !hurried_ ? kLiveRest : 0;
  const double duration = hurried_ ? 0 : gesture.seconds;
  const double elapsed = now_ - gesture.began - rest;
  if (elapsed < 0) return {};
  if (!buttonDown_) {
    buttonDown_ = true;
    gesture.began = now_ - rest;
    return {PointerPressed{Button::Left, true, gesture.from.x, gesture.from.y, {}}};
  }
  if (elapsed + 1e-9 >= duration) {
    const render::Point to = gesture.to;
    gesture_.reset();
    buttonDown_ = false;
    pointer_.reset();
    frame({PointerPressed{Button::Left, false, to.x, to.y, {}}});
    frame({PointerLeft{}});  // nobody's hand rests there
    frames(1);
    return {PointerMoved{to.x, to.y}};
  }
  const double t = eased(elapsed / duration, around_.live);
  pointer_ = render::Point{gesture.from.x + t * (gesture.to.x - gesture.from.x),
                           gesture.from.y + t * (gesture.to.y - gesture.from.y)};
  return {PointerMoved{pointer_->x, pointer_->y}};
}

void StepMachine::hurry() {
  hurried_ = true;
  // Frames without events only let time pass.
  std::erase_if(batches_, [](const Events& events) { return events.empty(); });
}

std::vector<InputEvent> StepMachine::stop() {
  Events events;
  if (waiting_ && running() && (steps_[step_].kind == StepKind::Open || steps_[step_].kind == StepKind::Drop))
    around_.workbench.cancelOpening();
  if (buttonDown_ && pointer_) events.emplace_back(PointerPressed{Button::Left, false, pointer_->x, pointer_->y, {}});
  buttonDown_ = false;
  gesture_.reset();
  waiting_ = nullptr;
  scrolled_ = nullptr;
  batches_.clear();
  shot_.clear();
  steps_.clear();
  step_ = 0;
  active_ = false;
  pointer_.reset();
  return events;
}

double StepMachine::patienceLeft() const {
  if (!active_) return patience_;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  return std::max(0.0, patience_ - spent.count());
}

/// The time of a wait counts from the last step that a run made: such a wait has an end of its own.
void StepMachine::noteTraining() {
  const StepKind kind = steps_[step_].kind;
  if (kind != StepKind::WaitTrained && kind != StepKind::WaitRunEnded && kind != StepKind::WaitFor) return;
  std::int64_t trained = 0;
  for (const RunPointer& run : around_.workbench.runs().all())
    trained += run->step();
  if (std::exchange(trained_, trained) != trained) began_ = std::chrono::steady_clock::now();
}

bool StepMachine::expired() const {
  return !around_.live && patienceLeft() <= 0;
}

void StepMachine::giveUp(const ScriptStep& step, Error error) {
  const std::string sentence =
      fmt::format("{}:{}: {}: {}", name_, step.line, terminalLine(step.source, kMostQuoted), error.sentence);
  error_ = Error{error.kind, sentence};
  gesture_.reset();
  waiting_ = nullptr;
  scrolled_ = nullptr;
  batches_.clear();
  shot_.clear();
}

}  // namespace sepx::ui
