// SPDX-License-Identifier: Apache-2.0
// First-fit allocation of offsets inside one block of memory. Adjacent gaps merge on release. Pure bookkeeping, tested
// without a device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sepx::gpu {

class FreeList {
 public:
  explicit FreeList(std::uint64_t size);
  /// Offset of `size` bytes at a multiple of `alignment`; empty optional when no gap is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t size, std::uint64_t alignment);
  /// `offset` and `size` must be those of an allocation.
  void release(std::uint64_t offset, std::uint64_t size);
  bool empty() const { return gaps_.size() == 1 && gaps_[0].size == size_; }
  std::uint64_t free() const;

 private:
  struct Gap {
    std::uint64_t offset, size;
  };
  std::uint64_t size_;
  std::vector<Gap> gaps_;  // ascending, never adjacent
};

}  // namespace sepx::gpu
