// SPDX-License-Identifier: Apache-2.0
// The header of NumPy's file format for one array (NPY 1.0). The values follow it as they lie in memory. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sepx {

/// `type` as NumPy writes it: "<f8" for little-endian doubles, "|u1" for bytes. Row-major.
std::string npyHeader(std::string_view type, const std::vector<std::size_t>& shape);

}  // namespace sepx
