// SPDX-License-Identifier: Apache-2.0
// A line of several parts, of which those are shown that have room; names that are shortened in the middle. Pure.
#pragma once

#include <string>
#include <vector>

namespace sepx::ui {

/// The first parts that have room in `room` points at this size of type, with `between` between them; the first one is
/// cut where it has none. Empty parts are left out.
std::string fitting(const std::vector<std::string>& parts, const std::string& between, double size, double room);

/// The beginning and the end of a name, which both tell it from others, with an ellipsis between; in at most `width`
/// points.
std::string shortenedName(const std::string& name, double size, double width);

}  // namespace sepx::ui
