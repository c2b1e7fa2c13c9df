// SPDX-License-Identifier: Apache-2.0
// Keeps which step of the lesson is shown, runs its lines, and keeps the user's answers.
#include "ui/workbench/lesson_player.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/ranges.h>

#include "ui/properties/compare.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/script_value.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

/// A deliberate action of the user, as opposed to a mere movement of the pointer.
bool takesPointer(const InputEvent& event) {
  if (const auto* press = std::get_if<PointerPressed>(&event)) return press->down;
  return std::holds_alternative<Scrolled>(event);
}

bool takesOver(const InputEvent& event) {
  if (const auto* key = std::get_if<KeyPressed>(&event)) return key->down;
  return takesPointer(event);
}

}  // namespace

LessonPlayer::LessonPlayer(Workbench& workbench, WindowState& window, std::function<bool()> settled)
    : workbench_(workbench), window_(window), history_(window.history), settled_(std::move(settled)) {}

Result<std::vector<std::string>> LessonPlayer::chainTo(const std::string& name) const {
  constexpr std::size_t kMostNested = 4;
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(name, failed);
  std::vector<std::string> chain = opens() ? chain_ : std::vector<std::string>();
  const std::string file = failed ? name : whole.string();
  const bool again = std::find(chain.begin(), chain.end(), file) != chain.end();
  chain.push_back(file);
  if (!again && chain.size() <= kMostNested) return chain;
  std::vector<std::string> names;
  for (const std::string& one : chain)
    names.push_back(fs::path(one).filename().string());
  return sepx::fail(ErrorKind::Usage,
                    trFormat("lessons open each other: {}; a lesson may be opened from within at most {} others, and "
                             "never from within itself",
                             fmt::format("{}", fmt::join(names, " → ")), kMostNested - 1));
}

void LessonPlayer::open(Lesson lesson, std::vector<std::string> chain) {
  close();
  lesson_ = std::move(lesson);
  chain_ = std::move(chain);
  remembered_.assign(lesson_->steps.size(), {});
  homework_.open(*lesson_);
  addLanguageCharacters(wordsOf(*lesson_));
  refused_ = lesson_->messages;          // reported with the refused lines of the first step
  lessonDocument_ = history_.present();  // what was there before is not work on this lesson
  enter(0, true);
}

void LessonPlayer::show(const std::shared_ptr<const Lesson>& lesson, std::size_t step,
                        const std::vector<std::pair<std::size_t, std::size_t>>& answers) {
  if (followed_ != lesson) {
    close();
    followed_ = lesson;
    if (lesson) {
      lesson_ = *lesson;
      addLanguageCharacters(wordsOf(*lesson_));
      remembered_.assign(lesson_->steps.size(), {});
    }
  }
  if (!lesson_) return;
  step_ = std::min(step, lesson_->steps.size() - 1);
  for (std::size_t i = 0; i <= step_; ++i)
    remembered_[i].entered = history_.present();
  choices_.clear();
  for (const auto& [question, choice] : answers) {
    const auto& questions = lesson_->steps[step_].questions;
    if (question < questions.size() && choice < questions[question].choices.size()) choose(question, choice);
  }
}

/// All text of the lesson, in no particular order.
std::string LessonPlayer::wordsOf(const Lesson& lesson) {
  std::string words = lesson.title;
  const auto add = [&words](const std::vector<Block>& blocks) {
    for (const Block& block : blocks)
      for (const Span& span : block.spans)
        words += span.text;
  };
  add(lesson.introduction);
  for (const LessonStep& step : lesson.steps) {
    words += step.title;
    add(step.prose);
    add(step.notes);
    for (const Question& question : step.questions) {
      words += question.text + question.because;
      for (const Choice& choice : question.choices)
        words += choice.text;
    }
  }
  return words;
}

void LessonPlayer::close() {
  if (machine_) stop(releases_);
  followed_.reset();
  lesson_.reset();
  remembered_.clear();
  choices_.clear();
  homework_.close();
  chain_.clear();
  step_ = 0;
  replacedUserState_ = userChangedEarlier_ = runElsewhere_ = false;
}

bool LessonPlayer::touched() const {
  return lesson_ && (userChangedEarlier_ || (!changesFrom_ && !history_.matches(lessonDocument_)));
}

