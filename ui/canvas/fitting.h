// SPDX-License-Identifier: Apache-2.0
// Fits text into a width: a line of several parts that drops the parts without room, and names that are shortened in
// the middle. Pure.
#pragma once

#include <string>
#include <vector>

namespace sepx::ui {

/// As many leading parts as fit into `room` points at this type size, joined by `between`. The first part is shortened
/// if it does not fit by itself. Empty parts are skipped.
std::string fitting(const std::vector<std::string>& parts, const std::string& between, double size, double room);

/// A name shortened to at most `width` points: its beginning, an ellipsis and its end, because both ends distinguish
/// names.
std::string shortenedName(const std::string& name, double size, double width);

}  // namespace sepx::ui
