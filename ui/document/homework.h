// SPDX-License-Identifier: Apache-2.0
// Homework: a lesson with `vary` lines. Every reader has a name; the name gives the values that vary, the same on every
// machine. What a reader answered is one small JSON file with its recipe: the name, the seed, the values, and for every
// answer the choice, the number or the state of the program that gives it, so that it can be computed again. Pure; any
// thread.
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

/// Larger files of answers are refused unread.
inline constexpr std::size_t kLargestAnswers = std::size_t{4} << 20;
/// Bytes of a name, before blanks at its ends are removed.
inline constexpr std::size_t kLongestName = 100;

/// The name as its seed takes it: blanks at the ends removed, others one blank, ASCII letters small.
std::string plainName(std::string_view name);
/// FNV-1a of plainName().
std::uint64_t seedOf(std::string_view name);
/// Key and value of every `vary` line, for this name.
std::vector<std::pair<std::string, std::string>> variedValues(const Lesson& lesson, std::string_view name);
/// The lesson in which every `vary` line has the value of this name.
Lesson lessonFor(Lesson lesson, std::string_view name);
/// Which of the values that vary the state of an answer in this step must have, key and value: those that no later line
/// sets. `lesson`: of lessonFor().
std::map<std::string, std::string> boundValues(const Lesson& lesson, std::size_t step);
/// Of everything that it does and checks, and of no words: answers belong to one version of a lesson, and a translation
/// is the same version.
std::uint64_t fingerprint(const Lesson& lesson);

/// Where a question stands: step and place in it, from 0.
struct QuestionPlace {
  std::size_t step = 0, question = 0;
  auto operator<=>(const QuestionPlace&) const = default;
};

struct Answer {
  std::optional<std::size_t> choice;
  std::optional<double> number;
  /// The state in which the answer was given; its paths are shared ones (file_paths.h). Nothing for a choice.
  std::optional<Document> state;
};

struct Answers {
  std::string name;   ///< as typed
  std::string title;  ///< of the lesson
  std::uint64_t seed = 0, fingerprint = 0;
  std::vector<std::pair<std::string, std::string>> varied;
  std::map<QuestionPlace, Answer> given;
};

/// The file: JSON, indented.
std::string answersText(const Answers& answers);
/// BadInput with what is wrong with it, without a file's name.
Result<Answers> parseAnswers(std::string_view text);
/// Whether a text says that it is a file of answers, whatever else is wrong with it.
bool isAnswers(std::string_view text);
/// What of the recipe does not fit the lesson and the name: another lesson or version, a seed or values that the name
/// does not give. Empty: it fits.
std::string misfit(const Answers& answers, const Lesson& lesson);
/// Whether a number answers a question; `right`: the number of NumberAnswer::key, or its value.
bool isRight(const NumberAnswer& asked, double right, double given);

}  // namespace sepx::ui
