// SPDX-License-Identifier: Apache-2.0
// One host without a window solves or grades everything: opening a state is cheap, creating a device is not.
#include "app/homework.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>

#include "app/data_files.h"
#include "app/headless.h"
#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/remove_folder.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "ui/document/lesson_file.h"
#include "ui/document/session.h"
#include "ui/properties/compare.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/lesson_files.h"
#include "ui/workbench/script_value.h"
#include "ui/workbench/state_share.h"

namespace sepx::app {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostStudents = 2000;
constexpr double kStatePatience = 30;  // seconds of simulated time for a student's state

Result<ui::Lesson> homework(const std::string& path) {
  SEPX_ASSIGN(ui::Lesson lesson, ui::readLessonFile(path));
  SEPX_TRY(ui::checkWhole(lesson));
  if (ui::variations(lesson).empty())
    return fail(ErrorKind::BadInput, ui::trFormat("{}: nothing in this lesson varies (vary KEY LOW..HIGH), so it is "
                                                  "not homework",
                                                  path));
  return lesson;
}

std::string folderOf(const ui::Lesson& lesson) {
  return fs::path(lesson.name).parent_path().string();
}

/// The document as it is stored in a file of answers: its paths are relative to the lesson's folder or name files that
/// ship with the program.
ui::Document shareable(const ui::Workbench& workbench, const std::string& folder) {
  const ui::PropertyRegistry& registry = workbench.properties();
  return ui::withSharedPaths(ui::withRelativePaths(workbench.document(), registry, folder), registry, assetsFolder());
}

/// A temporary folder of this run for the state that is opened.
class StateFile {
 public:
  StateFile() {
    std::error_code failed;
    std::string pattern = (fs::temp_directory_path(failed) / "separatrix-answers-XXXXXX").string();
    if (!failed && ::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
  }
  ~StateFile() {
    if (!folder_.empty()) removeFolder(folder_);
  }
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;
  std::string path() const { return folder_ + "/state.sepx"; }

 private:
  std::string folder_;
};

/// The value of a numeric read-out; CheckFailed when it is not a number.
Result<double> numberOf(const ui::Workbench& workbench, const std::string& key) {
  SEPX_ASSIGN(const ui::Value value, workbench.get(key));
  const auto* const found = std::get_if<double>(&value);
  if (!found) return fail(ErrorKind::CheckFailed, ui::trFormat("{} is not a number", key));
  return *found;
}

/// Plays a homework in an empty document with the values of a name, including the solutions of its questions. After the
/// solution of each question, `take(place, question)` returns whether to continue.
template <class Take>
Result<void> playThrough(Headless& host, const ui::Lesson& lesson, const std::string& outDir, Take take) {
  const auto play = [&](std::vector<ui::ScriptStep> steps) {
    ui::ScriptRunner runner(ui::Script{lesson.name, std::move(steps)}, host.workbench(), host, outDir, true);
    return host.play(runner);
  };
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    SEPX_TRY(play(lesson.steps[i].steps));
    for (std::size_t j = 0; j < lesson.steps[i].questions.size(); ++j) {
      const ui::Question& question = lesson.steps[i].questions[j];
      if (question.choices.empty()) {
        std::vector<ui::ScriptStep> steps = question.solution;
        if (question.answer) steps.push_back(*question.answer);
        SEPX_TRY(play(std::move(steps)));
        SEPX_TRY(host.settle());
      }
      SEPX_ASSIGN(const bool goesOn, take(ui::QuestionPlace{i, j}, question));
      if (!goesOn) return {};
    }
  }
  return {};
}

class Grading {
 public:
  Grading(Headless& host, const ui::Lesson& lesson, std::chrono::seconds limit)
      : host_(host), lesson_(lesson), limit_(limit) {
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
      for (std::size_t j = 0; j < lesson.steps[i].questions.size(); ++j)
        if (const auto& asked = lesson.steps[i].questions[j].number; asked && !asked->key.empty()) last_ = {{i, j}};
  }

  std::vector<std::string> questions() const {
    std::vector<std::string> all;
    for (const ui::LessonStep& step : lesson_.steps)
      for (const ui::Question& question : step.questions)
        all.push_back(question.text);
    return all;
  }

