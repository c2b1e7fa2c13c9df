// SPDX-License-Identifier: Apache-2.0
// The homework that is done in a window: the name of the person, the numbers that were typed, and the states in which a
// statement was true (ui/document/homework.h). Frame thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ui/document/homework.h"

namespace sepx::ui {

class HomeworkState {
 public:
  /// Starts with a lesson that was opened, without a name.
  void open(const Lesson& lesson);
  void close() { *this = HomeworkState(); }

  /// Whether the lesson has something that varies.
  bool isHomework() const { return isHomework_; }
  /// Empty: the homework has not begun.
  const std::string& name() const { return name_; }
  bool begun() const { return !name_.empty(); }
  /// Begins the homework and discards earlier answers. Usage: the name is empty or too long, or nothing varies.
  Result<void> begin(const std::string& name);
  /// The values that belong to the name: "flow.p = 0.43, flow.q = 0.7".
  std::string valuesInWords(const Lesson& lesson) const;

  /// Records a number and the state in which it was typed; also in a lesson that is not homework.
  void type(QuestionPlace place, double number, const Document& state);
  std::optional<double> typed(QuestionPlace place) const;
  /// Records that the statement of this question is true in this state.
  void note(QuestionPlace place, const Document& state);
  bool noted(QuestionPlace place) const { return given_.contains(place); }

  /// `choices`: from step and question to the choice.
  Answers answers(const Lesson& lesson,
                  const std::map<std::pair<std::size_t, std::size_t>, std::size_t>& choices) const;

 private:
  bool isHomework_ = false;
  std::string name_;
  std::map<QuestionPlace, Answer> given_;
};

}  // namespace sepx::ui
