// SPDX-License-Identifier: Apache-2.0
// Text to token ids and back, as the files beside the weights define it: normalisation, splitting into words, the model
// (BPE, WordPiece, Unigram, WordLevel), and tokens added around the text. The files are untrusted: sizes, patterns and
// time are bounded, and an unknown component is rejected with its name. Immutable; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::tokenizer {

inline constexpr std::size_t kMostTokens = 2'000'000;     ///< ids are below this
inline constexpr std::size_t kLongestToken = 65'536;      ///< bytes
inline constexpr std::size_t kMostAdded = 200'000;        ///< added tokens
inline constexpr std::size_t kLongestAdded = 1024;        ///< bytes; also of strings that components insert into a text
inline constexpr std::size_t kMostComponents = 256;       ///< normalizers, splits, post-processors, decoders
inline constexpr std::size_t kMostMerges = 4'000'000;     ///< merges of BPE
inline constexpr std::size_t kLongestText = 8'388'608;    ///< bytes
inline constexpr std::size_t kLongestPattern = 4096;      ///< bytes of a pattern
inline constexpr std::size_t kLongestPatterns = 65'536;   ///< bytes of the regular expressions of a file
inline constexpr std::size_t kLongestFile = 268'435'456;  ///< bytes
inline constexpr double kMostSeconds = 20;                ///< for one text

/// One token of a text.
struct Token {
  std::uint32_t id = 0;  ///< row of the vocabulary
  /// Bytes [begin, end) of the original text, exact to the byte where normalisation kept the character. Empty for
  /// tokens that were added around the text.
  std::size_t begin = 0, end = 0;
  bool added = false;  ///< put around the text by the post-processor
};

struct Parts;

class Tokenizer {
 public:
  explicit Tokenizer(std::unique_ptr<Parts> parts);
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  /// `addSpecial`: adds the tokens that the file puts around a text ("<s>", "[CLS]"). Usage: the text is not UTF-8 or
  /// too long. BadInput: a pattern needs too many steps, the time limit is reached, the normalised text is too long, or
  /// a word is not in the vocabulary, which has no token for unknown words.
  Result<std::vector<Token>> encode(std::string_view text, bool addSpecial = true) const;
  /// Decodes the tokens; special tokens are kept. Usage: an id is not in the vocabulary. BadInput: the text is too
  /// long, or the time limit is reached.
  Result<std::string> decode(std::span<const std::uint32_t> ids) const;

  /// The token as stored ("Ġthe", "▁the", "##ing"); nothing where no token has this id.
  std::optional<std::string> token(std::uint32_t id) const;
  /// The bytes that the token represents: marks of spaces and bytes are resolved. They may be part of a character.
  std::optional<std::string> bytes(std::uint32_t id) const;
  std::optional<std::uint32_t> id(std::string_view token) const;
  /// One more than the largest id.
  std::size_t size() const;
  /// Whether the file declares it a control token ("<s>", "[CLS]").
  bool special(std::uint32_t id) const;
  /// "tokenizer.json", "GGUF", …
  const std::string& from() const;
  /// Notes for the user: a rule that the file does not give and that was assumed for it.
  const std::vector<std::string>& notes() const;

 private:
  std::unique_ptr<const Parts> parts_;
};

using Opened = std::shared_ptr<const Tokenizer>;  ///< usable on any thread

/// Opens the tokenizer of a tokenizer's own file (the folder around it is then not searched), of a weight file or of a
/// folder. BadInput, with one sentence that names the file: nothing is there, the file is broken, it uses something
/// unknown, or it is a list of words without a rule for splitting a text.
Result<Opened> openTokenizer(const std::string& path);

/// Reads the text of a tokenizer.json; `name` is used in messages.
Result<Opened> readTokenizerJson(std::string_view text, const std::string& name);

}  // namespace sepx::tokenizer
