// SPDX-License-Identifier: Apache-2.0
// Sorts the blocks of the Markdown into steps, and reads the fenced blocks (steps, ask, notes).
#include "ui/document/lesson.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/ranges.h>

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

/// Rejects input that is not text: too long, not UTF-8, or with control bytes.
Result<void> checkText(std::string_view text, const std::string& name) {
  if (text.size() > kLargestLesson) {
    return fail(ErrorKind::BadInput, fmt::format("{}: a lesson has at most {} bytes", name, kLargestLesson));
  }
  if (const auto offset = findInvalidUtf8(text))
    return errorAtLine(name, lineAt(text, *offset), "this is not UTF-8 text");
  const auto control = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
  if (control != text.end()) {
    return errorAtLine(name, lineAt(text, static_cast<std::size_t>(control - text.begin())),
                       "there is a control character, so this is not a text");
  }
  return {};
}

/// Line in `block` that looks like the next heading of the lesson. In the script language it is a comment, so without
/// this check a forgotten closing fence would silently take the rest of the lesson into the block.
std::optional<int> headingInside(std::string_view block) {
  const std::vector<std::string_view> lines = linesOf(block);
  const auto found = std::find_if(lines.begin(), lines.end(), [](auto line) { return line.starts_with("## "); });
  return found == lines.end() ? std::nullopt : std::optional(static_cast<int>(found - lines.begin()));
}

/// The rest of a line after its first word.
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
      if (!words) return errorAtLine(name_, line_, words.error().message);
      if (!words->empty()) {
        if (auto done = readLine(source, *words); !done) return done;
      }
      ++line_;
    }
    return {};
  }

  Result<Question> finish() {
    const auto broken = [this](std::string_view sentence) { return errorAtLine(name_, question_.line, sentence); };
    if (question_.text.empty()) return broken("this ask block has no line: question \"...\"");
    const bool anyCorrect = std::any_of(question_.choices.begin(), question_.choices.end(),
                                        [](const Choice& choice) { return choice.correct; });
    const bool acts = question_.answer || question_.number;
    if (question_.answer && question_.number) return broken("a question has an answer or a number, not both");
    if (acts && !question_.choices.empty()) return broken("a question has choices or an answer, not both");
    if (!acts && question_.choices.size() < 2) {
      return broken("a question needs two or more choices, or a line: answer KEY OP VALUE, or: number VALUE");
    }
    if (!acts && !anyCorrect) return broken("no choice is marked correct");
    if (!acts && !question_.solution.empty()) return broken("a solution goes with an answer, not with choices");
    return std::move(question_);
  }

 private:
  Result<void> readLine(std::string_view source, const std::vector<Word>& words) {
    const std::string& first = words[0].text;
    if (first == "question") return readText(words, question_.text);
    if (first == "because") return readText(words, question_.because);
    if (first == "choice") return readChoice(words);
    if (first == "answer") return readAnswer(source);
    if (first == "number") return readNumber(words);
    if (first == "solution") return readSolution(source);
    return errorAtLine(name_, line_,
                       fmt::format("\"{}\" is not a line of an ask block; those are question, choice, answer, number, "
                                   "solution, because",
                                   shown(first)));
  }

  Result<void> readText(const std::vector<Word>& words, std::string& text) {
    if (words.size() != 2 || !words[1].quoted || words[1].text.empty()) {
      return errorAtLine(name_, line_, fmt::format("{} takes one text in double quotes", words[0].text));
    }
    if (!text.empty()) return errorAtLine(name_, line_, fmt::format("duplicate line: {}", words[0].text));
    text = words[1].text;
    return {};
  }

  Result<void> readChoice(const std::vector<Word>& words) {
    const bool correct = words.size() == 3 && !words[2].quoted && words[2].text == "correct";
    if ((words.size() != 2 && !correct) || !words[1].quoted || words[1].text.empty()) {
      return errorAtLine(name_, line_,
                         "choice takes one text in double quotes, and the word correct after it if it is");
    }
    question_.choices.push_back({words[1].text, correct});
    return {};
  }

  Result<void> readAnswer(std::string_view source) {
    if (question_.answer) return errorAtLine(name_, line_, "there is a second line answer");
    Result<std::vector<ScriptStep>> steps = parseSteps("expect" + std::string(behindFirstWord(source)), name_, line_);
    if (!steps) return tl::unexpected(steps.error());
    if (steps->front().kind != StepKind::Expect) return errorAtLine(name_, line_, "answer takes KEY OP VALUE");
    steps->front().source = std::string(source);
    question_.answer = std::move(steps->front());
    return {};
  }

  /// number VALUE|KEY [+- TOL|+- TOL%]
  Result<void> readNumber(const std::vector<Word>& words) {
    if (question_.number) return errorAtLine(name_, line_, "there is a second line number");
    NumberAnswer number;
    const bool fits = words.size() == 2 || (words.size() == 4 && words[2].text == "+-");
    const auto value = fits ? finiteNumber(words[1].text) : std::nullopt;
    if (!fits || (!value && !isKey(words[1].text)))
      return errorAtLine(name_, line_, "number takes a number or the key of a read-out, and +- TOLERANCE after it");
    value ? void(number.value = *value) : void(number.key = words[1].text);
    if (words.size() == 4) {
      std::string_view tolerance = words[3].text;
      number.relative = tolerance.ends_with('%');
      if (number.relative) tolerance.remove_suffix(1);
      const auto read = finiteNumber(tolerance);
      if (!read || *read < 0)
        return errorAtLine(name_, line_,
                           fmt::format("\"{}\" is not a tolerance; write 0.02 or 5%", shown(words[3].text)));
      number.tolerance = number.relative ? *read / 100 : *read;
    }
    question_.number = std::move(number);
    return {};
  }

  Result<void> readSolution(std::string_view source) {
    Result<std::vector<ScriptStep>> steps = parseSteps(behindFirstWord(source), name_, line_);
    if (!steps) return tl::unexpected(steps.error());
    if (steps->empty()) return errorAtLine(name_, line_, "solution takes a script step");
    question_.solution.push_back(std::move(steps->front()));
    return {};
  }

  const std::string& name_;
  int line_;
  Question question_;
};

