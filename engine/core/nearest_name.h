// SPDX-License-Identifier: Apache-2.0
// The name that a person most likely meant: least number of insertions, deletions and replacements (Levenshtein), the
// first of several. Pure; any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace sepx {

/// Empty when there are no names within `most` changes. Only the first 60 bytes of `wrong` are looked at.
std::string nearestName(std::string_view wrong, std::span<const std::string> names,
                        std::size_t most = std::numeric_limits<std::size_t>::max() - 1);

}  // namespace sepx
