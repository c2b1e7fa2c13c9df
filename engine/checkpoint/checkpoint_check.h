// SPDX-License-Identifier: Apache-2.0
// What every reader's answer is held against before anybody sees it: shapes, sizes and places of tensors, whatever the
// file said. Private to engine/checkpoint. Pure; any thread.
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

inline constexpr std::size_t kLongestName = 4096;  ///< bytes; longer than any module path, shorter than a nuisance

/// BadInput "path: what".
tl::unexpected<Error> broken(const std::string& path, std::string_view what);

/// Words of a file as they may stand in a sentence or a table: what is no UTF-8 and control characters become U+FFFD.
std::string readable(std::string_view text);

/// Product of the shape; nothing when it overflows or a length is negative.
std::optional<std::uint64_t> valuesOf(const std::vector<std::int64_t>& shape);

/// Every tensor lies in its file or is stored by itself, has a shape that can be counted and strides that stay inside;
/// names are UTF-8 and come once. BadInput names the file, or `path` where there is none, and the tensor.
Result<void> check(const Contents& contents, const std::string& path = {});

enum class Gaps { Refused, Allowed };  ///< whether bytes that belong to no tensor are taken
/// No two tensors of one file share bytes, and (`gaps` refused) every byte of [begin, end) belongs to one: formats that
/// forbid both. BadInput names the tensors and the byte.
Result<void> checkPlaces(const std::string& path, const std::vector<TensorInfo>& tensors, std::uint64_t begin,
                         std::uint64_t end, Gaps gaps);

/// Sorts by name, numbers by value ("layer.2" before "layer.10").
void sortByName(std::vector<TensorInfo>& tensors);
/// Fills aliasOf of sorted tensors that show the very same bytes; returns how many do.
std::size_t markAliases(std::vector<TensorInfo>& tensors);

}  // namespace sepx::checkpoint
