// SPDX-License-Identifier: Apache-2.0
// Plays a walk in this process and reports what is wrong with the program. Frame thread.
#pragma once

#include <functional>
#include <string>

#include "engine/core/result.h"

namespace sepx::monkey {

/// Plays the walk, or returns CheckFailed with one sentence. It checks
/// - after every step: the document contains no value that the registry refuses, and every declaration, read-out,
///   command, caption, number and status line can be evaluated;
/// - at the end: undo to the beginning gives the first document, except for what is not undoable (such as the camera),
///   and the picture that a new window shows of that document;
/// - that the validation layers print no message.
/// An assertion ends the process, and so does too much memory. `folder`: used by this walk only, with writeFiles().
/// `atStep`: called when a step begins, with its number from 1, and at the end with 0. Returns false if the pictures
/// were not compared, because work that takes minutes continued.
Result<bool> playWalk(const std::string& script, const std::string& folder, const std::function<void(int)>& atStep);

}  // namespace sepx::monkey
