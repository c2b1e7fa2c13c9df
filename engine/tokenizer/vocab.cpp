// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/vocab.h"

#include <bit>
#include <functional>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

Result<void> Vocab::add(std::string token, std::uint64_t id) {
  if (id >= kMostTokens)
    return fail(ErrorKind::BadInput,
                fmt::format("the token {} has the id {}, which is not below {}", inQuotes(token), id, kMostTokens));
  if (token.size() > kLongestToken)
    return fail(ErrorKind::BadInput,
                fmt::format("the token {} has {} bytes, more than {}", inQuotes(token), token.size(), kLongestToken));
  if (id >= tokens_.size()) {
    tokens_.resize(id + 1);
    there_.resize(id + 1);
  }
  if (there_[id] && tokens_[id] != token)
    return fail(ErrorKind::BadInput,
                fmt::format("the tokens {} and {} have the same id {}", inQuotes(tokens_[id]), inQuotes(token), id));
  count_ += !there_[id];
  there_[id] = true;
  tokens_[id] = std::move(token);
  return {};
}

void Vocab::finish(bool lastWins) {
  slots_.assign(std::bit_ceil(count_ * 2 + 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < tokens_.size(); ++id) {
    if (!there_[id]) continue;
    std::size_t slot = std::hash<std::string_view>()(tokens_[id]) & mask;
    while (slots_[slot] != 0 && tokens_[slots_[slot] - 1] != tokens_[id])
      slot = (slot + 1) & mask;
    if (slots_[slot] == 0 || lastWins) slots_[slot] = id + 1;
  }
}

std::optional<std::uint32_t> Vocab::find(std::string_view token) const {
  if (slots_.empty()) return std::nullopt;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = std::hash<std::string_view>()(token) & mask; slots_[slot] != 0; slot = (slot + 1) & mask)
    if (tokens_[slots_[slot] - 1] == token) return slots_[slot] - 1;
  return std::nullopt;
}

MergeTable::MergeTable(std::size_t count)
    : slots_(std::bit_ceil(count * 2 + 2)), shift_(64 - std::countr_zero(slots_.size())) {}

std::size_t MergeTable::slotOf(std::uint64_t pair) const {
  std::size_t slot = static_cast<std::size_t>((pair ^ pair >> 29) * 0x9E3779B97F4A7C15ull >> shift_);
  while (slots_[slot].pair != pair && slots_[slot].pair != ~std::uint64_t{0})
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void MergeTable::add(std::uint32_t left, std::uint32_t right, Merge merge) {
  const std::uint64_t pair = std::uint64_t{left} << 32 | right;
  Slot& slot = slots_[slotOf(pair)];
  if (slot.pair != pair) slot = {pair, merge};
}

const Merge* MergeTable::find(std::uint32_t left, std::uint32_t right) const {
  const std::uint64_t pair = std::uint64_t{left} << 32 | right;
  const Slot& slot = slots_[slotOf(pair)];
  return slot.pair == pair ? &slot.merge : nullptr;
}

}  // namespace sepx::tokenizer
