// SPDX-License-Identifier: Apache-2.0
// Lookup of tokens by id, of ids by token and of merges by pairs of ids: two hash tables with open addressing, because
// a large vocabulary has a quarter of a million tokens and half a million merges. Private to engine/tokenizer.
// Immutable once filled; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::tokenizer {

/// BadInput: so many tokens, or merges, have the same hash that a lookup would take as long as a linear search. An
/// attacker can choose such entries.
tl::unexpected<Error> crowdedTokens();
tl::unexpected<Error> crowdedMerges();

class Vocab {
 public:
  /// BadInput: the id or the token is too large, or the id already has another token.
  Result<void> add(std::string token, std::uint64_t id);
  /// Must be called once all tokens are added; makes find() fast. If a token has several ids, find() returns the last
  /// one where `lastWins`, else the first. BadInput: crowdedTokens().
  Result<void> finish(bool lastWins = false);

  std::optional<std::uint32_t> find(std::string_view token) const;  ///< empty: not a token
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};         ///< no id
  /// find() for many tokens; kNone where a token does not exist. Prefetches the memory of the next lookups.
  void find(std::span<const std::string_view> tokens, std::span<std::uint32_t> ids) const;
  /// Whether every token has only one id.
  bool unique() const { return unique_; }
  const std::vector<std::string>& tokens() const { return tokens_; }
  bool has(std::uint32_t id) const { return id < present_.size() && present_[id]; }
  std::size_t count() const { return count_; }

 private:
  std::vector<std::string> tokens_;
  std::vector<bool> present_;
  struct Slot {
    std::uint32_t next = 0;  ///< id + 1; 0: free
    std::uint32_t tag = 0;   ///< part of the token's hash: tells most other tokens apart
  };
  std::optional<std::uint32_t> find(std::string_view token, std::size_t hash) const;
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  bool unique_ = true;
};

/// The result of merging two adjacent tokens.
struct Merge {
  double rank = 0;  ///< the lowest goes first
  std::uint32_t id = 0;
};

class MergeTable {  ///< maps pairs to their merges
 public:
  explicit MergeTable(std::size_t count);
  /// Keeps the first entry of a pair. Returns false where crowdedMerges() applies.
  [[nodiscard]] bool add(std::uint32_t left, std::uint32_t right, std::uint32_t rank, std::uint32_t id);
  std::optional<Merge> find(std::uint32_t left, std::uint32_t right) const;
  /// Prefetches the memory that add() of this pair needs.
  void prepare(std::uint32_t left, std::uint32_t right) const;

 private:
  struct Slot {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint32_t rank = 0, id = 0;
  };
  std::size_t firstSlot(std::uint64_t pair) const;
  std::size_t slotOf(std::uint64_t pair) const;
  std::vector<Slot> slots_;
  std::size_t probesLeft_;  ///< slots that all calls of add() together may still skip
  int shift_ = 0;
};

}  // namespace sepx::tokenizer