/// Assigns the blocks of a text to the parts of the lesson. A block that fits nowhere is left out and reported.
class LessonReader {
 public:
  explicit LessonReader(std::string name) { lesson_.name = std::move(name); }

  /// `text` begins in line 1 + `before` of the file.
  void read(std::string_view text, int before) {
    Result<std::vector<MarkdownBlock>> blocks = parseMarkdown(text);
    if (!blocks) return say(before + 1, blocks.error().message);
    for (MarkdownBlock& block : *blocks) {
      block.line += before;
      take(std::move(block));
    }
  }

  Result<Lesson> finish() {
    const auto beginning = [this](std::string_view sentence) {
      // If there are messages, the first one tells why the title or the steps are missing.
      return lesson_.messages.empty() ? errorAtLine(lesson_.name, 1, sentence)
                                      : fail(ErrorKind::BadInput, lesson_.messages.front());
    };
    if (lesson_.title.empty()) return beginning("a lesson begins with its title: # Title");
    if (lesson_.steps.empty()) return beginning("a lesson has at least one step: ## Title of the step");
    removeDuplicates();
    return std::move(lesson_);
  }

 private:
  void say(int line, std::string_view sentence) {
    lesson_.messages.push_back(errorAtLine(lesson_.name, line, sentence).value().message);
  }

  void take(MarkdownBlock block) {
    if (block.block.kind == Block::Kind::Heading && block.level <= 2) return takeHeading(block);
    if (block.block.kind == Block::Kind::Code && !block.fence.empty()) return takeFence(block);
    if (lesson_.title.empty()) return sayOnce(block.line, "a lesson begins with its title: # Title");
    (lesson_.steps.empty() ? lesson_.introduction : lesson_.steps.back().prose).push_back(std::move(block.block));
  }

  void sayOnce(int line, std::string_view sentence) {
    if (!std::exchange(untitled_, true)) say(line, sentence);
  }

