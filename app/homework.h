// SPDX-License-Identifier: Apache-2.0
// Answers to homework (ui/document/homework.h) computed: the right ones of a name, and whether those that a class
// handed in hold. Every state is opened in a program without a window and what it shows is read, so that an answer that
// was written by hand does not pass. Main thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/options.h"
#include "engine/core/result.h"
#include "ui/document/homework.h"

namespace sepx::app {

/// The homework played with a name, every question solved: that it can be. BadInput: it is no lesson, has faults, has
/// nothing that varies. CheckFailed: an expectation or an answer does not hold for this name.
Result<ui::Answers> solveHomework(const Options& options, const std::string& lesson, const std::string& name);

/// Of one question. NotComputed: the state cannot be opened here, or was not computed in time; that says nothing of the
/// answer.
enum class Grade { Right, Wrong, Missing, Forged, NotComputed };
/// "right", "wrong", "missing", "forged", "not computed"
const char* toString(Grade grade);

struct GradedAnswer {
  Grade grade = Grade::Missing;
  std::string given;    ///< the choice or number as a person reads it; empty: a state
  std::string why;      ///< what is wrong with it; may be empty
  bool choice = false;  ///< `given` is one of the question's choices
};

struct GradedStudent {
  std::string file;                   ///< without its folder
  std::string name;                   ///< as typed; empty: the file cannot be read
  std::string refusal;                ///< why nothing of it was graded; empty: it was
  std::vector<GradedAnswer> answers;  ///< one a question of the lesson
  std::size_t right() const;
};

struct GradedClass {
  std::string title;  ///< of the lesson
  std::vector<std::string> questions;
  std::vector<GradedStudent> students;  ///< by name
};

/// Of wall-clock time, for one state: a stranger's may ask for hours of work.
inline constexpr std::chrono::seconds kStateLimit{120};

/// The answers (*.json) in a folder. `lesson`: the homework; empty: the one lesson in the folder. BadInput: there is no
/// such lesson, or the folder has no answers or more than 2,000. `progress`: called before each file with how many are
/// graded, of how many; may be empty.
///
/// The right number of a question `number KEY` is what the lesson itself gives for the student's name: its steps up to
/// the question, with their solutions, played with the values of the name. The read-out of the student's own state is
/// not taken for it: whoever changes the state can make any number true.
///
/// A state is opened without what a lesson may not set (ui/exhibits/lesson_list.h), such as the request for a study:
/// the values of the name do not depend on it. A statement that does not hold then is looked for in the whole state.
/// None of them is computed for longer than `limit`, which is checked after each publication of a job.
Result<GradedClass> gradeClass(const Options& options, const std::string& folder, const std::string& lesson,
                               const std::function<void(std::size_t, std::size_t)>& progress = {},
                               std::chrono::seconds limit = kStateLimit);
/// Whether a folder holds files of answers: what begins its *.json says so.
bool isClass(const std::string& folder);

}  // namespace sepx::app
