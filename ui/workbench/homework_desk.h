// SPDX-License-Identifier: Apache-2.0
// The homework that a person does in a window: whose it is, the numbers that were typed, and the states in which a
// statement was true (ui/document/homework.h). Frame thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ui/document/homework.h"

namespace sepx::ui {

class HomeworkDesk {
 public:
  /// For a lesson that was opened; nobody's yet.
  void open(const Lesson& lesson);
  void close() { *this = HomeworkDesk(); }

  /// The lesson has something that varies.
  bool asked() const { return asked_; }
  /// Empty: it was not begun.
  const std::string& name() const { return name_; }
  bool begun() const { return !name_.empty(); }
  /// Usage: the name is empty or too long, or nothing varies. Forgets what was answered before.
  Result<void> begin(const std::string& name);
  /// The values of the name, "flow.p = 0.43, flow.q = 0.7".
  std::string valuesInWords(const Lesson& lesson) const;

  /// A number that was typed, in whose state; also in a lesson that is no homework.
  void type(QuestionPlace place, double number, const Document& state);
  std::optional<double> typed(QuestionPlace place) const;
  /// The statement of this question is true in this state.
  void note(QuestionPlace place, const Document& state);
  bool noted(QuestionPlace place) const { return given_.contains(place); }

  /// `choices`: step and question, and the choice.
  Answers answers(const Lesson& lesson,
                  const std::map<std::pair<std::size_t, std::size_t>, std::size_t>& choices) const;

 private:
  bool asked_ = false;
  std::string name_;
  std::map<QuestionPlace, Answer> given_;
};

}  // namespace sepx::ui