  GradedStudent student(const fs::path& file) {
    GradedStudent graded;
    graded.file = file.filename().string();
    const auto text = readFile(file.string(), ui::kLargestAnswers);
    const auto answers = text ? ui::parseAnswers(*text) : tl::unexpected(text.error());
    if (!answers) {
      graded.refusal = answers.error().message;
      return graded;
    }
    graded.name = answers->name;
    graded.refusal = ui::answersMismatch(*answers, lesson_);
    if (!graded.refusal.empty()) return graded;
    const ui::Lesson own = ui::lessonFor(lesson_, answers->name);
    for (std::size_t step = 0; step < own.steps.size(); ++step)
      for (std::size_t i = 0; i < own.steps[step].questions.size(); ++i) {
        const auto found = answers->given.find({step, i});
        graded.answers.push_back(found == answers->given.end() ? GradedAnswer()
                                                               : answer(own, {step, i}, found->second));
      }
    return graded;
  }

 private:
  GradedAnswer answer(const ui::Lesson& own, ui::QuestionPlace place, const ui::Answer& given) {
    const ui::Question& question = own.steps[place.step].questions[place.question];
    if (!question.choices.empty()) return choice(question, given);
    if (question.number && !given.number) return {};
    if (!question.answer && question.number->key.empty())
      return plainNumber(*question.number, *given.number, numberGiven(question, given));
    const auto state = stateToOpen(given);
    if (!state) return {Grade::Forged, numberGiven(question, given), state.error().message};
    const ui::Document inLessons = ui::withoutBeyondLessons(*state, host_.workbench().properties());
    GradedAnswer graded = computed(own, place, given, inLessons);
    if (question.answer && graded.grade == Grade::Forged && inLessons != *state)
      graded = computed(own, place, given, *state);
    return graded;
  }

  /// The number as text; empty when the question asks for no number.
  static std::string numberGiven(const ui::Question& question, const ui::Answer& given) {
    return question.number && given.number ? fmt::format("{:.6g}", *given.number) : std::string();
  }

  /// Grades an answer in a state.
  GradedAnswer computed(const ui::Lesson& own, ui::QuestionPlace place, const ui::Answer& given,
                        const ui::Document& state) {
    const ui::Question& question = own.steps[place.step].questions[place.question];
    std::string words = numberGiven(question, given);
    if (const auto opened = open(state); !opened) return {Grade::NotComputed, std::move(words), opened.error().message};
    if (const auto fits = hasValues(own, place.step); !fits)
      return {Grade::Forged, std::move(words), fits.error().message};
    return question.answer ? statement(*question.answer) : number(own, place, *given.number, std::move(words));
  }

  static GradedAnswer choice(const ui::Question& question, const ui::Answer& given) {
    if (!given.choice) return {};
    if (*given.choice >= question.choices.size()) return {Grade::Forged, {}, ui::tr("the question has no such choice")};
    const ui::Choice& chosen = question.choices[*given.choice];
    return {chosen.correct ? Grade::Right : Grade::Wrong, chosen.text, {}, true};
  }

  /// The state of an answer, with the paths of this machine.
  Result<ui::Document> stateToOpen(const ui::Answer& given) const {
    if (!given.state) return fail(ErrorKind::CheckFailed, ui::tr("the recipe has no state"));
    const ui::PropertyRegistry& registry = host_.workbench().properties();
    const std::string folder = folderOf(lesson_), assets = assetsFolder();
    ui::Document document = ui::withAbsolutePaths(ui::withOwnPaths(*given.state, registry, assets), registry, folder);
    if (const std::string file = ui::fileOutside(document, registry, {folder, assets}); !file.empty()) {
      return fail(ErrorKind::BadInput,
                  ui::trFormat("the state opens {}, which is not a file of the lesson", excerpt(file, 200)));
    }
    return document;
  }

  /// Opens the state in a new workbench: with values left from another state, a statement could hold about something
  /// that this state does not show.
  Result<void> open(const ui::Document& document) {
    host_.resetWorkbench();
    SEPX_TRY(writeFile(file_.path(), ui::sessionText(document)));
    if (const auto opened = host_.workbench().open(file_.path()); !opened)
      return fail(ErrorKind::BadInput, ui::trFormat("the state cannot be opened: {}", opened.error().message));
    const auto end = Clock::now() + limit_;
    return host_.settle(kStatePatience, [this, end]() -> Result<void> {
      if (Clock::now() < end) return {};
      return fail(ErrorKind::CheckFailed, ui::trFormat("the state was not computed within {} seconds", limit_.count()));
    });
  }

