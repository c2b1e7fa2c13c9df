// SPDX-License-Identifier: Apache-2.0
// A text on its way through normal forms and splits, whose every byte knows where in the given text it came from.
// Private to engine/tokenizer; one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::tokenizer {

/// Bytes [begin, end) of the given text.
struct Place {
  std::uint32_t begin = 0, end = 0;
};

struct AlignedText {
  std::string bytes;
  std::vector<Place> places;  ///< one a byte

  static AlignedText of(std::string_view text);  ///< each byte is from itself
  /// Every byte of `add` came from `place`.
  void append(std::string_view add, Place place);
  void append(const AlignedText& from, std::size_t begin, std::size_t end);
  Place place(std::size_t begin, std::size_t end) const;
  /// `add` in front, from the empty place where the text begins.
  void prepend(std::string_view add);
};

/// Bytes [begin, end) of an AlignedText, and the added token that they are.
struct Piece {
  std::size_t begin = 0, end = 0;
  std::int64_t token = -1;  ///< negative: none, still to be split
};

/// Bytes that any text may have after normal forms and splits. What stands beside each of them (places, matches,
/// pieces, parts of words, tokens) takes up to a hundred bytes of memory.
inline constexpr std::size_t kLongestWork = 33'554'432;
/// BadInput: it has more than `most`.
tl::unexpected<Error> tooLongInside(std::size_t most);

struct Pieces {  ///< a text in pieces
  AlignedText text;
  std::vector<Piece> pieces;
};

/// Steps of a loop between two looks at the clock.
inline constexpr std::size_t kStepsBetween = 1024;

/// The time that one text may take, and the bytes that it may have after normal forms and splits.
class Budget {
 public:
  /// `bytes`: those of the text as it is given. The compatible forms make 33 bytes of 3 at most, and GPT-2's characters
  /// twice as many of those: 64 times is more than any tokenizer needs that is meant, and little for a short text.
  explicit Budget(double seconds, std::size_t bytes = kLongestWork)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))),
        most_(std::min(kLongestWork, 65'536 + 64 * std::min(bytes, kLongestWork))) {}
  bool spent() const { return std::chrono::steady_clock::now() > end_; }
  /// BadInput when it is spent.
  Result<void> check() const;
  std::size_t most() const { return most_; }  ///< bytes

 private:
  std::chrono::steady_clock::time_point end_;
  std::size_t most_;
};

}  // namespace sepx::tokenizer
