// SPDX-License-Identifier: Apache-2.0
// Runs script steps on a Workbench, frame by frame. Pointer and key steps become neutral events; other steps call the
// workbench as a menu would. There are two modes: strict (scripts and headless lessons: every expectation is checked,
// in simulated time) and live (a lesson that a user watches: no expectation is checked, nothing is written). Frame
// thread only.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "ui/document/script.h"
#include "ui/workbench/wait_watch.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

/// Bytes that a message quotes of a name and of a path in a script.
inline constexpr std::size_t kQuotedName = 100, kQuotedPath = 240;

/// What a script needs from its host in addition to frames.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;
  virtual gpu::Extent extent() const = 0;  ///< of the viewport, pixels
  virtual float scale() const = 0;
  virtual Result<void> resize(gpu::Extent extent) = 0;
  virtual Result<void> setScale(float scale) = 0;
  /// The picture of the last frame.
  virtual Result<gpu::Pixels> capture() = 0;
  /// Whether its frames stay simulated after the script, because no user takes over.
  virtual bool simulated() const { return false; }
};

/// The surroundings that steps act on. In a live lesson `host` is null, and steps about the window are skipped.
struct StepSurroundings {
  Workbench& workbench;
  ScriptHost* host = nullptr;
  std::string outDir;             ///< empty: shot, export and save are refused
  std::function<bool()> settled;  ///< apart from the lesson that runs these steps
  bool live = false;
  bool ofLesson = false;  ///< the steps come from a lesson: they never overwrite files of others
};

class StepMachine {
 public:
  StepMachine(std::vector<ScriptStep> steps, std::string name, StepSurroundings surroundings);

  bool running() const { return !error_ && step_ < steps_.size(); }
  /// Runs what needs no frame, and returns the events of the next frame. `now`: seconds, in simulated or host time.
  std::vector<InputEvent> before(double now);
  /// To call after that frame was drawn: captures the picture that a step requested.
  void after();
  /// From now on drags take no time, and only work that later lines need is waited for, because the user does not want
  /// to watch the rest.
  void fastForward();
  bool gesturing() const { return gesture_.has_value(); }
  /// Ends the current gesture and stops. Returns the event that releases a pressed button.
  std::vector<InputEvent> stop();

  /// Wall-clock time that a step may take, seconds (60 by default), and what is left of it for the current step.
  void setStepTimeout(double seconds) { stepTimeout_ = seconds; }
  double stepTimeLeft() const;

  /// Index of the step that runs.
  std::size_t position() const { return step_; }
  const std::optional<Error>& error() const { return error_; }
  /// Live: the current wait for work, or the one that has failed (error()); null: there is none.
  const WaitWatch* watch() const { return watch_ ? &*watch_ : nullptr; }
  /// Continues without what is waited for, also if the wait has failed.
  void skipWait();
  /// Live: why lines were refused since the last call. Later lines were run all the same.
  std::vector<std::string> takeRefused() { return std::exchange(refused_, {}); }
  /// Where the script's pointer is while it acts, window pixels.
  std::optional<render::Point> pointer() const { return pointer_; }

 private:
  using Events = std::vector<InputEvent>;
  /// Called every frame until it returns true or an error.
  using Condition = std::function<Result<bool>()>;

  /// A drag: a pointer that moves with the button down.
  struct Gesture {
    render::Point from, to;
    double seconds = 0;
    double began = -1;  ///< start time of its current phase (rest, movement); -1: not begun
    int settling = 0;   ///< frames until the picture has its place
  };

  // step_machine.cpp: the order of the steps.
  void startStep();
  bool endStepIfDone();
  Events moveGesture();
  void handleStepError(const ScriptStep& step, Error error);
  void refuse(const ScriptStep& step, Error error);
  void failStep(const ScriptStep& step, Error error);
  void forget();
  std::string located(const ScriptStep& step, const std::string& sentence) const;
  bool expired() const;
  void noteTraining();
  bool ofLesson() const { return surroundings_.live || surroundings_.ofLesson; }
  bool mayDeliver(const Events& events);
  void frame(Events events = {}) { batches_.push_back(std::move(events)); }
  void frames(std::size_t count) { batches_.insert(batches_.end(), count, Events{}); }

  // step_actions.cpp: what each step does.
  Result<void> start(const ScriptStep& step);
  Result<void> startPointer(const ScriptStep& step);
  Result<void> startWindow(const ScriptStep& step);
  Result<void> change(const ScriptStep& step);
  Result<void> wait(const ScriptStep& step);
  Result<void> waitForRuns(const ScriptStep& step);
  Result<void> failedRun() const;
  Result<void> expect(const ScriptStep& step) const;
  Result<void> expectError(const ScriptStep& step);
  Result<void> write(const ScriptStep& step);
  Result<void> open(const std::string& path);
  Result<void> addPoint(const ScriptStep& step);
  Result<void> setPlaying(bool playing);
  Result<std::string> outputPath(const ScriptStep& step);
  bool isFileKey(const std::string& key) const;
  Result<std::string> inputPath(const std::string& path) const;

  // Parameters that are set.
  struct Travel;
  Result<void> set(const ScriptStep& step);
  std::optional<Travel> travel(const std::string& key, const std::string& value) const;

  // step_input.cpp: pointer, keys and controls as events.
  Result<void> typeText(const std::string& text);
  Result<void> pressChord(const std::string& text);
  Result<void> useControl(const ScriptStep& step);
  Result<void> actOn(const ScriptStep& step);
  Result<void> setControl(const ScriptStep& step);
  Result<void> chooseEntry(const std::string& key, const std::string& choice);
  Result<render::Point> pixels(const ScriptStep& step, const ScriptPoint& point) const;
  Result<render::Point> control(const std::string& key) const;
  void click(render::Point at);
  void press(Key which, Modifiers modifiers, const std::string& text = {});

  std::vector<ScriptStep> steps_;
  std::string name_;
  StepSurroundings surroundings_;
  std::size_t step_ = 0;
  bool active_ = false;         // steps_[step_] has begun
  std::deque<Events> batches_;  // events of the coming frames
  std::optional<Gesture> gesture_;
  Condition waiting_;
  std::optional<WaitWatch> watch_;        ///< live: of `waiting_`, if it is a wait for work
  const ScriptStep* scrolled_ = nullptr;  ///< step that acts once its control has come into view
  std::set<std::string> written_;         // files that this run has written
  std::string shot_;                      // file for the picture of the frame being drawn
  std::optional<Error> pending_;          // error of the last step, which the next may expect
  std::string controlKey_;                // control of the last `ui:` step, whose refusal counts as an error
  std::size_t messagesSeen_ = 0;
  std::optional<render::Point> pointer_;
  bool buttonDown_ = false;
  bool fastForward_ = false;
  double now_ = 0;
  double stepTimeout_ = 60;
  std::chrono::steady_clock::time_point began_;
  std::int64_t trained_ = 0;  ///< steps of all runs at the last noteTraining()
  std::optional<Error> error_;
  std::vector<std::string> refused_;
};

}  // namespace sepx::ui
