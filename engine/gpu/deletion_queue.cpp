// SPDX-License-Identifier: Apache-2.0
// Deferred destruction: a queue of deleters ordered by timeline value. Frame thread; calls no Vulkan itself.
#include "engine/gpu/deletion_queue.h"

#include <cassert>
#include <utility>

namespace sepx::gpu {

void DeletionQueue::push(std::uint64_t value, Deleter deleter) {
  assert(entries_.empty() || entries_.back().value <= value);
  entries_.push_back({value, std::move(deleter)});
}

void DeletionQueue::stamp(std::uint64_t value) {
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && entry->value == kUnstamped; ++entry)
    entry->value = value;
}

std::size_t DeletionQueue::collect(std::uint64_t completed) {
  std::size_t count = 0;
  while (!entries_.empty() && entries_.front().value <= completed) {
    const Deleter deleter = std::move(entries_.front().deleter);  // removed first, because the deleter may push
    entries_.pop_front();
    deleter();
    ++count;
  }
  return count;
}

void DeletionQueue::flush() {
  collect(kUnstamped);
}

}  // namespace sepx::gpu
