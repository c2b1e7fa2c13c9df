// SPDX-License-Identifier: Apache-2.0
// Plays a walk in this process, and says what is wrong with the program where something is. Frame thread.
#pragma once

#include <functional>
#include <string>

#include "engine/core/result.h"

namespace sepx::monkey {

/// Plays it, or CheckFailed with one sentence:
/// - after every step: the document holds nothing that the registry refuses, and every declaration, read-out, command,
///   caption, number and status line answers;
/// - at the end: undo to the beginning gives the first document, but for what is not undoable (the camera), and the
///   picture that a new window shows of that document;
/// - no message of the validation layers.
/// An assertion ends the process; so does more memory than the process is given.
/// `folder`: of this walk alone, with writeFiles(). `atStep`: called when a step begins, with its number from 1, and at
/// the end with 0. False: the pictures were not compared, for work that takes minutes went on.
Result<bool> playWalk(const std::string& script, const std::string& folder, const std::function<void(int)>& atStep);

}  // namespace sepx::monkey
