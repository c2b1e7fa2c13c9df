// SPDX-License-Identifier: Apache-2.0
// A text during normalisation and splitting; each byte records where in the original text it came from.
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

/// Bytes [begin, end) of the original text.
struct Place {
  std::uint32_t begin = 0, end = 0;
};

struct AlignedText {
  std::string bytes;
  std::vector<Place> places;  ///< one per byte

  static AlignedText of(std::string_view text);  ///< each byte comes from itself
  /// Appends `add`; each of its bytes came from `place`.
  void append(std::string_view add, Place place);
  void append(const AlignedText& from, std::size_t begin, std::size_t end);
  Place place(std::size_t begin, std::size_t end) const;
  /// Inserts `add` at the beginning, with the empty place where the text begins.
  void prepend(std::string_view add);
};

/// Bytes [begin, end) of an AlignedText, and the added token that they are.
struct Piece {
  std::size_t begin = 0, end = 0;
  std::int64_t token = -1;  ///< negative: none, still to be split
};

/// Maximum number of bytes of any text after normalisation and splitting. The data kept for each of them (places,
/// matches, pieces, parts of words, tokens) take up to a hundred bytes of memory.
inline constexpr std::size_t kLongestWork = 33'554'432;
/// BadInput: the text has more than `most` bytes.
tl::unexpected<Error> tooLongInside(std::size_t most);

struct Pieces {  ///< a text in pieces
  AlignedText text;
  std::vector<Piece> pieces;
};

/// Steps of a loop between two checks of the clock.
inline constexpr std::size_t kStepsBetween = 1024;

/// The time limit of one text, and the maximum number of its bytes after normalisation and splitting.
class Budget {
 public:
  /// `bytes`: the size of the original text. Compatibility normalisation makes at most 33 bytes of 3, and GPT-2's byte
  /// characters double that. A factor of 64 is more than any genuine tokenizer needs, and keeps short texts short.
  explicit Budget(double seconds, std::size_t bytes = kLongestWork)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))),
        most_(std::min(kLongestWork, 65'536 + 64 * std::min(bytes, kLongestWork))) {}
  bool spent() const { return std::chrono::steady_clock::now() > end_; }
  /// BadInput when the time limit is reached.
  Result<void> check() const;
  std::size_t most() const { return most_; }  ///< bytes

 private:
  std::chrono::steady_clock::time_point end_;
  std::size_t most_;
};

}  // namespace sepx::tokenizer
