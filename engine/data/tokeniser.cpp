// SPDX-License-Identifier: Apache-2.0
#include "engine/data/tokeniser.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/data/byte_pairs.h"

namespace sepx::data {
namespace {

class Bytes final : public Tokeniser {
 public:
  int size() const override { return 256; }
  std::string bytes(Token token) const override { return std::string(1, static_cast<char>(token)); }
  Result<std::vector<Token>> encode(std::string_view text) const override {
    std::vector<Token> tokens(text.size());
    std::transform(text.begin(), text.end(), tokens.begin(), [](char c) { return static_cast<unsigned char>(c); });
    return tokens;
  }
};

/// Returns the next code point of well-formed UTF-8 and moves `at` past it.
char32_t nextCode(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  char32_t code = first & (0x3FU >> more);
  for (int i = 0; i < more; ++i)
    code = code << 6 | (byte(at++) & 0x3F);
  return code;
}

class Characters final : public Tokeniser {
 public:
  explicit Characters(std::vector<char32_t> codes) : codes_(std::move(codes)) {
    for (std::size_t i = 0; i < codes_.size() && codes_[i] < 128; ++i)
      ascii_[codes_[i]] = static_cast<int>(i);
  }
  int size() const override { return static_cast<int>(codes_.size()); }
  std::string bytes(Token token) const override {
    std::string out;
    appendUtf8(out, codes_[token]);
    return out;
  }
  Result<std::vector<Token>> encode(std::string_view text) const override {
    if (const auto wrong = findInvalidUtf8(text))
      return fail(ErrorKind::BadInput, fmt::format("is not UTF-8 at offset {}", *wrong));
    std::vector<Token> tokens;
    tokens.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      const char32_t code = nextCode(text, at);
      const std::optional<Token> token = find(code);
      if (!token)
        return fail(ErrorKind::BadInput,
                    fmt::format("the character U+{:04X} is not in the vocabulary", static_cast<std::uint32_t>(code)));
      tokens.push_back(*token);
    }
    return tokens;
  }

 private:
  std::optional<Token> find(char32_t code) const {
    if (code < 128) return ascii_[code] < 0 ? std::nullopt : std::optional<Token>(static_cast<Token>(ascii_[code]));
    const auto at = std::lower_bound(codes_.begin(), codes_.end(), code);
    if (at == codes_.end() || *at != code) return std::nullopt;
    return static_cast<Token>(at - codes_.begin());
  }

  std::vector<char32_t> codes_;  ///< in ascending order
  std::array<int, 128> ascii_ = [] {
    std::array<int, 128> none{};
    none.fill(-1);
    return none;
  }();
};

Result<std::unique_ptr<Tokeniser>> characters(std::string_view text) {
  if (const auto wrong = findInvalidUtf8(text))
    return fail(ErrorKind::BadInput,
                fmt::format("is not UTF-8: byte 0x{:02X} at offset {}; convert it (iconv -t UTF-8) or use data.tokens "
                            "= \"bytes\"",
                            static_cast<unsigned char>(text[*wrong]), *wrong));
  std::vector<bool> seen(0x110000, false);
  for (std::size_t at = 0; at < text.size();)
    seen[nextCode(text, at)] = true;
  std::vector<char32_t> codes;
  for (char32_t code = 0; code < 0x110000; ++code)
    if (seen[code]) codes.push_back(code);
  if (codes.size() >= static_cast<std::size_t>(kMostTokens))
    return fail(ErrorKind::BadInput, fmt::format("has {} different characters, more than the {} a vocabulary may "
                                                 "have; use data.tokens = \"byte_pairs\"",
                                                 codes.size(), kMostTokens - 1));
  return std::make_unique<Characters>(std::move(codes));
}

/// Renumbers the tokens of another tokeniser by their frequency in a text: the most frequent first, unused ones last.
class ByFrequency final : public Tokeniser {
 public:
  ByFrequency(std::unique_ptr<Tokeniser> inner, const std::vector<Token>& text) : inner_(std::move(inner)) {
    const auto size = static_cast<std::size_t>(inner_->size());
    std::vector<std::int64_t> counts(size, 0);
    for (const Token token : text)
      ++counts[token];
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), Token{0});
    std::stable_sort(order_.begin(), order_.end(), [&](Token a, Token b) { return counts[a] > counts[b]; });
    rank_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      rank_[order_[i]] = static_cast<Token>(i);
  }
  int size() const override { return inner_->size(); }
  std::string bytes(Token token) const override { return inner_->bytes(order_[token]); }
  Result<std::vector<Token>> encode(std::string_view text) const override {
    SEPX_ASSIGN(std::vector<Token> tokens, inner_->encode(text));
    for (Token& token : tokens)
      token = rank_[token];
    return tokens;
  }

 private:
  std::unique_ptr<Tokeniser> inner_;
  std::vector<Token> order_, rank_;  ///< new -> old, old -> new
};

Result<std::unique_ptr<Tokeniser>> bytePairs(std::string_view learn, int tokens) {
  auto pairs = std::make_unique<BytePairs>(learnMerges(learn, tokens));
  SEPX_ASSIGN(const std::vector<Token> text, pairs->encode(learn));
  return std::make_unique<ByFrequency>(std::move(pairs), text);
}

}  // namespace

std::string Tokeniser::decode(std::span<const Token> tokens) const {
  std::string text;
  for (const Token token : tokens)
    text += bytes(token);
  return text;
}

Result<std::unique_ptr<Tokeniser>> makeTokeniser(Tokens kind, int vocabulary, std::string_view text,
                                                 std::size_t learn) {
  if (kind == Tokens::Bytes) return std::make_unique<Bytes>();
  if (kind == Tokens::Characters) return characters(text);
  return bytePairs(text.substr(0, learn), vocabulary - 1);
}

std::string byteLevel(std::string_view bytes) {
  static const std::array<char32_t, 256> kCodes = [] {
    std::array<char32_t, 256> codes{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool printable = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
      codes[byte] = printable ? byte : next++;
    }
    return codes;
  }();
  std::string out;
  for (const char c : bytes)
    appendUtf8(out, kCodes[static_cast<unsigned char>(c)]);
  return out;
}

}  // namespace sepx::data
