// SPDX-License-Identifier: Apache-2.0
// Hands values from one producer thread to one consumer thread in order, without locks and without waiting: a bounded
// ring and two counters. Both sides are wait-free. A full ring rejects the value, and the producer decides what to do.
// At most one producer thread and one consumer thread.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

namespace sepx {

template <class T, std::size_t Capacity>
class CommandRing {
  static_assert(std::has_single_bit(Capacity), "the index is masked");

 public:
  /// Producer: returns false and leaves `value` unchanged if the ring is full.
  bool push(T&& value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == Capacity) return false;
    slots_[tail & (Capacity - 1)] = std::move(value);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool push(const T& value) { return push(T(value)); }

  /// Consumer: removes and returns the oldest value; empty optional if there is none. The slot is left in its
  /// moved-from state.
  std::optional<T> pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    std::optional<T> value(std::move(slots_[head & (Capacity - 1)]));
    head_.store(head + 1, std::memory_order_release);
    return value;
  }

 private:
  static constexpr std::size_t kCacheLine = 64;  // the two sides write to different cache lines
  std::array<T, Capacity> slots_{};
  alignas(kCacheLine) std::atomic<std::size_t> head_{0};
  alignas(kCacheLine) std::atomic<std::size_t> tail_{0};
};

}  // namespace sepx
