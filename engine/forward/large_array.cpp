// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/large_array.h"

#include <algorithm>
#include <cstdint>

#include <sys/mman.h>

namespace sepx::forward {

void fetchPages(ThreadPool& pool, void* at, std::size_t bytes) {
#if defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
  // Only whole huge pages inside the range, because adjacent memory belongs to other objects.
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t first = (begin + kPage - 1) / kPage, last = (begin + bytes) / kPage;
  if (first >= last) return;
  const auto advise = [](std::uintptr_t from, std::uintptr_t to, int advice) {
    ::madvise(reinterpret_cast<void*>(from * kPage), (to - from) * kPage, advice);
  };
  advise(first, last, MADV_HUGEPAGE);
  pool.parallelFor(first, last, 4, [&](std::size_t from, std::size_t to) { advise(from, to, MADV_POPULATE_WRITE); });
#else
  (void)pool, (void)at, (void)bytes;
#endif
}

}  // namespace sepx::forward
