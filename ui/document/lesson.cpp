// SPDX-License-Identifier: Apache-2.0
// Sorts the blocks of the Markdown into steps, and reads the two kinds of fenced blocks.
#include "ui/document/lesson.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/utf8.h"
#include "ui/document/markdown.h"
#include "ui/document/script_words.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kLargestLesson = std::size_t{256} << 10;

int lineAt(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

/// Refuses what is not text: too long, not UTF-8, control bytes.
Result<void> checkText(std::string_view text, const std::string& name) {
  if (text.size() > kLargestLesson) {
    return fail(ErrorKind::BadInput, fmt::format("{}: a lesson has at most {} bytes", name, kLargestLesson));
  }
  if (const auto offset = firstNotUtf8(text)) return complaint(name, lineAt(text, *offset), "this is not UTF-8 text");
  const auto control = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
  if (control != text.end()) {
    return complaint(name, lineAt(text, static_cast<std::size_t>(control - text.begin())),
                     "there is a control character, so this is not a text");
  }
  return {};
}

/// Line in `block` that looks like the lesson's next heading: to the script language it is a comment, so a forgotten
/// closing fence would swallow the rest of the lesson unseen.
std::optional<int> headingInside(std::string_view block) {
  const std::vector<std::string_view> lines = linesOf(block);
  const auto found = std::find_if(lines.begin(), lines.end(), [](auto line) { return line.starts_with("## "); });
  return found == lines.end() ? std::nullopt : std::optional(static_cast<int>(found - lines.begin()));
}

/// The rest of a line behind its first word.
std::string_view behindFirstWord(std::string_view line) {
  const std::size_t word = line.find_first_not_of(" \t");
  const std::size_t end = line.find_first_of(" \t", word);
  return end == std::string_view::npos ? std::string_view() : line.substr(end);
}

/// Reads the lines of one `ask` block.
class QuestionReader {
 public:
  QuestionReader(const std::string& name, int line) : name_(name), line_(line) { question_.line = line; }

  Result<void> read(std::string_view text) {
    for (const std::string_view source : linesOf(text)) {
      const Result<std::vector<Word>> words = splitWords(source);
      if (!words) return complaint(name_, line_, words.error().sentence);
      if (!words->empty()) {
        if (auto done = readLine(source, *words); !done) return done;
      }
      ++line_;
    }
    return {};
  }

  Result<Question> finish() {
    const auto broken = [this](std::string_view sentence) { return complaint(name_, question_.line, sentence); };
    if (question_.text.empty()) return broken("this ask block has no line: question \"...\"");
    const bool anyCorrect = std::any_of(question_.choices.begin(), question_.choices.end(),
                                        [](const Choice& choice) { return choice.correct; });
    if (question_.answer && !question_.choices.empty()) return broken("a question has choices or an answer, not both");
    if (!question_.answer && question_.choices.size() < 2) {
      return broken("a question needs two or more choices, or a line: answer KEY OP VALUE");
    }
    if (!question_.answer && !anyCorrect) return broken("no choice is marked correct");
    if (!question_.answer && !question_.solution.empty())
      return broken("a solution goes with an answer, not with choices");
    return std::move(question_);
  }

 private:
  Result<void> readLine(std::string_view source, const std::vector<Word>& words) {
    const std::string& first = words[0].text;
    if (first == "question") return readText(words, question_.text);
    if (first == "because") return readText(words, question_.because);
    if (first == "choice") return readChoice(words);
    if (first == "answer") return readAnswer(source);
    if (first == "solution") return readSolution(source);
    return complaint(name_, line_,
                     fmt::format("\"{}\" is not a line of an ask block; those are question, choice, answer, "
                                 "solution, because",
                                 shown(first)));
  }

  Result<void> readText(const std::vector<Word>& words, std::string& text) {
    if (words.size() != 2 || !words[1].quoted || words[1].text.empty()) {
      return complaint(name_, line_, fmt::format("{} takes one text in double quotes", words[0].text));
    }
    if (!text.empty()) return complaint(name_, line_, fmt::format("there is a second line {}", words[0].text));
    text = words[1].text;
    return {};
  }

  Result<void> readChoice(const std::vector<Word>& words) {
    const bool correct = words.size() == 3 && !words[2].quoted && words[2].text == "correct";
    if ((words.size() != 2 && !correct) || !words[1].quoted || words[1].text.empty()) {
      return complaint(name_, line_, "choice takes one text in double quotes, and the word correct after it if it is");
    }
    question_.choices.push_back({words[1].text, correct});
    return {};
  }

  Result<void> readAnswer(std::string_view source) {
    if (question_.answer) return complaint(name_, line_, "there is a second line answer");
    Result<std::vector<ScriptStep>> steps = parseSteps("expect" + std::string(behindFirstWord(source)), name_, line_);
    if (!steps) return tl::unexpected(steps.error());
    if (steps->front().kind != StepKind::Expect) return complaint(name_, line_, "answer takes KEY OP VALUE");
    steps->front().source = std::string(source);
    question_.answer = std::move(steps->front());
    return {};
  }

  Result<void> readSolution(std::string_view source) {
    Result<std::vector<ScriptStep>> steps = parseSteps(behindFirstWord(source), name_, line_);
    if (!steps) return tl::unexpected(steps.error());
    if (steps->empty()) return complaint(name_, line_, "solution takes a script step");
    question_.solution.push_back(std::move(steps->front()));
    return {};
  }

  const std::string& name_;
  int line_;
  Question question_;
};

/// Puts the blocks of a text where they belong.
class LessonReader {
 public:
  explicit LessonReader(std::string name) { lesson_.name = std::move(name); }

  Result<void> take(MarkdownBlock block) {
    if (block.block.kind == Block::Kind::Heading && block.level <= 2) return takeHeading(block);
    if (lesson_.title.empty()) return broken(block, "a lesson begins with its title: # Title");
    if (block.block.kind == Block::Kind::Code && !block.fence.empty()) return takeFence(block);
    (lesson_.steps.empty() ? lesson_.introduction : lesson_.steps.back().prose).push_back(std::move(block.block));
    return {};
  }

  Result<Lesson> finish() {
    if (lesson_.title.empty()) return complaint(lesson_.name, 1, "a lesson begins with its title: # Title");
    if (lesson_.steps.empty())
      return complaint(lesson_.name, 1, "a lesson has at least one step: ## Title of the step");
    return std::move(lesson_);
  }

 private:
  tl::unexpected<Error> broken(const MarkdownBlock& block, std::string_view sentence) const {
    return complaint(lesson_.name, block.line, sentence);
  }

  Result<void> takeHeading(const MarkdownBlock& block) {
    std::string title = block.plain();
    if (title.empty()) return broken(block, "this heading is empty");
    if (block.level == 1 && !lesson_.title.empty())
      return broken(block, "a lesson has one title (#); steps begin with ##");
    if (block.level == 1) {
      lesson_.title = std::move(title);
      return {};
    }
    if (lesson_.title.empty()) return broken(block, "a lesson begins with its title: # Title");
    lesson_.steps.push_back({std::move(title), {}, {}, {}, block.line});
    return {};
  }

  Result<void> takeFence(const MarkdownBlock& block) {
    if (block.fence != "steps" && block.fence != "ask") {
      return broken(block, fmt::format("a fenced block is steps, ask, or has no name; not \"{}\"", shown(block.fence)));
    }
    if (lesson_.steps.empty()) {
      return broken(block, fmt::format("this {} block stands before the first step (##)", block.fence));
    }
    const std::string text = block.plain();
    if (const auto line = headingInside(text)) {
      return complaint(
          lesson_.name, block.line + *line,
          fmt::format("there is a line with ## inside the {} block; is its closing ``` missing?", block.fence));
    }
    LessonStep& step = lesson_.steps.back();
    if (block.fence == "ask") {
      QuestionReader reader(lesson_.name, block.line);
      if (auto done = reader.read(text); !done) return done;
      Result<Question> question = reader.finish();
      if (!question) return tl::unexpected(question.error());
      step.questions.push_back(*std::move(question));
      return {};
    }
    Result<std::vector<ScriptStep>> steps = parseSteps(text, lesson_.name, block.line);
    if (!steps) return tl::unexpected(steps.error());
    std::move(steps->begin(), steps->end(), std::back_inserter(step.steps));
    return {};
  }

  Lesson lesson_;
};

}  // namespace

