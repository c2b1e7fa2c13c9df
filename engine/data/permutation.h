// SPDX-License-Identifier: Apache-2.0
// Permutations of [0, count) that are computed place by place, without a table. Any thread.
#pragma once

#include <cstdint>

namespace sepx::data {

/// Where `index` < `count` comes to stand in the permutation number `key`. Key 0 is the fixed one of every seed.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t key = 0);

}  // namespace sepx::data