void LessonPlayer::addCommands(Commands& to) {
  const char* const kLesson = tr("Lesson");
  const bool isOpen = lesson_.has_value();
  const bool waits = failed_ || (playing() && waiting());
  to.add({"lesson.next", tr("Next step"), "N", kLesson, hasNext() && !failed_}, [this] { next(); });
  to.add({"lesson.previous", tr("Previous step"), "B", kLesson, hasPrevious()}, [this] { previous(); });
  to.add({"lesson.go-on", tr("Continue without what the lesson waits for"), "Shift+N", kLesson, waits},
         [this] { continueAnyway(); });
  to.add({"lesson.retry", tr("Try the step again"), "", kLesson, failed_}, [this] { tryAgain(); });
  to.add({"lesson.continue", tr("Continue the lesson"), "", kLesson, mayContinue()}, [this] { continueLesson(); });
  to.add({"lesson.restart", tr("Start the lesson again"), "", kLesson, isOpen}, [this] {
    if (confirmDiscardAnswers()) restart();
  });
  if (!window_.options.stage) {
    to.add({"lesson.save-answers", tr("Save the answers of the homework…"), "", kLesson, homework_.begun()}, [this] {
      warnedAnswers_ = answersText(homeworkAnswers());
      window_.request = HostRequest::SaveAnswers;
    });
  }
  to.add({"lesson.close", tr("Close the lesson"), "", kLesson, isOpen}, [this] {
    if (confirmDiscardAnswers()) close();
  });
}

bool LessonPlayer::confirmDiscardAnswers() {
  // A stage saves no answers.
  if (window_.options.scripted || window_.options.stage || !homework_.begun()) return true;
  const Answers answers = homeworkAnswers();
  std::string text = answersText(answers);
  if (answers.given.empty()) return true;
  if (text == std::exchange(warnedAnswers_, {})) return true;
  warnedAnswers_ = std::move(text);
  window_.note(tr("The answers of the homework are not saved and would be lost. Repeat the command to discard them."));
  return false;
}

void LessonPlayer::restore(const Document& remembered) {
  history_.seal();
  history_.commit(remembered, tr("lesson step"));
  history_.seal();
}

void LessonPlayer::beginChanges() {
  if (!changesFrom_) changesFrom_ = history_.undoSteps();
}

void LessonPlayer::endChanges() {
  if (!changesFrom_) return;
  history_.collapse(*changesFrom_, trFormat("lesson step {}", step_ + 1));
  // The user starts from the state that the first step produces on opening, so it cannot be undone.
  if (*changesFrom_ == 0 && step_ == 0) history_.forget();
  history_.setMark(static_cast<int>(step_));
  changesFrom_.reset();
  lessonDocument_ = history_.present();
}

void LessonPlayer::enter(std::size_t step, bool run) {
  if (!lesson_ || step >= lesson_->steps.size()) return;
  if (machine_) stop(releases_);
  userChangedEarlier_ = userChangedEarlier_ || (run && touched());
  runElsewhere_ = !run;
  if (step != step_) replacedUserState_ = false;
  if (run) beginChanges();
  step_ = step;
  if (!run) {
    remembered_[step].entered = workbench_.document();
    history_.setMark(static_cast<int>(step));
    return;
  }
  if (remembered_[step].entered) {
    restore(*remembered_[step].entered);
  } else {
    remembered_[step].entered = workbench_.document();
  }
  play(lesson_->steps[step].steps, true);
}

void LessonPlayer::play(const std::vector<ScriptStep>& lines, bool isStep) {
  beginChanges();
  playsStep_ = isStep;
  continuesToNext_ = replays_ = false;
  machine_ =
      std::make_shared<StepMachine>(lines, lesson_->name, StepSurroundings{workbench_, nullptr, {}, settled_, true});
  if (lines.empty() && isStep) remembered_[step_].finished = workbench_.document();
}

void LessonPlayer::stop(std::vector<InputEvent>& events) {
  std::ranges::move(machine_->takeRefused(), std::back_inserter(refused_));
  const auto released = machine_->stop();
  events.insert(events.end(), released.begin(), released.end());
  machine_.reset();
  continuesToNext_ = replays_ = failed_ = false;
  endChanges();
  reportRefused();
}

/// The machine stays at the wait; what its lines did so far becomes an undo step.
void LessonPlayer::fail() {
  failed_ = true;
  std::ranges::move(machine_->takeRefused(), std::back_inserter(refused_));
  endChanges();
  reportRefused();
  window_.error(machine_->error()->message);
}

