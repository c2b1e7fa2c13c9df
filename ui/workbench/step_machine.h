// SPDX-License-Identifier: Apache-2.0
// Carries out script steps on a Workbench, frame by frame: pointer and key steps become neutral events, other steps
// call the workbench as a menu would. Two ways: Strict (scripts, headless lessons: every expectation counts, simulated
// time) and Live (a lesson that a person watches: no expectation, nothing is written). Frame thread only.
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

/// Bytes that a sentence quotes of a name and of a path of a script.
inline constexpr std::size_t kQuotedName = 100, kQuotedPath = 240;

/// What a script needs of its host beyond frames.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;
  virtual gpu::Extent extent() const = 0;  ///< of the viewport, pixels
  virtual float scale() const = 0;
  virtual Result<void> resize(gpu::Extent extent) = 0;
  virtual Result<void> setScale(float scale) = 0;
  /// The picture of the last frame.
  virtual Result<gpu::Pixels> capture() = 0;
  /// Its frames are simulated beyond the script too: nobody takes over at its end.
  virtual bool simulated() const { return false; }
};

/// What steps may ask of the surroundings. In a live lesson `host` is null: steps about the window are passed over.
struct StepSurroundings {
  Workbench& workbench;
  ScriptHost* host = nullptr;
  std::string outDir;             ///< empty: shot, export and save are refused
  std::function<bool()> settled;  ///< without the lesson that runs these steps
  bool live = false;
  bool ofLesson = false;  ///< somebody else's text: what it writes goes beside other files, never over them
};

class StepMachine {
 public:
  StepMachine(std::vector<ScriptStep> steps, std::string name, StepSurroundings surroundings);

  bool running() const { return !error_ && step_ < steps_.size(); }
  /// Runs what needs no frame and answers the events of the next frame. `now`: seconds, simulated or the host's.
  std::vector<InputEvent> before(double now);
  /// After that frame was drawn: takes the picture that a step asked for.
  void after();
  /// From now on drags take no time and nothing is waited for but work that the lines after it need: a person does not
  /// want to watch the rest.
  void hurry();
  bool gesturing() const { return gesture_.has_value(); }
  /// Ends a gesture that is under way (a button that is down goes up) and stops.
  std::vector<InputEvent> stop();

  /// Wall clock that a step may take, seconds (60 when not said), and what is left of it for the present one.
  void setPatience(double seconds) { patience_ = seconds; }
  double patienceLeft() const;

  /// Index of the step that runs.
  std::size_t position() const { return step_; }
  const std::optional<Error>& error() const { return error_; }
  /// Live: the wait for work that is under way, or that has failed (error()); null: nothing is waited for.
  const WaitWatch* watch() const { return watch_ ? &*watch_ : nullptr; }
  /// Goes on without what is waited for, also where the wait has failed.
  void skipWait();
  /// Live: why lines were refused since the last call. The lines after them have run all the same.
  std::vector<std::string> takeRefused() { return std::exchange(refused_, {}); }
  /// Where the script's pointer is while it acts, window pixels.
  std::optional<render::Point> pointer() const { return pointer_; }

 private:
  using Events = std::vector<InputEvent>;
  /// Asked every frame until it answers true or an error.
  using Condition = std::function<Result<bool>()>;

  /// A pointer that is on its way with the button down.
  struct Gesture {
    render::Point from, to;
    double seconds = 0;
    double began = -1;  ///< once the button is down
    int settling = 0;   ///< frames until the picture stands where the gesture begins
  };

  // step_machine.cpp: the order of things.
  void startStep();
  bool endStepIfDone();
  Events moveGesture();
  void missed(const ScriptStep& step, Error error);
  void refuse(const ScriptStep& step, Error error);
  void failStep(const ScriptStep& step, Error error);
  void forget();
  std::string located(const ScriptStep& step, const std::string& sentence) const;
  bool expired() const;
  void noteTraining();
  bool ofLesson() const { return around_.live || around_.ofLesson; }
  bool mayReach(const Events& events);
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
  bool namesFile(const std::string& key) const;
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
  StepSurroundings around_;
  std::size_t step_ = 0;
  bool active_ = false;         // steps_[step_] has begun
  std::deque<Events> batches_;  // events of the coming frames
  std::optional<Gesture> gesture_;
  Condition waiting_;
  std::optional<WaitWatch> watch_;        ///< live: of `waiting_`, where it is for work
  const ScriptStep* scrolled_ = nullptr;  ///< acts once its control has come into view
  std::set<std::string> written_;         // files of this run
  std::string shot_;                      // file for the picture of the frame being drawn
  std::optional<Error> pending_;          // of the last step: the next may expect it
  std::string controlKey_;                // of the last `ui:` step: its refusal counts as an error
  std::size_t messagesSeen_ = 0;
  std::optional<render::Point> pointer_;
  bool buttonDown_ = false;
  bool hurried_ = false;
  double now_ = 0;
  double patience_ = 60;
  std::chrono::steady_clock::time_point began_;
  std::int64_t trained_ = 0;  ///< steps of all runs, when they were looked at last
  std::optional<Error> error_;
  std::vector<std::string> refused_;
};

}  // namespace sepx::ui
