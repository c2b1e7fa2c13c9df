// SPDX-License-Identifier: Apache-2.0
// Homework: a lesson with `vary` lines. The reader's name determines the varied values, identically on every machine.
// The answers of a reader are one small JSON file with all that is needed to compute them again: the name, the seed,
// the values, and for every answer the choice, the number or the state of the program that gives it. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

/// Bytes; larger answer files are rejected without being parsed.
inline constexpr std::size_t kLargestAnswers = std::size_t{4} << 20;
/// Longest name in bytes, including blanks at its ends.
inline constexpr std::size_t kLongestName = 100;

/// The name as used for the seed: blanks at the ends removed, other runs of blanks replaced by one blank, ASCII letters
/// in lower case.
std::string plainName(std::string_view name);
/// FNV-1a of plainName().
std::uint64_t seedOf(std::string_view name);
/// Key and value of every `vary` line, for this name.
std::vector<std::pair<std::string, std::string>> variedValues(const Lesson& lesson, std::string_view name);
/// The lesson in which every `vary` line has the value for this name.
Lesson lessonFor(Lesson lesson, std::string_view name);
/// The varied values (key and value) that the state of an answer in this step must have: those that no later line sets.
/// `lesson` comes from lessonFor().
std::map<std::string, std::string> boundValues(const Lesson& lesson, std::size_t step);
/// Hash of everything that the lesson does and checks, without its prose. Answers belong to one version of a lesson,
/// and a translation counts as the same version.
std::uint64_t fingerprint(const Lesson& lesson);

/// Position of a question: step, and index within the step, from 0.
struct QuestionPlace {
  std::size_t step = 0, question = 0;
  auto operator<=>(const QuestionPlace&) const = default;
};

struct Answer {
  std::optional<std::size_t> choice;
  std::optional<double> number;
  /// The state in which the answer was given, with paths as from withSharedPaths() (file_paths.h). Empty for a choice.
  std::optional<Document> state;
};

struct Answers {
  std::string name;   ///< as typed
  std::string title;  ///< of the lesson
  std::uint64_t seed = 0, fingerprint = 0;
  std::vector<std::pair<std::string, std::string>> varied;
  std::map<QuestionPlace, Answer> given;
};

/// The content of an answer file: indented JSON.
std::string answersText(const Answers& answers);
/// BadInput with the reason; the message does not name the file.
Result<Answers> parseAnswers(std::string_view text);
/// Whether a text is JSON that declares the format of an answer file. The rest of it is not checked.
bool isAnswers(std::string_view text);
/// Why the answers do not fit the lesson and the name: another lesson or version, or a seed or values that do not
/// follow from the name. Empty if they fit.
std::string answersMismatch(const Answers& answers, const Lesson& lesson);
/// Whether `given` is a right answer; `right` is the value of the read-out NumberAnswer::key, or NumberAnswer::value.
bool isRight(const NumberAnswer& asked, double right, double given);

}  // namespace sepx::ui