  void takeHeading(const MarkdownBlock& block) {
    std::string title = block.plain();
    if (title.empty()) return say(block.line, "this heading is empty");
    if (block.level == 1 && !lesson_.title.empty())
      return say(block.line, "a lesson has one title (#); steps begin with ##");
    if (block.level == 1) {
      lesson_.title = std::move(title);
      return;
    }
    if (lesson_.title.empty()) return sayOnce(block.line, "a lesson begins with its title: # Title");
    LessonStep& step = lesson_.steps.emplace_back();
    step.title = std::move(title);
    step.line = block.line;
    step.notes = std::exchange(early_, {});
  }

  void takeFence(const MarkdownBlock& block) {
    if (block.fence != "steps" && block.fence != "ask" && block.fence != "notes") {
      return say(block.line,
                 fmt::format("a fenced block must be named steps, ask or notes, or have no name; it is named \"{}\"",
                             shown(block.fence)));
    }
    if (lesson_.steps.empty() && block.fence != "notes") {
      return say(block.line, fmt::format("this {} block is before the first step (##)", block.fence));
    }
    const std::string text = block.plain();
    const auto heading = headingInside(text);
    if (!heading) return takeBlock(block, text);
    say(block.line + *heading,
        fmt::format("there is a line with ## inside the {} block; is its closing ``` missing?", block.fence));
    const auto cut = static_cast<std::size_t>(linesOf(text)[static_cast<std::size_t>(*heading)].data() - text.data());
    takeBlock(block, text.substr(0, cut));
    // Reads the text that was inside the unclosed block; it may contain another unclosed block.
    constexpr int kMostUnclosedFences = 20;
    if (++unclosedFences_ <= kMostUnclosedFences) read(std::string_view(text).substr(cut), block.line + *heading - 1);
  }

  void takeBlock(const MarkdownBlock& block, const std::string& text) {
    if (block.fence == "notes") return takeNotes(text, block.line);
    LessonStep& step = lesson_.steps.back();
    if (block.fence == "ask") return takeQuestion(text, block.line, step);
    std::vector<ScriptStep> steps = readSteps(text, lesson_.name, block.line, lesson_.messages);
    std::move(steps.begin(), steps.end(), std::back_inserter(step.steps));
  }

  void takeNotes(const std::string& text, int line) {
    std::vector<Block>& notes = lesson_.steps.empty() ? early_ : lesson_.steps.back().notes;
    Result<std::vector<MarkdownBlock>> blocks = parseMarkdown(text);
    if (!blocks) return say(line, blocks.error().message);
    for (MarkdownBlock& block : *blocks)
      notes.push_back(std::move(block.block));
  }

  void takeQuestion(const std::string& text, int line, LessonStep& step) {
    QuestionReader reader(lesson_.name, line);
    if (auto done = reader.read(text); !done) return lesson_.messages.push_back(done.error().message);
    Result<Question> question = reader.finish();
    if (!question) return lesson_.messages.push_back(question.error().message);
    step.questions.push_back(*std::move(question));
  }

  /// Removes `vary` lines with a repeated key, because each reader has one value for a key.
  void removeDuplicates() {
    std::set<std::string> keys;
    for (LessonStep& step : lesson_.steps)
      std::erase_if(step.steps, [this, &keys](const ScriptStep& line) {
        const bool again = line.kind == StepKind::Vary && !keys.insert(line.text).second;
        if (again) say(line.line, fmt::format("{} already varies in an earlier line", line.text));
        return again;
      });
  }

  Lesson lesson_;
  std::vector<Block> early_;  ///< notes before the first step
  bool untitled_ = false;     ///< whether the missing title was reported
  int unclosedFences_ = 0;    ///< number of missing closing fences
};

/// Number of words. Chinese has no blanks between words: five of its characters take as long to say as three words.
int wordsIn(const std::vector<Block>& blocks) {
  // The first byte of the characters from U+3000 to U+9FFF in UTF-8.
  const auto isHan = [](char byte) { return byte >= '\xe3' && byte <= '\xe9'; };
  std::ptrdiff_t blanks = 0, characters = 0;
  for (const Block& block : blocks) {
    for (const Span& span : block.spans) {
      blanks += std::ranges::count(span.text, ' ');
      characters += std::ranges::count_if(span.text, isHan);
    }
  }
  return static_cast<int>(blanks + 3 * characters / 5) + static_cast<int>(blocks.size());
}

