// SPDX-License-Identifier: Apache-2.0
// First fit with merging on release. The list of gaps stays sorted, so that neighbours are found by one search.
#include "engine/gpu/free_list.h"

#include <algorithm>
#include <cassert>

namespace sepx::gpu {

FreeList::FreeList(std::uint64_t size) : size_(size), gaps_{{0, size}} {}

std::optional<std::uint64_t> FreeList::allocate(std::uint64_t size, std::uint64_t alignment) {
  assert(size > 0 && alignment > 0);
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const Gap gap = gaps_[i];
    const std::uint64_t offset = (gap.offset + alignment - 1) / alignment * alignment;
    const std::uint64_t skipped = offset - gap.offset;
    if (skipped > gap.size || gap.size - skipped < size) continue;
    const Gap behind{offset + size, gap.size - skipped - size};
    if (skipped > 0) {
      gaps_[i].size = skipped;
      if (behind.size > 0) gaps_.insert(gaps_.begin() + static_cast<std::ptrdiff_t>(i) + 1, behind);
    } else if (behind.size > 0) {
      gaps_[i] = behind;
    } else {
      gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return offset;
  }
  return std::nullopt;
}

void FreeList::release(std::uint64_t offset, std::uint64_t size) {
  auto next = std::find_if(gaps_.begin(), gaps_.end(), [&](const Gap& gap) { return gap.offset > offset; });
  assert(next == gaps_.end() || offset + size <= next->offset);
  assert(next == gaps_.begin() || (next - 1)->offset + (next - 1)->size <= offset);
  next = gaps_.insert(next, {offset, size});
  if (next + 1 != gaps_.end() && next->offset + next->size == (next + 1)->offset) {
    next->size += (next + 1)->size;
    next = gaps_.erase(next + 1) - 1;
  }
  if (next != gaps_.begin() && (next - 1)->offset + (next - 1)->size == next->offset) {
    (next - 1)->size += next->size;
    gaps_.erase(next);
  }
}

std::uint64_t FreeList::free() const {
  std::uint64_t sum = 0;
  for (const Gap& gap : gaps_)
    sum += gap.size;
  return sum;
}

}  // namespace sepx::gpu
