// SPDX-License-Identifier: Apache-2.0
// NumPy's file of one array, format 1.0: this header, then the values as they lie in memory. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sepx {

/// `type` as NumPy writes it: "<f8" for little-endian doubles, "|u1" for bytes. Row-major.
std::string npyHeader(std::string_view type, const std::vector<std::size_t>& shape);

}  // namespace sepx