  /// Checks that the open state has the values that the name gives.
  Result<void> hasValues(const ui::Lesson& own, std::size_t step) const {
    for (const auto& [key, value] : ui::boundValues(own, step)) {
      const auto now = host_.workbench().get(key);
      if (!now || !ui::holds(*now, "~", value).value_or(false))
        return fail(ErrorKind::CheckFailed,
                    ui::trFormat("the name gives {} = {}, but the state does not have this value", key, value));
    }
    return {};
  }

  GradedAnswer statement(const ui::ScriptStep& asked) {
    const auto value = ui::scriptValue(host_.workbench(), asked.text);
    const bool held = value && ui::holds(*value, asked.op, asked.value, asked.tolerance).value_or(false);
    if (held) return {Grade::Right, {}, {}};
    return {Grade::Forged,
            {},
            ui::trFormat("the recipe does not give the answer: {} is {}", asked.text,
                         value ? ui::toString(*value) : ui::tr("nothing"))};
  }

  static GradedAnswer plainNumber(const ui::NumberAnswer& asked, double given, std::string words) {
    return {ui::isRight(asked, asked.value, given) ? Grade::Right : Grade::Wrong, std::move(words), {}};
  }

  /// Grades a number. The state of the student is open.
  GradedAnswer number(const ui::Lesson& own, ui::QuestionPlace place, double given, std::string words) {
    const ui::NumberAnswer& asked = *own.steps[place.step].questions[place.question].number;
    const auto theirs = numberOf(host_.workbench(), asked.key);
    const auto right = rightNumber(own, place);
    if (!right) return {Grade::NotComputed, std::move(words), right.error().message};
    if (ui::isRight(asked, *right, given)) return {Grade::Right, std::move(words), {}};
    std::string why;
    if (theirs && ui::isRight(asked, *theirs, given))
      why = ui::trFormat("the number is correct in the saved state, but the lesson's own lines give {} = {:.6g}",
                         asked.key, *right);
    return {Grade::Wrong, std::move(words), std::move(why)};
  }

  /// The number that the lesson's own lines give with the values of `own`; the lesson is played once for all questions.
  Result<double> rightNumber(const ui::Lesson& own, ui::QuestionPlace place) {
    std::string values;
    for (const auto& step : own.steps)
      for (const ui::ScriptStep& line : step.steps)
        if (line.kind == ui::StepKind::Vary) values += line.text + '=' + line.value + '\n';
    if (values != playedValues_ || !played_) {
      playedValues_ = std::move(values);
      played_ = play(own);
    }
    SEPX_ASSIGN(const auto& all, *played_);
    return all.at(place);
  }

  Result<std::map<ui::QuestionPlace, double>> play(const ui::Lesson& own) {
    std::map<ui::QuestionPlace, double> numbers;
    host_.resetWorkbench();
    const auto done =
        playThrough(host_, own, {}, [&](ui::QuestionPlace place, const ui::Question& question) -> Result<bool> {
          if (question.number && !question.number->key.empty()) {
            SEPX_ASSIGN(numbers[place], numberOf(host_.workbench(), question.number->key));
          }
          return place < *last_;
        });
    if (!done)
      return fail(ErrorKind::CheckFailed,
                  ui::trFormat("the lesson failed with the values of this name: {}", done.error().message));
    return numbers;
  }

  using Clock = std::chrono::steady_clock;