/// Called once the lesson rests, because a message is dismissed when the document changes.
void LessonPlayer::reportRefused() {
  constexpr std::size_t kMostReported = 3;
  const std::vector<std::string> all = std::exchange(refused_, {});
  for (std::size_t i = 0; i < std::min(all.size(), kMostReported); ++i)
    window_.error(all[i]);
  if (all.size() > kMostReported)
    window_.error(trFormat("Further lines of the lesson were refused: {}.", all.size() - kMostReported));
}

void LessonPlayer::continueAnyway() {
  if (!machine_ || !waiting()) return;
  failed_ = takenOver_ = false;  // the key was the one of this command
  beginChanges();
  machine_->skipWait();
}

void LessonPlayer::tryAgain() {
  if (failed_) enter(step_, true);
}

bool LessonPlayer::hasNext() const {
  return lesson_ && step_ + 1 < lesson_->steps.size();
}
bool LessonPlayer::visited(std::size_t step) const {
  return step < remembered_.size() && remembered_[step].entered.has_value();
}

void LessonPlayer::next() {
  if (!hasNext() || continuesToNext_ || failed_) return;
  const Remembered& here = remembered_[step_];
  if (here.finished) {
    if (machine_) stop(releases_);
    // The next step begins from the finished state, without what the user has changed since.
    const bool aside = !changesFrom_ && !history_.matches(*here.finished);
    remembered_[step_ + 1].entered = here.finished;
    enter(step_ + 1, true);
    replacedUserState_ = replacedUserState_ || aside;
    return;
  }
  const bool replays = !playing() || !playsStep_;
  if (replays) {
    if (machine_) stop(releases_);
    replacedUserState_ = !history_.matches(lessonDocument_);
    userChangedEarlier_ = userChangedEarlier_ || replacedUserState_;
    beginChanges();
    restore(*here.entered);
    play(lesson_->steps[step_].steps, true);
  }
  machine_->fastForward();
  continuesToNext_ = true;
  replays_ = replays;
}

void LessonPlayer::previous() {
  if (hasPrevious()) enter(step_ - 1, true);
}

void LessonPlayer::restart() {
  if (!lesson_) return;
  choices_.clear();
  if (homework_.begun()) (void)homework_.begin(std::string(homework_.name()));  // the same name, nothing answered
  enter(0, true);
}

bool LessonPlayer::mayContinue() const {
  if (!lesson_ || followed_ || runElsewhere_ || playing() || failed_ || changesFrom_) return false;
  return !remembered_[step_].finished || !history_.matches(*remembered_[step_].finished);
}

void LessonPlayer::continueLesson() {
  if (!mayContinue()) return;
  userChangedEarlier_ = userChangedEarlier_ || touched();
  if (const auto& finished = remembered_[step_].finished) {
    beginChanges();
    restore(*finished);
    endChanges();
  } else {
    enter(step_, true);
  }
  replacedUserState_ = true;
  window_.note(tr("The lesson's picture is restored; undo brings yours back."));
}

Result<void> LessonPlayer::beginHomework(const std::string& name) {
  if (!lesson_) return sepx::fail(ErrorKind::Usage, tr("no lesson is open"));
  if (auto begun = homework_.begin(name); !begun) return begun;
  lesson_ = lessonFor(*std::move(lesson_), name);
  auto entered = std::move(remembered_.front().entered);
  remembered_.assign(lesson_->steps.size(), {});
  remembered_.front().entered = std::move(entered);
  restart();
  return {};
}

std::string LessonPlayer::answerMismatch() const {
  if (!homework_.begun()) return {};
  for (const auto& [key, value] : boundValues(*lesson_, step_)) {
    const auto now = workbench_.get(key);
    if (!now || !holds(*now, "~", value).value_or(false))
      return trFormat("Your name gives {} = {}. Continue the lesson, or set this value.", key, value);
  }
  return {};
}

void LessonPlayer::typeNumber(std::size_t question, double number) {
  if (answerMismatch().empty()) homework_.type({step_, question}, number, workbench_.document());
}

/// Records what holds now, once settled, as an answer, because the user may change the picture later.
void LessonPlayer::noteAnswers() {
  if (!homework_.begun() || playing() || !settled_() || !answerMismatch().empty()) return;
  const std::vector<Question>& questions = lesson_->steps[step_].questions;
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (questions[i].answer && answered(i)) homework_.note({step_, i}, workbench_.document());
}

