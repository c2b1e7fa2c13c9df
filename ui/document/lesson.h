// SPDX-License-Identifier: Apache-2.0
// A lesson: Markdown that is at once a text, a demonstration and an end-to-end test. The level 1 heading is its title;
// every level 2 heading begins a step. Fenced `steps` blocks are script lines (script.h) that run when the step is
// entered; fenced `ask` blocks are questions with a checked answer; fenced `notes` blocks are for the lecturer. The
// rest is prose, as blocks of spans that a panel can draw. Parts that are not understood are left out and reported in
// `messages`. The syntax is documented in docs/lessons.md and docs/scripts.md. Pure except for readLesson; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/script.h"

namespace sepx::ui {

/// A run of text of one style. Text is UTF-8 and has line breaks only inside Block::Kind::Code.
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

/// A number that the reader finds and types.
struct NumberAnswer {
  std::string key;  ///< read-out whose value, when the answer is typed, is right; empty: `value` is right
  double value = 0;
  double tolerance = 0;
  bool relative = false;  ///< `tolerance` is a share of the right number
};

/// A question of one of three kinds: `choices` (two or more, at least one of them correct), `answer` (the reader acts
/// until KEY OP VALUE holds for the state of the program), or `number`.
struct Question {
  std::string text;
  std::vector<Choice> choices;
  std::optional<ScriptStep> answer;  ///< kind Expect: text = KEY, op, value, tolerance
  std::optional<NumberAnswer> number;
  std::vector<ScriptStep> solution;  ///< script lines that lead to `answer` or `number`, for a headless run
  std::string because;               ///< explanation shown after the answer; may be empty
  int line = 0;
};

struct LessonStep {
  std::string title;
  std::vector<Block> prose;
  std::vector<Block> notes;  ///< for the lecturer only; notes before the first step belong to the first step
  std::vector<ScriptStep> steps;
  std::vector<Question> questions;
  int line = 0;
};

struct Lesson {
  std::string name;  ///< the file, for messages and for resolving the paths that its steps open
  std::string title;
  std::vector<Block> introduction;  ///< prose between the title and the first step
  std::vector<LessonStep> steps;    ///< at least one
  /// One sentence for each part that was left out, in line order: file, line and reason.
  std::vector<std::string> messages;
};

/// BadInput with file, line and reason if nothing can be played: the input is not text, or has no title or no step. Any
/// other faulty part is left out and reported in Lesson::messages.
Result<Lesson> parseLesson(std::string_view markdown, std::string name);
Result<Lesson> readLesson(const std::string& path);
/// BadInput if anything was left out: the first six faults and the number of further ones.
Result<void> checkWhole(const Lesson& lesson);

/// The `vary` lines of all steps, in order and with distinct keys. A lesson that has one is homework.
std::vector<ScriptStep> variations(const Lesson& lesson);
/// The first exhibit that a step shows ("flow"); empty if no step names one.
std::string exhibitOf(const Lesson& lesson);
/// Estimated duration in minutes, at least 1: 150 words per minute, the durations given in script lines, and half a
/// minute per question. For a step whose notes begin with minutes ("4 min"), those are used instead.
int minutesOf(const Lesson& lesson);
/// The same before each step and at the end: one entry more than there are steps, ascending from 0, not rounded.
std::vector<double> minutesAt(const Lesson& lesson);

/// The whole lesson as one script, in order: the lines of each step, then for each question its solution and the
/// expectation that its answer holds. This is what `sepx play LESSON.md` runs. `upTo` limits it to steps [0, upTo).
Script lessonScript(const Lesson& lesson, std::size_t upTo = static_cast<std::size_t>(-1));

}  // namespace sepx::ui
