// SPDX-License-Identifier: Apache-2.0
// Sorted strings, to find all that begin at a position of a text. Private to engine/tokenizer. Immutable; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace sepx::tokenizer {

class SortedTokens {
 public:
  using Entry = std::pair<std::string_view, std::uint32_t>;  ///< the caller keeps the text

  SortedTokens() = default;
  explicit SortedTokens(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.first.empty(); });
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.first < b.first; });
    entries_.erase(std::unique(entries_.begin(), entries_.end(),
                               [](const Entry& a, const Entry& b) { return a.first == b.first; }),
                   entries_.end());
    for (std::size_t i = 0; i < entries_.size(); ++i)
      ++starts_[static_cast<unsigned char>(entries_[i].first.front()) + 1u];
    for (std::size_t byte = 1; byte < starts_.size(); ++byte)
      starts_[byte] += starts_[byte - 1];
  }

  /// Calls take(bytes, value) for every entry that begins at text[at], the shortest first.
  template <class Take>
  void eachAt(std::string_view text, std::size_t at, Take take) const {
    const auto first = static_cast<unsigned char>(text[at]);
    std::size_t low = starts_[first], high = starts_[first + 1u];
    for (std::size_t length = 1; low < high; ++length) {
      if (entries_[low].first.size() == length) {
        take(length, entries_[low].second);
        ++low;
      }
      if (at + length >= text.size() || low == high) return;
      // All in [low, high) have more than `length` bytes, and share the bytes that the first and the last share.
      const std::string_view least = entries_[low].first, most = entries_[high - 1].first;
      const std::size_t shared = sharedBytes(least, most, length);
      if (shared > length) {
        if (text.substr(at + length, shared - length) != least.substr(length, shared - length)) return;
        length = shared - 1;
        continue;
      }
      const auto next = static_cast<unsigned char>(text[at + length]);
      const auto byte = [length](const Entry& entry) { return static_cast<unsigned char>(entry.first[length]); };
      const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(low);
      const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(high);
      const auto from = std::partition_point(begin, end, [&](const Entry& entry) { return byte(entry) < next; });
      const auto to = std::partition_point(from, end, [&](const Entry& entry) { return byte(entry) == next; });
      low = static_cast<std::size_t>(from - entries_.begin());
      high = static_cast<std::size_t>(to - entries_.begin());
    }
  }

  bool empty() const { return entries_.empty(); }

 private:
  /// Length of the common prefix of a and b, whose first `from` bytes are known to be equal.
  static std::size_t sharedBytes(std::string_view a, std::string_view b, std::size_t from) {
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    return static_cast<std::size_t>(
        std::mismatch(a.begin() + static_cast<std::ptrdiff_t>(from), end, b.begin() + static_cast<std::ptrdiff_t>(from))
            .first -
        a.begin());
  }

  std::vector<Entry> entries_;
  std::array<std::size_t, 257> starts_{};
};

}  // namespace sepx::tokenizer