void LessonPlayer::follow() {
  if (!lesson_ || playing()) return;
  const auto step = static_cast<std::size_t>(std::max(0, history_.mark()));
  if (step == step_ || step >= lesson_->steps.size()) return;
  if (machine_) stop(releases_);
  step_ = step;
  replacedUserState_ = false;
  // Undo and redo through the lesson's own steps do not count as changes by the user.
  if (remembered_[step].finished && history_.matches(*remembered_[step].finished)) lessonDocument_ = history_.present();
}

void LessonPlayer::interrupt() {
  if (!acting_ && playing() && (!continuesToNext_ || waiting())) stop(releases_);
}

void LessonPlayer::before(double seconds, std::vector<InputEvent>& events) {
  if (!releases_.empty()) {
    events.insert(events.begin(), releases_.begin(), releases_.end());
    releases_.clear();
  }
  if (!playing()) return;
  if ((!continuesToNext_ || waiting()) && std::any_of(events.begin(), events.end(), takesOver)) {
    // The key may be the one for the next step, which must find this step still running, because the work that it waits
    // for has begun.
    const bool pointer = std::any_of(events.begin(), events.end(), takesPointer);
    if (!machine_->gesturing() && pointer && hovered_) return;  // a button of the lesson itself
    if (!machine_->gesturing() && !pointer) {
      takenOver_ = true;
      return;
    }
    std::vector<InputEvent> released;
    stop(released);
    events.insert(events.begin(), released.begin(), released.end());
    return;
  }
  if (machine_->gesturing()) {
    // Movements of both the user and the lesson would make the pointer jump back and forth.
    std::erase_if(events, [](const InputEvent& event) { return std::holds_alternative<PointerMoved>(event); });
  }
  const std::shared_ptr<StepMachine> machine = machine_;
  acting_ = true;
  const auto lines = machine->before(seconds);
  acting_ = false;
  if (machine != machine_) return;  // a step opened another lesson
  events.insert(events.end(), lines.begin(), lines.end());
}

void LessonPlayer::after() {
  const bool takenOver = std::exchange(takenOver_, false);
  noteAnswers();
  if (!machine_ || failed_) return;
  if (takenOver && !continuesToNext_) return stop(releases_);
  if (machine_->running()) machine_->after();
  if (machine_->running()) return;
  if (machine_->error()) return fail();
  if (playsStep_) remembered_[step_].finished = workbench_.document();
  if (machine_->pointer()) releases_.emplace_back(PointerLeft{});  // the lesson's pointer does not stay in the picture
  const bool continuesToNext = continuesToNext_, replays = replays_;
  std::ranges::move(machine_->takeRefused(), std::back_inserter(refused_));
  machine_.reset();
  continuesToNext_ = replays_ = false;
  if (!replays) endChanges();
  if (!continuesToNext) return reportRefused();
  const bool aside = replays && replacedUserState_;
  next();
  replacedUserState_ = aside;
}

std::optional<render::Point> LessonPlayer::pointer() const {
  if (!playing() || continuesToNext_ || !machine_->gesturing()) return std::nullopt;
  return machine_->pointer();
}

void LessonPlayer::choose(std::size_t question, std::size_t choice) {
  choices_[{step_, question}] = choice;
}

std::optional<std::size_t> LessonPlayer::chosen(std::size_t question) const {
  const auto found = choices_.find({step_, question});
  if (found == choices_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::pair<std::size_t, std::size_t>> LessonPlayer::answers() const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (const auto& [place, choice] : choices_)
    if (place.first == step_) all.emplace_back(place.second, choice);
  return all;
}

bool LessonPlayer::answered(std::size_t question) const {
  const Question& asked = lesson_->steps[step_].questions[question];
  if (asked.number) {
    const auto typed = homework_.typed({step_, question});
    const auto value =
        asked.number->key.empty() ? Result<Value>(asked.number->value) : workbench_.get(asked.number->key);
    const auto* const right = value ? std::get_if<double>(&*value) : nullptr;
    return typed && right && isRight(*asked.number, *right, *typed);
  }
  if (!asked.answer) {
    const auto choice = chosen(question);
    return choice && asked.choices[*choice].correct;
  }
  const auto value = scriptValue(workbench_, asked.answer->text);
  return value && holds(*value, asked.answer->op, asked.answer->value, asked.answer->tolerance).value_or(false);
}

void LessonPlayer::showSolution(std::size_t question) {
  if (machine_) stop(releases_);
  play(lesson_->steps[step_].questions[question].solution, false);
}

}  // namespace sepx::ui
