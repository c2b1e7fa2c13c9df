// SPDX-License-Identifier: Apache-2.0
// Plays the open lesson to a person: entering a step runs its script lines in real time, a person's hand takes over at
// once, and the next step begins where the lesson left off. A step's state is remembered when it is entered and when
// its lines are done, so that going back or on always gives the lesson's own picture. Frame thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/document/lesson.h"
#include "ui/workbench/step_machine.h"

namespace sepx::ui {

class LessonPlayer {
 public:
  /// `restore` makes a remembered document the present one; `settled` does not count the lesson itself.
  LessonPlayer(Workbench& workbench, std::function<void(const Document&)> restore, std::function<bool()> settled);

  void open(Lesson lesson);
  void close();
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  std::size_t step() const { return step_; }
  bool playing() const { return machine_.has_value() && machine_->running(); }

  /// `run`: its lines run live.
  void enter(std::size_t step, bool run);
  bool hasNext() const;
  bool hasPrevious() const { return lesson_ && step_ > 0; }
  void next();
  void previous();
  /// Steps that were entered before, so that their state is known.
  bool visited(std::size_t step) const;

  /// Adds the lesson's events to the person's; a press, scroll or key of the person's ends the lines.
  void before(double seconds, std::vector<InputEvent>& events);
  void after();
  /// Where the lesson's own pointer is, window pixels.
  std::optional<render::Point> pointer() const;

  /// The person's answer to a question of the present step.
  void choose(std::size_t question, std::size_t choice);
  std::optional<std::size_t> chosen(std::size_t question) const;
  /// Whether the state the question asks for holds now (or has been answered right).
  bool answered(std::size_t question) const;
  /// Runs the lines that lead to the answer.
  void showSolution(std::size_t question);

 private:
  struct Remembered {
    std::optional<Document> entered, finished;
  };
  void play(const std::vector<ScriptStep>& lines, bool isStep);
  void stop(std::vector<InputEvent>& events);

  Workbench& workbench_;
  std::function<void(const Document&)> restore_;
  std::function<bool()> settled_;
  std::optional<Lesson> lesson_;
  std::size_t step_ = 0;
  std::vector<Remembered> remembered_;
  std::optional<StepMachine> machine_;
  bool playsStep_ = false;            // the machine runs the step's own lines, not a solution
  bool goesOn_ = false;               // the rest of the lines runs without waiting, then the next step begins
  std::vector<InputEvent> releases_;  // of a gesture that was broken off between two frames
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> choices_;
};

}  // namespace sepx::ui