/// The minutes at the beginning of a step's notes, as in "4 min" or "1.5 min: drag slowly"; empty if there are none.
std::optional<double> plannedMinutes(const LessonStep& step) {
  constexpr double kLongest = 600;
  if (step.notes.empty() || step.notes.front().spans.empty()) return std::nullopt;
  const std::string_view text = step.notes.front().spans.front().text;
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::optional<double> minutes = finiteNumber(text.substr(0, blank));
  std::string_view unit = text.substr(blank + 1);
  const bool chinese = unit.starts_with("分钟");
  if (!chinese && !unit.starts_with("min")) return std::nullopt;
  unit.remove_prefix(chinese ? std::string_view("分钟").size() : 3);
  const bool ends = chinese || unit.empty() || std::string_view(" .,:;").find(unit.front()) != std::string_view::npos;
  return minutes && ends && *minutes > 0 && *minutes <= kLongest ? minutes : std::nullopt;
}

}  // namespace

Result<Lesson> parseLesson(std::string_view markdown, std::string name) {
  if (markdown.starts_with("\xEF\xBB\xBF")) markdown.remove_prefix(3);
  if (auto text = checkText(markdown, name); !text) return tl::unexpected(text.error());
  LessonReader reader(std::move(name));
  reader.read(markdown, 0);
  return reader.finish();
}

Result<Lesson> readLesson(const std::string& path) {
  const Result<std::string> text = readFile(path, kLargestLesson);
  if (!text) return tl::unexpected(text.error());
  auto lesson = parseLesson(*text, std::filesystem::path(path).filename().string());
  if (lesson) lesson->name = path;  // files that its steps open lie beside it
  return lesson;
}

Result<void> checkWhole(const Lesson& lesson) {
  if (lesson.messages.empty()) return {};
  constexpr std::size_t kMost = 6;  // each message may list all script steps
  const std::size_t named = std::min(kMost, lesson.messages.size());
  std::string faults = fmt::format("{}", fmt::join(lesson.messages.begin(), lesson.messages.begin() + named, "; "));
  if (named < lesson.messages.size()) faults += fmt::format("; and {} more", lesson.messages.size() - named);
  return fail(ErrorKind::BadInput, std::move(faults));
}

std::vector<ScriptStep> variations(const Lesson& lesson) {
  std::vector<ScriptStep> found;
  for (const LessonStep& step : lesson.steps)
    std::ranges::copy_if(step.steps, std::back_inserter(found),
                         [](const ScriptStep& line) { return line.kind == StepKind::Vary; });
  return found;
}

std::string exhibitOf(const Lesson& lesson) {
  for (const LessonStep& step : lesson.steps)
    for (const ScriptStep& line : step.steps)
      if (line.kind == StepKind::Exhibit) return line.text;
  return {};
}

std::vector<double> minutesAt(const Lesson& lesson) {
  constexpr double kWordsPerMinute = 150, kPerQuestion = 0.5;  // minutes
  std::vector<double> all{0};
  double minutes = wordsIn(lesson.introduction) / kWordsPerMinute;
  for (const LessonStep& step : lesson.steps) {
    if (const auto planned = plannedMinutes(step)) {
      all.push_back(minutes += *planned);
      continue;
    }
    minutes += wordsIn(step.prose) / kWordsPerMinute + kPerQuestion * static_cast<double>(step.questions.size());
    for (const ScriptStep& line : step.steps)
      if (line.kind == StepKind::Drag || line.kind == StepKind::Set) minutes += line.seconds / 60;
    all.push_back(minutes);
  }
  return all;
}

int minutesOf(const Lesson& lesson) {
  return std::max(1, static_cast<int>(std::lround(minutesAt(lesson).back())));
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
      add(question.solution);
      if (question.answer) script.steps.push_back(*question.answer);
    }
  }
  return script;
}

}  // namespace sepx::ui
