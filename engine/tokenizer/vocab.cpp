// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/vocab.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

std::size_t hashOf(std::string_view token) {
  return std::hash<std::string_view>()(token);
}
std::uint32_t tagOf(std::size_t hash) {
  return static_cast<std::uint32_t>(std::uint64_t{hash} >> 32);
}
/// Limit on the slots skipped while a table is filled. Entries that no attacker has chosen skip only a few each.
std::size_t mostProbes(std::size_t entries) {
  return 64 * entries + 1000;
}
std::uint64_t pairOf(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

}  // namespace

tl::unexpected<Error> crowdedTokens() {
  return fail(ErrorKind::BadInput, "so many tokens have the same hash that finding one of them would take too long");
}

tl::unexpected<Error> crowdedMerges() {
  return fail(ErrorKind::BadInput, "so many merges have the same hash that finding one of them would take too long");
}

Result<void> Vocab::add(std::string token, std::uint64_t id) {
  if (id >= kMostTokens)
    return fail(ErrorKind::BadInput,
                fmt::format("the token {} has the id {}, which is not below {}", inQuotes(token), id, kMostTokens));
  if (token.size() > kLongestToken)
    return fail(ErrorKind::BadInput,
                fmt::format("the token {} has {} bytes, more than {}", inQuotes(token), token.size(), kLongestToken));
  if (id >= tokens_.size()) {
    tokens_.resize(id + 1);
    present_.resize(id + 1);
  }
  if (present_[id] && tokens_[id] != token)
    return fail(ErrorKind::BadInput,
                fmt::format("the tokens {} and {} have the same id {}", inQuotes(tokens_[id]), inQuotes(token), id));
  count_ += !present_[id];
  present_[id] = true;
  tokens_[id] = std::move(token);
  return {};
}

Result<void> Vocab::finish(bool lastWins) {
  slots_.assign(std::bit_ceil(count_ * 2 + 2), {});
  unique_ = true;
  std::size_t probesLeft = mostProbes(count_);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < tokens_.size(); ++id) {
    if (!present_[id]) continue;
    const std::size_t hash = hashOf(tokens_[id]);
    std::size_t slot = hash & mask;
    for (; slots_[slot].next != 0 && (slots_[slot].tag != tagOf(hash) || tokens_[slots_[slot].next - 1] != tokens_[id]);
         slot = (slot + 1) & mask)
      if (probesLeft-- == 0) return crowdedTokens();
    const bool taken = slots_[slot].next != 0;
    unique_ = unique_ && !taken;
    if (!taken || lastWins) slots_[slot] = {id + 1, tagOf(hash)};
  }
  return {};
}

std::optional<std::uint32_t> Vocab::find(std::string_view token) const {
  return find(token, hashOf(token));
}

std::optional<std::uint32_t> Vocab::find(std::string_view token, std::size_t hash) const {
  if (slots_.empty()) return std::nullopt;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask; slots_[slot].next != 0; slot = (slot + 1) & mask)
    if (slots_[slot].tag == tagOf(hash) && tokens_[slots_[slot].next - 1] == token) return slots_[slot].next - 1;
  return std::nullopt;
}

void Vocab::find(std::span<const std::string_view> tokens, std::span<std::uint32_t> ids) const {
  constexpr std::size_t kAtOnce = 64;
  std::array<std::size_t, kAtOnce> hashes{};
  for (std::size_t begin = 0; begin < tokens.size(); begin += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, tokens.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hashOf(tokens[begin + i]);
      if (!slots_.empty()) __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)]);
    }
    for (std::size_t i = 0; i < count && !slots_.empty(); ++i) {
      const Slot& slot = slots_[hashes[i] & (slots_.size() - 1)];
      if (slot.next != 0) __builtin_prefetch(&tokens_[slot.next - 1]);
    }
    for (std::size_t i = 0; i < count; ++i)
      ids[begin + i] = find(tokens[begin + i], hashes[i]).value_or(kNone);
  }
}

MergeTable::MergeTable(std::size_t count)
    : slots_(std::bit_ceil(count * 2 + 2)),
      probesLeft_(mostProbes(count)),
      shift_(64 - std::countr_zero(slots_.size())) {}

std::size_t MergeTable::firstSlot(std::uint64_t pair) const {
  return static_cast<std::size_t>((pair ^ pair >> 29) * 0x9E3779B97F4A7C15ull >> shift_);
}

std::size_t MergeTable::slotOf(std::uint64_t pair) const {
  std::size_t slot = firstSlot(pair);
  while (slots_[slot].pair != pair && slots_[slot].pair != ~std::uint64_t{0})
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void MergeTable::prepare(std::uint32_t left, std::uint32_t right) const {
  __builtin_prefetch(&slots_[firstSlot(pairOf(left, right))], 1);
}

bool MergeTable::add(std::uint32_t left, std::uint32_t right, std::uint32_t rank, std::uint32_t id) {
  const std::uint64_t pair = pairOf(left, right);
  const std::size_t found = slotOf(pair), passed = (found - firstSlot(pair)) & (slots_.size() - 1);
  if (passed > probesLeft_) return false;
  probesLeft_ -= passed;
  Slot& slot = slots_[found];
  if (slot.pair != pair) slot = {pair, rank, id};
  return true;
}

std::optional<Merge> MergeTable::find(std::uint32_t left, std::uint32_t right) const {
  const std::uint64_t pair = pairOf(left, right);
  const Slot& slot = slots_[slotOf(pair)];
  if (slot.pair != pair) return std::nullopt;
  return Merge{static_cast<double>(slot.rank), slot.id};
}

}  // namespace sepx::tokenizer
