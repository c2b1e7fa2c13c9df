// SPDX-License-Identifier: Apache-2.0
// A random walk through the program as a script (docs/scripts.md). The same seed, length and vocabulary give the same
// script. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/monkey/vocabulary.h"

namespace sepx::monkey {

/// The initial size of the window in pixels. It is small, so that a frame of a software driver takes milliseconds.
inline constexpr unsigned kWidth = 560, kHeight = 400;

/// `steps` lines of a script without its header. Each line begins with `try`: a step that the program refuses is part
/// of the walk.
std::vector<std::string> makeWalk(std::uint64_t seed, int steps, const Vocabulary& words);

/// The script with its header, as a file.
std::string scriptOf(const std::vector<std::string>& lines);
/// The steps of a script, without header, comments and blank lines.
std::vector<std::string> linesOf(const std::string& script);

}  // namespace sepx::monkey
