// SPDX-License-Identifier: Apache-2.0
// Arrays of many megabytes. Page faults on new 4 KB pages cost more than computing their contents, so huge pages are
// requested where the system has them, and all threads populate them.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/thread_pool.h"

namespace sepx::forward {

/// Populates the pages of [at, at + bytes), which must not have been accessed before, with huge pages where the system
/// has them. Errors are ignored: the pages are then allocated on first access.
void fetchPages(ThreadPool& pool, void* at, std::size_t bytes);

/// Resizes an array. An empty array becomes `count` zeros; otherwise the old values may remain.
template <class T>
void resizeLarge(ThreadPool& pool, std::vector<T>& array, std::size_t count) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;  ///< bytes
  array.reserve(count);
  if (array.empty() && count * sizeof(T) >= kLarge) fetchPages(pool, array.data(), count * sizeof(T));
  array.resize(count);
}

}  // namespace sepx::forward