  Headless& host_;
  const ui::Lesson& lesson_;
  const std::chrono::seconds limit_;
  std::optional<ui::QuestionPlace> last_;  ///< the last question `number KEY`
  std::string playedValues_;               ///< the values of the name for which played_ was computed
  std::optional<Result<std::map<ui::QuestionPlace, double>>> played_;
  StateFile file_;
};

/// The only lesson in a folder of answers.
Result<std::string> lessonIn(const std::string& folder) {
  SEPX_ASSIGN(std::vector<std::string> found, listPaths(folder));
  std::erase_if(found, [](const std::string& path) {
    const std::string ending = fs::path(path).extension().string();
    return ending != ".md" && ending != ui::kLessonEnding;
  });
  if (found.size() == 1) return found.front();
  return fail(ErrorKind::BadInput,
              found.empty()
                  ? ui::trFormat("{}: there is no lesson in this folder; name the homework with --lesson", folder)
                  : ui::trFormat("{}: there are {} lessons in this folder; name the homework with --lesson", folder,
                                 found.size()));
}

Result<std::vector<fs::path>> answersIn(const std::string& folder) {
  std::vector<fs::path> found;
  SEPX_ASSIGN(const std::vector<std::string> paths, listPaths(folder));
  std::ranges::copy_if(paths, std::back_inserter(found),
                       [](const fs::path& path) { return path.extension() == ".json"; });
  if (found.empty() || found.size() > kMostStudents)
    return fail(ErrorKind::BadInput, ui::trFormat("{}: there are {} files of answers (*.json) in this folder; 1 to {} "
                                                  "can be graded",
                                                  folder, found.size(), kMostStudents));
  return found;
}

/// If several files have the same name, only the first by file name is graded. The others are refused with the name of
/// that file, so that the lecturer can choose. Files that were already refused are not counted.
void refuseSeconds(std::vector<GradedStudent>& students) {
  std::map<std::string, std::string> first;  // name -> file
  for (GradedStudent& student : students) {
    if (!student.refusal.empty()) continue;
    const auto [at, isFirst] = first.try_emplace(ui::plainName(student.name), student.file);
    if (!isFirst)
      student.refusal = ui::trFormat("{} has the same name and is graded instead", excerpt(at->second, 200));
  }
}

}  // namespace

const char* toString(Grade grade) {
  constexpr const char* kWords[] = {"right", "wrong", "missing", "forged", "not computed"};
  return kWords[static_cast<std::size_t>(grade)];
}

std::size_t GradedStudent::right() const {
  if (!refusal.empty()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(answers, [](const GradedAnswer& one) { return one.grade == Grade::Right; }));
}

Result<ui::Answers> solveHomework(const Options& options, const std::string& path, const std::string& name) {
  SEPX_ASSIGN(const ui::Lesson any, homework(path));
  if (ui::plainName(name).empty() || name.size() > ui::kLongestName)
    return fail(ErrorKind::Usage, ui::trFormat("a name must have 1 to {} bytes", ui::kLongestName));
  const ui::Lesson lesson = ui::lessonFor(any, name);
  SEPX_ASSIGN(const auto host, Headless::create(options));
  const ui::Workbench& workbench = host->workbench();
  ui::Answers answers{name, lesson.title, ui::seedOf(name), ui::fingerprint(lesson), ui::variedValues(lesson, name),
                      {}};
  const auto take = [&](ui::QuestionPlace place, const ui::Question& question) -> Result<bool> {
    ui::Answer& answer = answers.given[place];
    for (std::size_t choice = question.choices.size(); choice-- > 0;)
      if (question.choices[choice].correct) answer.choice = choice;
    if (!question.choices.empty()) return true;
    if (question.number) {
      answer.number = question.number->value;
      if (!question.number->key.empty()) {
        SEPX_ASSIGN(answer.number, numberOf(workbench, question.number->key));
      }
    }
    answer.state = shareable(workbench, folderOf(lesson));
    return true;
  };
  SEPX_TRY(playThrough(*host, lesson, options.outDir, take));
  return answers;
}

Result<GradedClass> gradeClass(const Options& options, const std::string& folder, const std::string& lesson,
                               const std::function<void(std::size_t, std::size_t)>& progress,
                               std::chrono::seconds limit) {
  std::string path = lesson;
  if (path.empty()) {
    SEPX_ASSIGN(path, lessonIn(folder));
  }
  SEPX_ASSIGN(const ui::Lesson asked, homework(path));
  SEPX_ASSIGN(const std::vector<fs::path> files, answersIn(folder));
  SEPX_ASSIGN(const auto host, Headless::create(options));
  Grading grading(*host, asked, limit);
  GradedClass graded{asked.title, grading.questions(), {}};
  for (const fs::path& file : files) {
    if (progress) progress(graded.students.size(), files.size());
    graded.students.push_back(grading.student(file));
  }
  if (progress) progress(files.size(), files.size());
  refuseSeconds(graded.students);
  std::ranges::stable_sort(graded.students, {}, &GradedStudent::name);
  return graded;
}

bool isClass(const std::string& folder) {
  constexpr int kMostLooked = 20;
  int looked = 0;
  for (const std::string& path : folderPaths(folder)) {
    if (fs::path(path).extension() != ".json") continue;
    if (++looked > kMostLooked) return false;
    const auto text = readFile(path, ui::kLargestAnswers);
    if (text && ui::isAnswers(*text)) return true;
  }
  return false;
}

}  // namespace sepx::app
