// SPDX-License-Identifier: Apache-2.0
// Hands the latest value from one writer thread to one reader thread without a lock: three slots and one atomic byte
// (slot index and fresh bit). Slots keep their capacity, so a warmed-up exchange allocates nothing. Single writer,
// single reader.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace sepx {

template <class T>
class Exchange {
 public:
  /// Writer: the slot to fill. It still has the content of an earlier publication, so overwrite all of it.
  T& slot() { return slots_[writing_]; }
  /// Writer: publishes the slot. The reader sees the latest publication only.
  void publish() {
    const std::uint8_t previous =
        middle_.exchange(static_cast<std::uint8_t>(writing_ | kFresh), std::memory_order_acq_rel);
    writing_ = previous & kIndex;
  }
  /// Reader: swaps in the latest publication. Returns whether it is new. Call once per frame.
  bool refresh() {
    if (!(middle_.load(std::memory_order_relaxed) & kFresh)) return false;
    const std::uint8_t previous = middle_.exchange(reading_, std::memory_order_acq_rel);
    reading_ = previous & kIndex;
    return true;
  }
  /// Reader: the value that refresh() swapped in last.
  const T& latest() const { return slots_[reading_]; }

 private:
  static constexpr std::uint8_t kFresh = 4;
  static constexpr std::uint8_t kIndex = 3;
  std::array<T, 3> slots_{};
  std::uint8_t writing_ = 0;
  std::uint8_t reading_ = 1;
  std::atomic<std::uint8_t> middle_{2};
};

}  // namespace sepx
