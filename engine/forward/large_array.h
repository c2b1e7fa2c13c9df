// SPDX-License-Identifier: Apache-2.0
// Arrays of many megabytes: fresh pages of 4 KB cost more than what is computed into them, so the system is asked for
// large ones where it has them, and all threads fetch them.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/thread_pool.h"

namespace sepx::forward {

/// Fetches the pages under [at, at + bytes), which nobody has touched; large ones where the system has them. What
/// cannot be fetched is left as it is.
void fetchPages(ThreadPool& pool, void* at, std::size_t bytes);

/// An array that is empty becomes `count` zeros; of any other the numbers that were there may stay.
template <class T>
void resizeLarge(ThreadPool& pool, std::vector<T>& array, std::size_t count) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;  ///< bytes
  array.reserve(count);
  if (array.empty() && count * sizeof(T) >= kLarge) fetchPages(pool, array.data(), count * sizeof(T));
  array.resize(count);
}

}  // namespace sepx::forward
