// SPDX-License-Identifier: Apache-2.0
// WordPiece and WordLevel.
#include <algorithm>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/tokenizer/model.h"

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kMostCharacters = 1000;  // of a word: its time is their cube

std::size_t charactersOf(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

tl::unexpected<Error> noUnknown(std::string_view word, const std::string& unknown) {
  return fail(ErrorKind::BadInput, fmt::format("{} is not in the vocabulary, and neither is {}, the token for it",
                                               inQuotes(word), inQuotes(unknown)));
}

class WordPiece final : public Model {
 public:
  WordPiece(Vocab vocab, std::string prefix, std::string unknown, std::size_t most)
      : Model(std::move(vocab)), prefix_(std::move(prefix)), unknown_(std::move(unknown)), most_(most) {}

  Result<void> encode(std::string_view word, const Budget&, std::vector<Part>& parts) const override {
    const std::size_t first = parts.size();
    if (charactersOf(word) <= most_ && split(word, parts)) return {};
    parts.resize(first);
    const auto id = vocab_.find(unknown_);
    if (!id) return noUnknown(word, unknown_);
    parts.push_back({*id, 0, static_cast<std::uint32_t>(word.size())});
    return {};
  }

 private:
  bool split(std::string_view word, std::vector<Part>& parts) const {
    std::string name;
    for (std::size_t begin = 0; begin < word.size();) {
      std::size_t end = word.size();
      for (;; --end) {
        if (end == begin) return false;
        if (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) continue;
        name.assign(begin > 0 ? prefix_ : std::string()).append(word.substr(begin, end - begin));
        const auto id = vocab_.find(name);
        if (!id) continue;
        parts.push_back({*id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
        break;
      }
      begin = end;
    }
    return true;
  }

  std::string prefix_, unknown_;
  std::size_t most_;
};

class WordLevel final : public Model {
 public:
  WordLevel(Vocab vocab, std::string unknown) : Model(std::move(vocab)), unknown_(std::move(unknown)) {}

  Result<void> encode(std::string_view word, const Budget&, std::vector<Part>& parts) const override {
    auto id = vocab_.find(word);
    if (!id) id = vocab_.find(unknown_);
    if (!id) return noUnknown(word, unknown_);
    parts.push_back({*id, 0, static_cast<std::uint32_t>(word.size())});
    return {};
  }

 private:
  std::string unknown_;
};

}  // namespace

Result<ModelOf> makeWordPiece(Vocab vocab, std::string prefix, std::string unknown, std::size_t mostCharacters) {
  if (mostCharacters > kMostCharacters)
    return fail(ErrorKind::BadInput, fmt::format("words of WordPiece may have {} characters, more than {}",
                                                 mostCharacters, kMostCharacters));
  return std::make_unique<WordPiece>(std::move(vocab), std::move(prefix), std::move(unknown), mostCharacters);
}

Result<ModelOf> makeWordLevel(Vocab vocab, std::string unknown) {
  return std::make_unique<WordLevel>(std::move(vocab), std::move(unknown));
}

}  // namespace sepx::tokenizer
