// SPDX-License-Identifier: Apache-2.0
// A lesson: Markdown that is at once a text, a demonstration and an end-to-end test. The level 1 heading is its title,
// every level 2 heading begins a step. Fenced `steps` blocks are script lines (script.h) that run when the step is
// entered; fenced `ask` blocks are questions with a checked answer; fenced `notes` blocks are for the lecturer. The
// rest is prose, as blocks of spans that a panel can draw. What is not understood is left out and said in `messages`.
// The syntax is documented in docs/lessons.md and docs/scripts.md. Pure but for readLesson; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/script.h"

namespace sepx::ui {

/// A run of text of one style. Text is UTF-8 without line breaks; inside Block::Kind::Code it has them.
struct Span {
  std::string text;
  bool strong = false, emphasis = false, code = false;
  bool operator==(const Span&) const = default;
};

struct Block {
  enum class Kind { Paragraph, Heading, Item, Code } kind = Kind::Paragraph;
  int depth = 0;   ///< of a list item: 0 outermost
  int number = 0;  ///< of an item of a numbered list; 0: a bullet
  std::vector<Span> spans;
};

struct Choice {
  std::string text;
  bool correct = false;
};

/// A number that the person finds and types.
struct NumberAnswer {
  std::string key;  ///< the read-out that has the right number when it is typed; empty: `value` is right
  double value = 0;
  double tolerance = 0;
  bool relative = false;  ///< `tolerance` is a share of the right number
};

/// One of three: `choices` (two or more, one or more of them correct); an answer that the program's state gives (the
/// person acts until KEY OP VALUE holds); a number.
struct Question {
  std::string text;
  std::vector<Choice> choices;
  std::optional<ScriptStep> answer;  ///< kind Expect: text = KEY, op, value, tolerance
  std::optional<NumberAnswer> number;
  std::vector<ScriptStep> solution;  ///< lines that lead to `answer` or `number`; a headless run takes them
  std::string because;               ///< said after the answer; may be empty
  int line = 0;
};

struct LessonStep {
  std::string title;
  std::vector<Block> prose;
  std::vector<Block> notes;  ///< for the lecturer alone; those before the first step are the first step's
  std::vector<ScriptStep> steps;
  std::vector<Question> questions;
  int line = 0;
};

struct Lesson {
  std::string name;  ///< the file, for messages and to find what its steps open
  std::string title;
  std::vector<Block> introduction;  ///< prose between the title and the first step
  std::vector<LessonStep> steps;    ///< at least one
  /// What was left out, in the order of the lines: file, line and reason, a sentence each.
  std::vector<std::string> messages;
};

/// BadInput naming file, line and reason when nothing of it can be played: it is not text, has no title or no step.
/// Everything else that is wrong is left out, named in Lesson::messages, and the rest is there.
Result<Lesson> parseLesson(std::string_view markdown, std::string name);
Result<Lesson> readLesson(const std::string& path);
/// BadInput with what was left out of it, if anything was: the first six faults, and how many more there are.
Result<void> checkWhole(const Lesson& lesson);

/// The `vary` lines of all steps, in order: a lesson that has one is homework. Their keys differ.
std::vector<ScriptStep> variations(const Lesson& lesson);
/// The first exhibit that a step of it shows ("flow"); empty: it names none.
std::string exhibitOf(const Lesson& lesson);
/// How long it takes to read and to watch, minutes from 1: 150 words a minute, the times that steps name, half a minute
/// a question. A step whose notes begin with minutes ("4 min") takes those instead.
int minutesOf(const Lesson& lesson);
/// The same before each step and at the end: one more than there are steps, ascending from 0, not rounded.
std::vector<double> minutesAt(const Lesson& lesson);

/// Everything a lesson does, in order, as one script: the lines of each step, then of each question its solution and
/// the expectation that its answer holds. What `sepx play LESSON.md` runs. `upTo`: only steps [0, upTo).
Script lessonScript(const Lesson& lesson, std::size_t upTo = static_cast<std::size_t>(-1));

}  // namespace sepx::ui
