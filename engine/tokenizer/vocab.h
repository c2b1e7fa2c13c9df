// SPDX-License-Identifier: Apache-2.0
// Tokens by id and ids by token, and numbers by pairs of ids: two tables with open addressing, since a large vocabulary
// has a quarter of a million tokens and half a million merges. Private to engine/tokenizer. Immutable once filled; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::tokenizer {

/// BadInput: so many tokens, or merges, have the same hash, which a stranger can choose, that finding one would take as
/// long as going through all.
tl::unexpected<Error> crowdedTokens();
tl::unexpected<Error> crowdedMerges();

class Vocab {
 public:
  /// BadInput: the id or the token is too large, the id has another token already, or the token another id.
  Result<void> add(std::string token, std::uint64_t id);
  /// To be called once all are added: makes find() fast. A token that comes twice is found at its last id where
  /// `lastWins`. BadInput: crowdedTokens().
  Result<void> finish(bool lastWins = false);

  std::optional<std::uint32_t> find(std::string_view token) const;  ///< none: it is no token
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};         ///< no id
  /// find() of many, kNone where there is none: what memory the next need is fetched ahead.
  void find(std::span<const std::string_view> tokens, std::span<std::uint32_t> ids) const;
  /// No token has two ids.
  bool unique() const { return unique_; }
  const std::vector<std::string>& tokens() const { return tokens_; }
  bool has(std::uint32_t id) const { return id < there_.size() && there_[id]; }
  std::size_t count() const { return count_; }

 private:
  std::vector<std::string> tokens_;
  std::vector<bool> there_;
  struct Slot {
    std::uint32_t next = 0;  ///< id + 1; 0: free
    std::uint32_t tag = 0;   ///< of the token's hash: most others are told apart by it
  };
  std::optional<std::uint32_t> find(std::string_view token, std::size_t hash) const;
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  bool unique_ = true;
};

/// What two neighbours become.
struct Merge {
  double rank = 0;  ///< the lowest goes first
  std::uint32_t id = 0;
};

class MergeTable {  ///< which pairs become one, and how early
 public:
  explicit MergeTable(std::size_t count);
  /// The first of the same pair stays. False: crowdedMerges().
  [[nodiscard]] bool add(std::uint32_t left, std::uint32_t right, std::uint32_t rank, std::uint32_t id);
  std::optional<Merge> find(std::uint32_t left, std::uint32_t right) const;
  /// Fetches the memory that add() of this pair will need.
  void prepare(std::uint32_t left, std::uint32_t right) const;

 private:
  struct Slot {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint32_t rank = 0, id = 0;
  };
  std::size_t firstSlot(std::uint64_t pair) const;
  std::size_t slotOf(std::uint64_t pair) const;
  std::vector<Slot> slots_;
  std::size_t probesLeft_;  ///< of those that all add() together may take
  int shift_ = 0;
};

}  // namespace sepx::tokenizer
