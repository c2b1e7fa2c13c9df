// SPDX-License-Identifier: Apache-2.0
// A lesson: Markdown that is at once a text, a demonstration and an end-to-end test. The level 1 heading is its title,
// every level 2 heading begins a step. Fenced `steps` blocks are script lines (script.h) that run when the step is
// entered; fenced `ask` blocks are questions with a checked answer. The rest is prose, as blocks of spans that a panel
// can draw. The syntax is documented in docs/scripts.md. Pure but for readLesson; any thread.
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

/// Either `choices` (two or more, one or more of them correct), or an answer that the program's state gives: the person
/// acts until KEY OP VALUE holds.
struct Question {
  std::string text;
  std::vector<Choice> choices;
  std::optional<ScriptStep> answer;  ///< kind Expect: text = KEY, op, value, tolerance
  std::vector<ScriptStep> solution;  ///< lines that lead to `answer`; a headless run takes them
  std::string because;               ///< said after the answer; may be empty
  int line = 0;
};

struct LessonStep {
  std::string title;
  std::vector<Block> prose;
  std::vector<ScriptStep> steps;
  std::vector<Question> questions;
  int line = 0;
};

struct Lesson {
  std::string name;  ///< the file, for messages and to find what its steps open
  std::string title;
  std::vector<Block> introduction;  ///< prose between the title and the first step
  std::vector<LessonStep> steps;    ///< at least one
};

/// BadInput naming file, line and what is wrong with it.
Result<Lesson> parseLesson(std::string_view markdown, std::string name);
Result<Lesson> readLesson(const std::string& path);

/// Everything a lesson does, in order, as one script: the lines of each step, then of each question its solution and
/// the expectation that its answer holds. What `sepx play LESSON.md` runs. `upTo`: only steps [0, upTo).
Script lessonScript(const Lesson& lesson, std::size_t upTo = static_cast<std::size_t>(-1));

}  // namespace sepx::ui
