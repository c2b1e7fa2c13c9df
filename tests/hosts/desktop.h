// SPDX-License-Identifier: Apache-2.0
// Operates a real window like a user: pointer and keys (xdotool), waiting, and counting frames in the log of a program.
// There is no window manager: a window is found by its program and moved to the corner of the screen.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/hosts/process.h"

namespace sepx::tests {

/// Whether the condition became true within the timeout of a test (tests/patience.h).
bool waitFor(const std::function<bool()>& condition);
void sleepFor(int ms);
/// Calls xdotool once, which must succeed, and returns its output.
std::string xdotool(std::vector<std::string> words);
/// Number of drawn frames that a program has written to its log (SEPX_LOG=debug).
int framesOf(const Process& program);
/// The visible window of the program whose title contains `title`.
std::string windowOf(const Process& program, const std::string& title);
/// Moves the window to the corner and gives its picture the keyboard focus by a click at 620, 240, where the pointer
/// stays.
void focusPicture(const std::string& window);

}  // namespace sepx::tests
