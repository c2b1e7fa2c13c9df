// SPDX-License-Identifier: Apache-2.0
// sepx grade: grades a folder of homework answers; every recipe is computed again.
#include <algorithm>
#include <functional>
#include <map>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/homework.h"
#include "app/options.h"
#include "engine/core/file.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

constexpr std::size_t kNameColumn = 28;

/// A CSV cell. A text that a spreadsheet would take for a formula gets a leading apostrophe.
std::string cell(const std::string& text) {
  std::string plain = printable(text);
  if (!plain.empty() && std::string_view("=+-@").find(plain.front()) != std::string_view::npos) plain.insert(0, "'");
  if (plain.find_first_of(",\"") == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void printCsv(std::ostream& out, const GradedClass& graded) {
  out << "name,file,right,of";
  for (std::size_t i = 0; i < graded.questions.size(); ++i)
    out << ",q" << i + 1;
  out << ",remark\n";
  for (const GradedStudent& student : graded.students) {
    out << cell(student.name) << ',' << cell(student.file) << ',' << student.right() << ',' << graded.questions.size();
    std::string remark = student.refusal;
    for (std::size_t i = 0; i < graded.questions.size(); ++i) {
      const bool there = i < student.answers.size();
      out << ',' << (there ? toString(student.answers[i].grade) : "");
      if (!there || student.answers[i].why.empty()) continue;
      remark += (remark.empty() ? "" : "; ") + fmt::format("q{}: {}", i + 1, student.answers[i].why);
    }
    out << ',' << cell(remark) << '\n';
  }
}

Json jsonOf(const GradedStudent& student) {
  Json json{{"name", student.name},
            {"file", student.file},
            {"refusal", orNull(student.refusal)},
            {"right", student.right()},
            {"answers", Json::array()}};
  for (const GradedAnswer& answer : student.answers)
    json["answers"].push_back(
        Json{{"grade", toString(answer.grade)}, {"given", orNull(answer.given)}, {"why", orNull(answer.why)}});
  return json;
}

void printJson(std::ostream& out, const GradedClass& graded) {
  Json json = beginDocument("grade");
  json["lesson"] = graded.title;
  json["questions"] = graded.questions;
  json["students"] = Json::array();
  for (const GradedStudent& student : graded.students)
    json["students"].push_back(jsonOf(student));
  out << finishDocument(json);
}

/// One of the marks ✓ ✗ – ! ? for each answer.
std::string marks(const GradedStudent& student) {
  constexpr const char* kMarks[] = {"✓", "✗", "–", "!", "?"};
  std::string all;
  for (const GradedAnswer& answer : student.answers)
    all += kMarks[static_cast<std::size_t>(answer.grade)];
  return all;
}

void printStudents(std::ostream& out, const GradedClass& graded) {
  for (const GradedStudent& student : graded.students) {
    const std::string name = excerpt(student.name.empty() ? student.file : student.name, kNameColumn);
    out << fmt::format("{:<{}}  ", name, kNameColumn);
    if (!student.refusal.empty()) {
      out << trf(N_("not graded: {}"), printableSentence(student.refusal)) << "\n";
      continue;
    }
    out << fmt::format("{:>2}/{}  {}\n", student.right(), graded.questions.size(), marks(student));
    for (std::size_t i = 0; i < student.answers.size(); ++i)
      if (!student.answers[i].why.empty())
        out << "    " << trf(N_("question {}: {}"), i + 1, printableSentence(student.answers[i].why)) << "\n";
  }
}

/// How many of the graded students answered each question correctly.
void printDistribution(std::ostream& out, const GradedClass& graded) {
  const auto count = std::ranges::count_if(graded.students, [](const auto& one) { return one.refusal.empty(); });
  out << "\n" << trf(N_("{} of {} files graded"), count, graded.students.size()) << "\n";
  for (std::size_t i = 0; i < graded.questions.size(); ++i) {
    const auto right = std::ranges::count_if(graded.students, [i](const GradedStudent& one) {
      return one.refusal.empty() && i < one.answers.size() && one.answers[i].grade == Grade::Right;
    });
    out << fmt::format("  {:>2}  {:>3}/{}  {}\n", i + 1, right, count, excerpt(graded.questions[i], 90));
  }
}

/// Untrusted text, escaped for Markdown.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : excerpt(text, 120)) {
    if (std::string_view("\\`*_[]<>#&!|").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

/// One line of a distribution: label, bar, count.
std::string bar(const std::string& what, std::size_t count, std::size_t of) {
  constexpr std::size_t kLongest = 12;  // with the number after it, as wide as a line of the stage
  std::string blocks;
  for (std::size_t i = 0; i < (of > 0 ? (kLongest * count + of / 2) / of : 0); ++i)
    blocks += "■";
  return fmt::format("- {} {} **{}**\n", what, blocks, count);
}

/// The distribution of the answers to a question: by choice if it has choices, else by grade.
std::string distribution(const GradedClass& graded, std::size_t question, std::size_t of) {
  constexpr std::size_t kMostLines = 6;
  std::map<std::string, std::size_t> count;
  bool choices = false;
  for (const GradedStudent& student : graded.students) {
    if (!student.refusal.empty() || question >= student.answers.size()) continue;
    const GradedAnswer& answer = student.answers[question];
    const bool chosen = answer.choice && !answer.given.empty();
    choices = choices || chosen;
    ++count[(chosen ? escaped(answer.given) + ", " : "") + tr(toString(answer.grade))];
  }
  std::vector<std::pair<std::string, std::size_t>> lines(count.begin(), count.end());
  std::ranges::stable_sort(lines, std::greater<>(), &std::pair<std::string, std::size_t>::second);
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  std::string text;
  for (const auto& [what, many] : lines)
    text += bar(what, many, of);
  return text;
}

/// The distribution as a lesson without names, to be shown to the class.
std::string asLesson(const GradedClass& graded) {
  std::vector<std::size_t> byRight(graded.questions.size() + 1);
  std::size_t of = 0;
  for (const GradedStudent& student : graded.students) {
    if (!student.refusal.empty()) continue;
    ++byRight[student.right()];
    ++of;
  }
  std::string text =
      "# " + escaped(graded.title) + "\n\n## " + trf(N_("{} of {} files graded"), of, graded.students.size()) + "\n\n";
  for (std::size_t right = byRight.size(); right-- > 0;)
    text += bar(trf(N_("{} right:"), right), byRight[right], of);
  for (std::size_t i = 0; i < graded.questions.size(); ++i)
    text += fmt::format("\n## {}. {}\n\n{}", i + 1, escaped(graded.questions[i]), distribution(graded, i, of));
  return text;
}

class GradeVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "folder", folder_, N_("a folder with files of answers (*.json)"), "FOLDER")->required();
    addOption(command, "--lesson", lesson_,
              N_("the homework (.md, .sepx-lesson); default: the only lesson in the folder"), "LESSON");
    addOption(command, "--out", out_, N_("the distribution without names, as a lesson (.md) for studio and stage"),
              "FILE");
    addFlag(command, "--csv", csv_, N_("a table with one line per student"));
    addFlag(command, "--progress", progress_, N_("lines \"3 30\" on standard error: 3 of 30 files are graded"));
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (csv_ && json_) return failf(ErrorKind::Usage, N_("--csv and --json are mutually exclusive"));
    if (!out_.empty() && !out_.ends_with(".md"))
      return failf(ErrorKind::Usage, N_("--out: '{}' does not end in .md"), out_);
    SEPX_TRY(protectInputs("--out", out_, {lesson_}));
    std::function<void(std::size_t, std::size_t)> progress;
    if (progress_)
      progress = [&console](std::size_t done, std::size_t of) { console.err << done << ' ' << of << std::endl; };
    SEPX_ASSIGN(const GradedClass graded, gradeClass(common, folder_, lesson_, progress));
    if (!out_.empty()) SEPX_TRY(writeFile(out_, asLesson(graded)));
    if (json_) {
      printJson(console.out, graded);
    } else if (csv_) {
      printCsv(console.out, graded);
    } else {
      printStudents(console.out, graded);
      printDistribution(console.out, graded);
    }
    return Outcome::Done;
  }

 private:
  std::string folder_, lesson_, out_;
  bool csv_ = false, json_ = false, progress_ = false;
};

}  // namespace

VerbEntry makeGrade() {
  return {"grade", N_("Grade a folder of homework: every answer is computed again"), std::make_unique<GradeVerb>()};
}

}  // namespace sepx::app::cli
