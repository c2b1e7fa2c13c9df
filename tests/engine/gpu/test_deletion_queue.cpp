// SPDX-License-Identifier: Apache-2.0
// Deferred deletion with fake deleters, and the free list of a memory block. Needs no device.
#include "engine/gpu/deletion_queue.h"

#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/gpu/free_list.h"

namespace sepx::gpu {

TEST_CASE("Deleters run in order once their value is completed") {
  DeletionQueue queue;
  std::vector<int> dead;
  queue.push(1, [&] { dead.push_back(1); });
  queue.push(1, [&] { dead.push_back(2); });
  queue.push(3, [&] { dead.push_back(3); });
  CHECK(queue.collect(0) == 0);
  CHECK(dead.empty());
  CHECK(queue.collect(2) == 2);
  CHECK(dead == std::vector<int>{1, 2});
  CHECK(queue.collect(2) == 0);
  CHECK(queue.collect(3) == 1);
  CHECK(dead == std::vector<int>{1, 2, 3});
  CHECK(queue.size() == 0);
}

TEST_CASE("A deleter added during a recording waits for its submission") {
  DeletionQueue queue;
  int dead = 0;
  queue.push(4, [&] { ++dead; });
  queue.push(DeletionQueue::kUnstamped, [&] { ++dead; });
  CHECK(queue.collect(100) == 1);  // the submission that uses the second one is not known yet
  queue.stamp(101);
  CHECK(queue.collect(100) == 0);
  CHECK(queue.collect(101) == 1);
  CHECK(dead == 2);
}

TEST_CASE("A deleter may add another deleter") {
  DeletionQueue queue;
  int dead = 0;
  queue.push(1, [&] {
    ++dead;
    queue.push(2, [&] { ++dead; });
  });
  CHECK(queue.collect(1) == 1);
  CHECK(queue.size() == 1);
  queue.flush();
  CHECK(dead == 2);
}

TEST_CASE("The free list never overlaps, aligns its pieces and finally merges into one gap") {
  struct Piece {
    std::uint64_t offset, size;
  };
  constexpr std::uint64_t kSize = 1 << 16;
  FreeList list(kSize);
  std::mt19937 random(7);
  std::vector<Piece> pieces;
  std::uint64_t used = 0;
  for (int i = 0; i < 4000; ++i) {
    if (pieces.empty() || random() % 3) {
      const std::uint64_t size = 1 + random() % 3000, alignment = std::uint64_t{1} << random() % 9;
      const auto offset = list.allocate(size, alignment);
      if (!offset) continue;
      CHECK(*offset % alignment == 0);
      CHECK(*offset + size <= kSize);
      for (const Piece& piece : pieces)
        REQUIRE((*offset + size <= piece.offset || piece.offset + piece.size <= *offset));
      pieces.push_back({*offset, size});
      used += size;
    } else {
      const std::size_t at = random() % pieces.size();
      list.release(pieces[at].offset, pieces[at].size);
      used -= pieces[at].size;
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
    }
    REQUIRE(list.free() == kSize - used);
  }
  for (const Piece& piece : pieces)
    list.release(piece.offset, piece.size);
  CHECK(list.empty());
  CHECK_FALSE(list.allocate(kSize + 1, 1));
  CHECK(list.allocate(kSize, 256) == 0u);
}

}  // namespace sepx::gpu
