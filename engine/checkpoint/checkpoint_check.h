// SPDX-License-Identifier: Apache-2.0
// Checks of every reader's result before it is used: shapes, sizes and locations of tensors, independent of what the
// file claims. Private to engine/checkpoint. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/json.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

inline constexpr std::size_t kLongestName = 4096;  ///< bytes; longer than the path of any module

/// A BadInput error with the message "path: what".
tl::unexpected<Error> broken(const std::string& path, std::string_view what);

/// Text from a file, made safe for messages and tables: invalid UTF-8 and control characters become U+FFFD.
std::string readable(std::string_view text);

/// Product of the shape; empty if it overflows or a length is negative.
std::optional<std::uint64_t> valuesOf(const std::vector<std::int64_t>& shape);

/// Checks that every tensor is inside its file or in memory, that its shape does not overflow and its strides stay
/// inside, and that its name is UTF-8 and unique. BadInput names the file (or `path` if there is none) and the tensor.
Result<void> check(const Contents& contents, const std::string& path = {});

enum class Gaps { Refused, Allowed };  ///< whether bytes that belong to no tensor are accepted
/// Checks that no two tensors of one file share bytes and, with Gaps::Refused, that every byte of [begin, end) belongs
/// to a tensor. For formats with these rules. BadInput names the tensors and the byte.
Result<void> checkPlaces(const std::string& path, const std::vector<TensorInfo>& tensors, std::uint64_t begin,
                         std::uint64_t end, Gaps gaps);

/// Sorts by name, numbers by value ("layer.2" before "layer.10").
void sortByName(std::vector<TensorInfo>& tensors);
/// Sets aliasOf of sorted tensors that refer to exactly the same bytes; returns how many aliases there are.
std::size_t markAliases(std::vector<TensorInfo>& tensors);

}  // namespace sepx::checkpoint
