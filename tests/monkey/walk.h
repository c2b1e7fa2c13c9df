// SPDX-License-Identifier: Apache-2.0
// A random walk through the program as a script (docs/scripts.md). The same seed, length and vocabulary make the same
// script. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/monkey/vocabulary.h"

namespace sepx::monkey {

/// The window that walks begin in, pixels: small, so that a frame of a software driver takes milliseconds.
inline constexpr unsigned kWidth = 560, kHeight = 400;

/// Lines of a script without its header, `steps` of them. Every one is tried: what the program refuses is part of the
/// walk.
std::vector<std::string> makeWalk(std::uint64_t seed, int steps, const Vocabulary& words);

/// With the header, as a file.
std::string scriptOf(const std::vector<std::string>& lines);
/// The steps of a script, without header, comments and blank lines.
std::vector<std::string> linesOf(const std::string& script);

}  // namespace sepx::monkey
