// SPDX-License-Identifier: Apache-2.0
// Plays the open lesson to a person: entering a step runs its script lines in real time, a person's hand takes over at
// once, and the next step begins where the lesson left off. A step's state is remembered when it is entered and when
// its lines are done, so that going back or on always gives the lesson's own picture. All that the lesson itself
// changes in a step is one undo step; undoing it also takes the lesson back. Where the lines wait for work (a run that
// trains), Next waits too, and a wait that fails asks the person: the lesson never goes on with other numbers by
// itself. Frame thread only.
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
#include "ui/workbench/homework_desk.h"
#include "ui/workbench/step_machine.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

class LessonPlayer {
 public:
  /// `settled` does not count the lesson itself.
  LessonPlayer(Workbench& workbench, WindowState& window, std::function<bool()> settled);

  /// The files of the lessons by whose steps `name` would be opened now, `name` at the end; alone where a person or a
  /// script opens it. Usage naming them all where lessons open each other without end, or deeper than a person follows.
  Result<std::vector<std::string>> chainTo(const std::string& name) const;
  /// `chain`: of chainTo().
  void open(Lesson lesson, std::vector<std::string> chain = {});
  /// Shows a step of a lesson that another window plays: nothing runs here. Null: none is open there.
  void show(const std::shared_ptr<const Lesson>& lesson, std::size_t step,
            const std::vector<std::pair<std::size_t, std::size_t>>& answers);
  void close();
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  std::size_t step() const { return step_; }
  bool playing() const { return machine_ && machine_->running(); }
  /// Its lines act in this moment: what is opened now is opened by the lesson.
  bool acting() const { return acting_; }
  /// What happens in this frame is the lesson's doing, and not the person's: of a frame, after before().
  bool hasFrame() const { return playing() && !takenOver_; }
  /// The same, also where a ScriptRunner runs them.
  bool opens() const { return acting_ || runElsewhere_; }
  /// What its lines wait for, or waited for in vain; null: they wait for no work.
  const WaitWatch* waiting() const { return machine_ ? machine_->watch() : nullptr; }
  /// The wait has failed: nothing goes on before goOnAnyway(), tryAgain() or another step.
  bool failed() const { return failed_; }
  /// The next step begins by itself when this one's lines are done.
  bool goesOn() const { return goesOn_; }
  void goOnAnyway();
  void tryAgain();

  /// `run`: its lines run live.
  void enter(std::size_t step, bool run);
  bool hasNext() const;
  bool hasPrevious() const { return lesson_ && step_ > 0; }
  void next();
  void previous();
  /// From the first step, with no question answered.
  void restart();
  /// A person took over in this step: the lines are not where the lesson left them.
  bool mayContinue() const;
  /// Puts the document back to where the lesson left it and says so; lines that did not come to their end run again.
  void continueLesson();
  void addCommands(Commands& to);
  /// After undo or redo: shows the step that the document belongs to, without running its lines.
  void follow();
  /// A person changed something without the pointer (a native panel, a menu): the lines end. The lesson's own changes
  /// do not count.
  void interrupt();
  /// The pointer is on the lesson's text and buttons, where a press takes nothing from the lesson's hands.
  void setHovered(bool hovered) { hovered_ = hovered; }
  /// The person's own picture was put aside when this step began; undo brings it back.
  bool putAside() const { return putAside_; }
  /// The person has changed something since the lesson was opened: what the lesson itself does is not work of theirs.
  bool touched() const;
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
  /// All of them: question, and the choice that was made.
  std::vector<std::pair<std::size_t, std::size_t>> answers() const;
  /// Whether the state the question asks for holds now (or has been answered right).
  bool answered(std::size_t question) const;
  /// Runs the lines that lead to the answer.
  void showSolution(std::size_t question);

  const HomeworkDesk& homework() const { return homework_; }
  /// As HomeworkDesk::begin(); the lesson begins again with the values of the name.
  Result<void> beginHomework(const std::string& name);
  /// Why an answer given now would not count: the picture has another value than the name gives. Empty: it would.
  std::string stray() const;
  /// The answer to a question of the present step that asks for a number; of a homework only where it counts.
  void typeNumber(std::size_t question, double number);
  /// What was answered so far; paths as in the document.
  Answers homeworkAnswers() const { return homework_.answers(*lesson_, choices_); }

 private:
  /// Before the lesson is closed or begun again: false where that forgets answers of a homework of which the person
  /// knows nothing yet; a note says so, and the next time is meant.
  bool forgettingIsMeant();
  struct Remembered {
    std::optional<Document> entered, finished;
  };
  void play(const std::vector<ScriptStep>& lines, bool isStep);
  void stop(std::vector<InputEvent>& events);
  void fail();
  void sayRefused();
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
  std::shared_ptr<const Lesson> followed_;  ///< of show()
  std::vector<std::string> chain_;  ///< files of the lessons whose steps opened each other, this one's at the end
  std::size_t step_ = 0;
  std::vector<Remembered> remembered_;
  std::shared_ptr<StepMachine> machine_;  ///< shared with before(), in which a step may open another lesson
  bool playsStep_ = false;                // the machine runs the step's own lines, not a solution
  bool goesOn_ = false;                   // the rest of the lines runs in a hurry, then the next step begins
  bool failed_ = false;                   // the machine stands at a wait that failed
  std::vector<std::string> refused_;      // lines that were refused, to be said when the lesson rests
  bool hovered_ = false;
  bool takenOver_ = false;     // a key was pressed that may be the one of the next step
  bool replays_ = false;       // they run again only to reach the next step
  bool acting_ = false;        // the lesson's lines are changing the document now
  bool runElsewhere_ = false;  // a ScriptRunner runs the lines
  bool putAside_ = false;
  bool worked_ = false;                     // the person changed something in a step before
  Document left_;                           // where the lesson's lines were when they ended or a person took over
  std::optional<std::size_t> changesFrom_;  // undo steps there were before the lesson's present changes
  std::vector<InputEvent> releases_;        // of a gesture that was broken off between two frames
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> choices_;
  HomeworkDesk homework_;
  std::string askedAbout_;  ///< answers that the person has saved, or was told that they would be forgotten
};

}  // namespace sepx::ui
