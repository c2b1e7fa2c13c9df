// SPDX-License-Identifier: Apache-2.0
// Permutations of [0, count) that are computed element by element, without a table. Any thread.
#pragma once

#include <cstdint>

namespace sepx::data {

/// Value of permutation number `key` at `index` < `count`. Key 0 is the fixed permutation, the same for every seed.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t key = 0);

}  // namespace sepx::data
