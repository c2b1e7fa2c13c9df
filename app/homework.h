// SPDX-License-Identifier: Apache-2.0
// Computes answers to homework (ui/document/homework.h): the right answers for a name, and whether the answers that a
// class handed in are right. Every state is opened in a program without a window and its values are read, so that an
// answer that was written by hand does not pass. Main thread.
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

/// Plays the homework with a name and solves every question, which shows that it can be solved. BadInput: the file is
/// not a lesson, has faults, or contains nothing that varies. CheckFailed: an expectation or an answer does not hold
/// for this name.
Result<ui::Answers> solveHomework(const Options& options, const std::string& lesson, const std::string& name);

/// Grade of one question. NotComputed: the state cannot be opened here, or was not computed in time; this says nothing
/// about the answer.
enum class Grade { Right, Wrong, Missing, Forged, NotComputed };
/// "right", "wrong", "missing", "forged", "not computed"
const char* toString(Grade grade);

struct GradedAnswer {
  Grade grade = Grade::Missing;
  std::string given;    ///< the choice or number as text; empty: a state
  std::string why;      ///< what is wrong with it; may be empty
  bool choice = false;  ///< `given` is one of the question's choices
};

struct GradedStudent {
  std::string file;                   ///< without its folder
  std::string name;                   ///< as typed; empty: the file cannot be read
  std::string refusal;                ///< why nothing of it was graded; empty: it was graded
  std::vector<GradedAnswer> answers;  ///< one per question of the lesson
  std::size_t right() const;
};

struct GradedClass {
  std::string title;  ///< of the lesson
  std::vector<std::string> questions;
  std::vector<GradedStudent> students;  ///< sorted by name
};

/// Limit in wall-clock time for one state, because a student's state may require hours of work.
inline constexpr std::chrono::seconds kStateLimit{120};

/// Grades the answers (*.json) in a folder. `lesson`: the homework; empty: the only lesson in the folder. BadInput:
/// there is no such lesson, or the folder has no answers or more than 2,000. `progress`: called before each file and at
/// the end with the number of graded files and their total; may be empty.
///
/// The right number for a question `number KEY` is the one that the lesson itself gives for the student's name: its
/// steps up to the question, with their solutions, are played with the values of the name. The read-out of the
/// student's own state is not used for it, because anyone who changes the state can make any number true.
///
/// A state is opened without the properties that a lesson may not set (ui/exhibits/lesson_list.h), such as the request
/// for a study: the values of the name do not depend on them. A statement that does not hold then is checked again in
/// the whole state. No state is computed for longer than `limit`, which is checked after each publication of a job.
Result<GradedClass> gradeClass(const Options& options, const std::string& folder, const std::string& lesson,
                               const std::function<void(std::size_t, std::size_t)>& progress = {},
                               std::chrono::seconds limit = kStateLimit);
/// Whether a folder contains files of answers, judged by the content of its first 20 *.json files.
bool isClass(const std::string& folder);

}  // namespace sepx::app
