// SPDX-License-Identifier: Apache-2.0
// Finds the name that the user most likely meant: the one with the smallest Levenshtein distance, the first of several.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace sepx {

/// Empty if no name is within `most` changes. Only the first 60 bytes of `wrong` are compared.
std::string nearestName(std::string_view wrong, std::span<const std::string> names,
                        std::size_t most = std::numeric_limits<std::size_t>::max() - 1);

}  // namespace sepx
