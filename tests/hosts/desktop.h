// SPDX-License-Identifier: Apache-2.0
// A person at a real window: pointer and keys (xdotool), waiting, and what a program's log tells of its frames. There
// is no window manager: a window is found by its program and moved to the corner of the screen.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/hosts/process.h"

namespace sepx::tests {

/// Whether the condition came to hold within the patience of a test (tests/patience.h).
bool waitFor(const std::function<bool()>& condition);
void sleepFor(int ms);
/// One xdotool call, which must succeed; what it printed.
std::string xdotool(std::vector<std::string> words);
/// Number of drawn frames that a program has written to its log (SEPX_LOG=debug).
int framesOf(const Process& program);
/// The visible window of the program whose title contains `title`.
std::string windowOf(const Process& program, const std::string& title);
/// Moves the window to the corner and gives its picture the keyboard by a click at 620, 240, where the pointer stays.
void focusPicture(const std::string& window);

}  // namespace sepx::tests
