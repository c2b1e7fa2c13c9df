// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/added_tokens.h"

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kLongestNormal = 16 * kLongestAdded;  // bytes of the normal form of one; of all: kLongestWork

bool endsInWord(std::string_view text) {
  if (text.empty()) return false;
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
    --at;
  return isWord(characterAt(text, at).code);
}

/// Where the whitespace at the end of `text` begins.
std::size_t blanksBefore(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
      --at;
    if (!isBlank(characterAt(text, at).code)) break;
    end = at;
  }
  return end;
}

std::size_t blanksAfter(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = characterAt(text, at);
    if (!isBlank(character.code)) break;
    at += character.length;
  }
  return at;
}

/// The normal form of a token's content, which is searched for in normalised texts.
Result<std::string> normalFormOf(const AddedToken& token, const Normalizer& normalizer, const Budget& budget) {
  if (budget.spent())
    return fail(ErrorKind::BadInput,
                fmt::format("the normal forms of the added tokens take longer than {} seconds", kMostSeconds));
  AlignedText text = AlignedText::of(token.content);
  if (auto done = normalizer.apply(text, budget); !done)
    return fail(done.error().kind,
                fmt::format("the added token {}: {}", inQuotes(token.content), done.error().message));
  if (text.bytes.size() > kLongestNormal)
    return fail(ErrorKind::BadInput, fmt::format("the normal form of the added token {} has {} bytes, more than {}",
                                                 inQuotes(token.content), text.bytes.size(), kLongestNormal));
  return std::move(text.bytes);
}

}  // namespace

Result<AddedTokens> AddedTokens::of(std::vector<AddedToken> tokens, const Normalizer* normalizer) {
  if (tokens.size() > kMostAdded)
    return fail(ErrorKind::BadInput,
                fmt::format("{} added tokens; at most {} are supported", tokens.size(), kMostAdded));
  AddedTokens added;
  added.tokens_ = std::move(tokens);
  std::vector<SortedTokens::Entry> entries[2];
  const Budget budget(kMostSeconds, kLongestAdded);
  std::size_t normalBytes = 0;
  for (std::uint32_t i = 0; i < added.tokens_.size(); ++i) {
    const AddedToken& token = added.tokens_[i];
    if (token.content.size() > kLongestAdded || token.id >= kMostTokens)
      return fail(ErrorKind::BadInput,
                  fmt::format("the added token {} has {} bytes and the id {}; {} and {} are the "
                              "limits",
                              inQuotes(token.content), token.content.size(), token.id, kLongestAdded, kMostTokens));
    if (token.content.empty() || !added.contents_.emplace(token.content, i).second) continue;
    added.ids_.emplace(token.id, Indices{i, added.patterns_.size()});
    std::string pattern = token.content;
    if (token.normalized && normalizer && !token.exact) {
      SEPX_ASSIGN(pattern, normalFormOf(token, *normalizer, budget));
      normalBytes += pattern.size();
      if (normalBytes > kLongestWork)
        return fail(ErrorKind::BadInput,
                    fmt::format("the normal forms of the added tokens have more than {} bytes", kLongestWork));
    }
    added.patterns_.push_back(std::move(pattern));
    if (token.searched) entries[token.normalized].emplace_back(added.patterns_.back(), i);
  }
  for (int normalized = 0; normalized < 2; ++normalized)
    added.sorted_[normalized] = SortedTokens(std::move(entries[normalized]));
  return added;
}

const AddedToken* AddedTokens::byId(std::uint32_t id) const {
  const auto at = ids_.find(id);
  return at == ids_.end() ? nullptr : &tokens_[at->second.token];
}

const std::string* AddedTokens::written(std::uint32_t id) const {
  const auto at = ids_.find(id);
  return at == ids_.end() ? nullptr : &patterns_[at->second.pattern];
}

const AddedToken* AddedTokens::byContent(std::string_view content) const {
  const auto at = contents_.find(content);
  return at == contents_.end() ? nullptr : &tokens_[at->second];
}

Result<void> AddedTokens::split(Pieces& pieces, bool normalized, const Budget& budget) const {
  if (sorted_[normalized].empty()) return {};
  std::vector<Piece> out;
  for (const Piece& piece : pieces.pieces) {
    if (piece.token >= 0) {
      out.push_back(piece);
    } else {
      SEPX_TRY(splitPiece(pieces.text, piece, sorted_[normalized], budget, out));
    }
  }
  pieces.pieces = std::move(out);
  return {};
}

Result<void> AddedTokens::splitPiece(const AlignedText& text, Piece piece, const SortedTokens& tokens,
                                     const Budget& budget, std::vector<Piece>& into) const {
  const auto bytes = std::string_view(text.bytes).substr(piece.begin, piece.end - piece.begin);
  std::size_t done = 0, steps = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
    std::size_t length = 0;
    std::uint32_t which = 0;
    tokens.eachAt(bytes, at, [&](std::size_t longer, std::uint32_t value) {
      length = longer;
      which = value;
    });
    if (length == 0) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[which];
    std::size_t begin = at, end = at + length;
    at = end;
    if (token.singleWord &&
        (endsInWord(bytes.substr(0, begin)) || (end < bytes.size() && isWord(characterAt(bytes, end).code))))
      continue;
    if (token.leftStrip && begin > done) begin = done + blanksBefore(bytes.substr(done, begin - done));
    if (token.rightStrip) end += blanksAfter(bytes.substr(end));
    at = end;
    if (done < begin) into.push_back({piece.begin + done, piece.begin + begin, -1});
    into.push_back({piece.begin + begin, piece.begin + end, static_cast<std::int64_t>(token.id)});
    done = end;
  }
  if (done < bytes.size()) into.push_back({piece.begin + done, piece.end, -1});
  return {};
}

}  // namespace sepx::tokenizer
