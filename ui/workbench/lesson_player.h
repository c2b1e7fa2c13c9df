// SPDX-License-Identifier: Apache-2.0
// Plays the open lesson. Entering a step runs its script lines in real time, input of the user takes over at once, and
// the next step begins where the lesson left off. The state of a step is remembered when it is entered and when its
// lines are done, so that going back or forward always restores the lesson's own picture. All changes by the lesson in
// one step are one undo step; undoing it also takes the lesson back. Where the lines wait for work (a training run),
// Next waits too. If a wait fails, the user decides: the lesson never goes on with other numbers by itself. Frame
// thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/document/lesson.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/homework_state.h"
#include "ui/workbench/step_machine.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

class LessonPlayer {
 public:
  /// `settled`: whether the window has settled, apart from the lesson itself.
  LessonPlayer(Workbench& workbench, WindowState& window, std::function<bool()> settled);

  /// The chain of lesson files whose steps would open `name` now, with `name` at the end; `name` alone where a user or
  /// a script opens it. Usage, naming all of them, where the chain is circular or nested too deeply.
  Result<std::vector<std::string>> chainTo(const std::string& name) const;
  /// `chain`: result of chainTo().
  void open(Lesson lesson, std::vector<std::string> chain = {});
  /// Shows a step of a lesson that another window plays; no lines run here. Null: no lesson is open there.
  void show(const std::shared_ptr<const Lesson>& lesson, std::size_t step,
            const std::vector<std::pair<std::size_t, std::size_t>>& answers);
  void close();
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  std::size_t step() const { return step_; }
  bool playing() const { return machine_ && machine_->running(); }
  /// Its lines are running at this moment, so that a file opened now is opened by the lesson.
  bool acting() const { return acting_; }
  /// Whether the lesson causes the events of this frame, and not the user. Valid after before().
  bool hasFrame() const { return playing() && !takenOver_; }
  /// Like acting(), but also true while a ScriptRunner runs the lines.
  bool opens() const { return acting_ || runElsewhere_; }
  /// What its lines wait for, also if that wait has failed; null: they wait for no work.
  const WaitWatch* waiting() const { return machine_ ? machine_->watch() : nullptr; }
  /// The wait has failed: the lesson stops until continueAnyway(), tryAgain() or another step.
  bool failed() const { return failed_; }
  /// The next step begins by itself when this one's lines are done.
  bool continuesToNext() const { return continuesToNext_; }
  void continueAnyway();
  void tryAgain();

  /// `run`: its lines run live.
  void enter(std::size_t step, bool run);
  bool hasNext() const;
  bool hasPrevious() const { return lesson_ && step_ > 0; }
  void next();
  void previous();
  /// Restarts at the first step, with no question answered.
  void restart();
  /// The user took over in this step: the document is not as the lesson left it.
  bool mayContinue() const;
  /// Restores the document as the lesson left it and says so in a note; lines that did not finish run again.
  void continueLesson();
  void addCommands(Commands& to);
  /// After undo or redo: shows the step that the document belongs to, without running its lines.
  void follow();
  /// For a change by the user without the pointer (a native panel, a menu): ends the lines. Changes by the lesson
  /// itself are ignored.
  void interrupt();
  /// Whether the pointer is on the lesson's text and buttons, where a press does not end the lines.
  void setHovered(bool hovered) { hovered_ = hovered; }
  /// The user's own picture was replaced when this step began; undo restores it.
  bool replacedUserState() const { return replacedUserState_; }
  /// The user has changed something since the lesson was opened. Changes by the lesson itself do not count.
  bool touched() const;
  /// Whether the step was entered before, so that its state is known.
  bool visited(std::size_t step) const;

  /// Adds the lesson's events to those of the user; a press, scroll or key of the user ends the lines.
  void before(double seconds, std::vector<InputEvent>& events);
  void after();
  /// Where the lesson's own pointer is, window pixels.
  std::optional<render::Point> pointer() const;

  /// Sets the user's answer to a question of the current step.
  void choose(std::size_t question, std::size_t choice);
  std::optional<std::size_t> chosen(std::size_t question) const;
  /// All answers of the current step: question, and the choice that was made.
  std::vector<std::pair<std::size_t, std::size_t>> answers() const;
  /// Whether the question is answered correctly: the typed number, the choice, or the state that it asks for, as it is
  /// now.
  bool answered(std::size_t question) const;
  /// Runs the lines that lead to the answer.
  void showSolution(std::size_t question);

  const HomeworkState& homework() const { return homework_; }
  /// Like HomeworkState::begin(); the lesson restarts with the values that belong to the name.
  Result<void> beginHomework(const std::string& name);
  /// Why an answer given now would not count: the document has another value than the one that belongs to the name.
  /// Empty: it would count.
  std::string answerMismatch() const;
  /// Sets the answer to a question of the current step that asks for a number; in a homework only where
  /// answerMismatch() is empty.
  void typeNumber(std::size_t question, double number);
  /// The answers so far; paths as in the document.
  Answers homeworkAnswers() const { return homework_.answers(*lesson_, choices_); }

 private:
  /// To call before the lesson is closed or restarted. If that would discard unsaved answers of a homework, the first
  /// call shows a note and returns false; the next call with the same answers returns true.
  bool confirmDiscardAnswers();
  struct Remembered {
    std::optional<Document> entered, finished;
  };
  void play(const std::vector<ScriptStep>& lines, bool isStep);
  void stop(std::vector<InputEvent>& events);
  void fail();
  void reportRefused();
  void restore(const Document& remembered);
  void beginChanges();
  void endChanges();
  void noteAnswers();
  static std::string wordsOf(const Lesson& lesson);

  Workbench& workbench_;
  WindowState& window_;
  History& history_;
  std::function<bool()> settled_;
  std::optional<Lesson> lesson_;
  std::shared_ptr<const Lesson> followed_;  ///< set by show()
  std::vector<std::string> chain_;  ///< files of the lessons whose steps opened each other, this one's at the end
  std::size_t step_ = 0;
  std::vector<Remembered> remembered_;
  std::shared_ptr<StepMachine> machine_;  ///< before() shares it, because a step may open another lesson
  bool playsStep_ = false;                // the machine runs the step's own lines, not a solution
  bool continuesToNext_ = false;          // the rest of the lines runs at full speed, then the next step begins
  bool failed_ = false;                   // the machine is at a wait that failed
  std::vector<std::string> refused_;      // refused lines, to be reported when the lesson rests
  bool hovered_ = false;
  bool takenOver_ = false;     // a key was pressed that may be the one for the next step
  bool replays_ = false;       // the lines run again only to reach the next step
  bool acting_ = false;        // the lesson's lines are changing the document now
  bool runElsewhere_ = false;  // a ScriptRunner runs the lines
  bool replacedUserState_ = false;
  bool userChangedEarlier_ = false;         // the user changed something in an earlier step
  Document lessonDocument_;                 // the document when the lesson's lines ended or the user took over
  std::optional<std::size_t> changesFrom_;  // number of undo steps before the lesson's current changes
  std::vector<InputEvent> releases_;        // of a gesture that was interrupted between two frames
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> choices_;
  HomeworkState homework_;
  std::string warnedAnswers_;  ///< answers that the user saved, or whose loss was announced
};

}  // namespace sepx::ui