Result<Lesson> parseLesson(std::string_view markdown, std::string name) {
  if (markdown.starts_with("\xEF\xBB\xBF")) markdown.remove_prefix(3);
  if (auto text = checkText(markdown, name); !text) return tl::unexpected(text.error());
  Result<std::vector<MarkdownBlock>> blocks = parseMarkdown(markdown);
  if (!blocks) return fail(blocks.error().kind, fmt::format("{}: {}", name, blocks.error().sentence));
  LessonReader reader(std::move(name));
  for (MarkdownBlock& block : *blocks) {
    if (auto done = reader.take(std::move(block)); !done) return tl::unexpected(done.error());
  }
  return reader.finish();
}

Result<Lesson> readLesson(const std::string& path) {
  const Result<std::string> text = readFile(path, kLargestLesson);
  if (!text) return tl::unexpected(text.error());
  auto lesson = parseLesson(*text, std::filesystem::path(path).filename().string());
  if (lesson) lesson->name = path;  // files that its steps open lie beside it
  return lesson;
}

Script lessonScript(const Lesson& lesson, std::size_t upTo) {
  Script script;
  script.name = lesson.name;
  const auto add = [&script](const std::vector<ScriptStep>& steps) {
    script.steps.insert(script.steps.end(), steps.begin(), steps.end());
  };
  for (std::size_t i = 0; i < std::min(upTo, lesson.steps.size()); ++i) {
    add(lesson.steps[i].steps);
    for (const Question& question : lesson.steps[i].questions) {
      if (!question.answer) continue;
      add(question.solution);
      script.steps.push_back(*question.answer);
    }
  }
  return script;
}

}  // namespace sepx::ui
