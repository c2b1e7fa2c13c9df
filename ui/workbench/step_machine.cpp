// SPDX-License-Identifier: Apache-2.0
// Runs the steps in order. A step queues events for the coming frames or waits for a condition; when both are done, the
// next step begins.
#include "ui/workbench/step_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/log.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/document/script_words.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kMostQuoted = 200;  // bytes of a line that a message quotes
constexpr double kLiveRest = 0.5;         // seconds that a live pointer rests before it presses, to be followed by eye

/// Whether later steps do not need what is waited for.
bool mayBeSkipped(const ScriptStep& waiting) {
  return waiting.kind != StepKind::StepFrames && waiting.kind != StepKind::Open && waiting.kind != StepKind::Drop &&
         waiting.kind != StepKind::Set && !waitsForWork(waiting);
}

double eased(double t, bool live) {
  return live ? t * t * (3 - 2 * t) : t;
}

}  // namespace

StepMachine::StepMachine(std::vector<ScriptStep> steps, std::string name, StepSurroundings surroundings)
    : steps_(std::move(steps)), name_(std::move(name)), surroundings_(std::move(surroundings)) {
  messagesSeen_ = surroundings_.workbench.messages().size();
}

std::vector<InputEvent> StepMachine::before(double now) {
  now_ = now;
  while (running()) {
    if (active_) noteTraining();
    if (watch_) watch_->look(now_);
    if (active_ && expired()) {
      failStep(steps_[step_],
               Error{ErrorKind::CheckFailed, trFormat("the step took more than {} seconds", stepTimeout_)});
      break;
    }
    if (!batches_.empty()) {
      Events events = std::move(batches_.front());
      batches_.pop_front();
      if (mayDeliver(events)) return events;
      continue;
    }
    if (gesture_) {
      Events events = moveGesture();
      if (mayDeliver(events)) return events;
      continue;
    }
    if (const ScriptStep* const step = std::exchange(scrolled_, nullptr)) {
      if (const Result<void> done = actOn(*step); !done) refuse(*step, done.error());
      continue;
    }
    if (waiting_ && fastForward_ && mayBeSkipped(steps_[step_])) waiting_ = nullptr;
    if (waiting_) {
      const Condition waiting = waiting_;  // a copy, because the call may stop this machine
      const Result<bool> over = waiting();
      if (!running()) break;
      if (!over) {
        refuse(steps_[step_], over.error());
        continue;
      }
      if (!*over) return {};
      waiting_ = nullptr;
      watch_.reset();
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
    auto pixels = surroundings_.host->capture();
    if (!pixels) return failStep(step, pixels.error());
    if (auto written = render::writePng(*pixels, path, {{render::kRecipeKey, surroundings_.workbench.recipe()}});
        !written) {
      return failStep(step, written.error());
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
  if (surroundings_.live && waitsForWork(step)) watch_.emplace(step, surroundings_.workbench, now_);
  if (auto started = start(step); !started) handleStepError(step, started.error());
}

/// Refuses the step, unless the next one expects its error.
void StepMachine::handleStepError(const ScriptStep& step, Error error) {
  const bool expected = step_ + 1 < steps_.size() && steps_[step_ + 1].kind == StepKind::ExpectError;
  if (!expected) return refuse(step, std::move(error));
  spdlog::debug("{}:{}: {}", name_, step.line, error.message);
  pending_ = std::move(error);
  forget();
}

/// A live lesson continues after a refused line, but not after a failed wait for work.
void StepMachine::refuse(const ScriptStep& step, Error error) {
  if (!surroundings_.live || step.tried || waitsForWork(step)) return failStep(step, std::move(error));
  refused_.push_back(located(step, error.message));
  forget();
}

/// Whether these events may take effect. If not, the lesson step that they belong to is refused.
bool StepMachine::mayDeliver(const Events& events) {
  if (!ofLesson()) return true;
  for (const InputEvent& event : events)
    if (const auto allowed = surroundings_.workbench.allowedInLesson(event); !allowed) {
      // None of the events was delivered, so no button is down.
      buttonDown_ = false;
      pointer_.reset();
      handleStepError(steps_[step_], allowed.error());
      return false;
    }
  return true;
}

void StepMachine::skipWait() {
  error_.reset();
  waiting_ = nullptr;
  watch_.reset();
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
    // In a live lesson the pointer now rests; a script presses in the next frame.
    pointer_ = gesture.from;
    return {PointerMoved{gesture.from.x, gesture.from.y}};
  }
  const double rest = surroundings_.live && !fastForward_ ? kLiveRest : 0;
  const double duration = fastForward_ ? 0 : gesture.seconds;
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
    frame({PointerLeft{}});  // the pointer does not stay there
    frames(1);
    return {PointerMoved{to.x, to.y}};
  }
  const double t = eased(elapsed / duration, surroundings_.live);
  pointer_ = render::Point{gesture.from.x + t * (gesture.to.x - gesture.from.x),
                           gesture.from.y + t * (gesture.to.y - gesture.from.y)};
  return {PointerMoved{pointer_->x, pointer_->y}};
}

void StepMachine::fastForward() {
  fastForward_ = true;
  // Frames without events only let time pass.
  std::erase_if(batches_, [](const Events& events) { return events.empty(); });
}

std::vector<InputEvent> StepMachine::stop() {
  Events events;
  if (waiting_ && running() && (steps_[step_].kind == StepKind::Open || steps_[step_].kind == StepKind::Drop))
    surroundings_.workbench.cancelOpening();
  if (buttonDown_ && pointer_) events.emplace_back(PointerPressed{Button::Left, false, pointer_->x, pointer_->y, {}});
  buttonDown_ = false;
  forget();
  watch_.reset();
  steps_.clear();
  step_ = 0;
  active_ = false;
  pointer_.reset();
  return events;
}

double StepMachine::stepTimeLeft() const {
  if (!active_) return stepTimeout_;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  return std::max(0.0, stepTimeout_ - spent.count());
}

/// The time limit of a wait counts from the last training step of a run, because such a wait ends by itself.
void StepMachine::noteTraining() {
  const StepKind kind = steps_[step_].kind;
  if (kind != StepKind::WaitTrained && kind != StepKind::WaitRunEnded && kind != StepKind::WaitFor) return;
  std::int64_t trained = 0;
  for (const RunPointer& run : surroundings_.workbench.runs().all())
    trained += run->step();
  if (std::exchange(trained_, trained) != trained) began_ = std::chrono::steady_clock::now();
}

bool StepMachine::expired() const {
  return !surroundings_.live && stepTimeLeft() <= 0;
}

void StepMachine::failStep(const ScriptStep& step, Error error) {
  const std::string sentence = located(step, error.message);
  const bool dragged = gesture_.has_value();
  forget();
  if (!step.tried) {
    error_ = Error{error.kind, sentence};
    return;
  }
  spdlog::debug("{}", sentence);
  if (dragged && std::exchange(buttonDown_, false) && pointer_)
    frame({PointerPressed{Button::Left, false, pointer_->x, pointer_->y, {}}});
  watch_.reset();
  active_ = false;
  ++step_;
}

std::string StepMachine::located(const ScriptStep& step, const std::string& sentence) const {
  return fmt::format("{}:{}: {}: {}", name_, step.line, excerpt(step.source, kMostQuoted), sentence);
}

/// Discards everything that the current step still has to do.
void StepMachine::forget() {
  gesture_.reset();
  waiting_ = nullptr;
  scrolled_ = nullptr;
  batches_.clear();
  shot_.clear();
}

// Parameters that a step sets, either at once or gradually in the seconds that it names.

namespace {

constexpr const char* kGroup = "script animation";  ///< one undo step

std::optional<double> number(const Value& value) {
  const auto* const real = std::get_if<double>(&value);
  return real ? std::optional(*real) : std::nullopt;
}

/// Slow at both ends, t in [0, 1].
double smooth(double t) {
  return t * t * (3 - 2 * t);
}

}  // namespace

/// A number that changes gradually. At the end it gets the value as it is written in the step.
struct StepMachine::Travel {
  std::string key;
  double from = 0, to = 0;
  bool whole = false, logarithmic = false;
  std::string end;

  std::string at(double t) const {
    const double s = smooth(t);
    const double value = logarithmic ? from * std::pow(to / from, s) : from + s * (to - from);
    return toString(Value(whole ? std::round(value) : value));
  }
};

std::optional<StepMachine::Travel> StepMachine::travel(const std::string& key, const std::string& value) const {
  const auto declared = surroundings_.workbench.find(key);
  if (!declared || !declared->property) return std::nullopt;
  const Property& property = *declared->property;
  if (property.kind != Kind::Real && property.kind != Kind::Integer) return std::nullopt;
  const auto now = surroundings_.workbench.get(key);
  const auto from = now ? number(*now) : std::nullopt;
  const auto to = finiteNumber(value);
  if (!from || !to || !std::isfinite(*from)) return std::nullopt;
  const bool logarithmic = property.scale == Scale::Logarithmic && *from > 0 && *to > 0;
  return Travel{key, *from, *to, property.kind == Kind::Integer, logarithmic, value};
}

Result<void> StepMachine::set(const ScriptStep& step) {
  Workbench& workbench = surroundings_.workbench;
  std::vector<std::pair<std::string, std::string>> pairs{{step.text, step.value}};
  for (std::size_t i = 0; i + 1 < step.words.size(); i += 2)
    pairs.emplace_back(step.words[i], step.words[i + 1]);
  std::vector<Travel> travels;
  for (const auto& [key, value] : pairs) {
    auto moves = step.seconds > 0 && !fastForward_ ? travel(key, value) : std::nullopt;
    if (moves) {
      travels.push_back(*std::move(moves));
    } else {
      std::string held = value;
      if (isFileKey(key)) {
        SEPX_ASSIGN(held, inputPath(value));
      }
      SEPX_TRY(workbench.set(key, held));
    }
  }
  if (travels.empty()) return {};
  workbench.seal();
  waiting_ = [this, travels = std::move(travels), began = now_, seconds = step.seconds]() -> Result<bool> {
    const double t = fastForward_ ? 1 : (now_ - began) / seconds;
    const bool over = t + 1e-9 >= 1;
    for (const Travel& one : travels)
      SEPX_TRY(surroundings_.workbench.set(one.key, over ? one.end : one.at(t), kGroup));
    if (over) surroundings_.workbench.seal();
    return over;
  };
  return {};
}

}  // namespace sepx::ui
