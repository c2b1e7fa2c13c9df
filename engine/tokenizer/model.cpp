// SPDX-License-Identifier: Apache-2.0
// WordPiece, WordLevel and Unigram; BPE is in bpe.cpp.
#include "engine/tokenizer/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/sorted_tokens.h"

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kMostCharacters = 1000;  // of a word, whose time is cubic in them

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
    return fail(ErrorKind::BadInput, fmt::format("WordPiece allows words of {} characters; at most {} are supported",
                                                 mostCharacters, kMostCharacters));
  return std::make_unique<WordPiece>(std::move(vocab), std::move(prefix), std::move(unknown), mostCharacters);
}

Result<ModelOf> makeWordLevel(Vocab vocab, std::string unknown) {
  return std::make_unique<WordLevel>(std::move(vocab), std::move(unknown));
}

// Unigram: the Viterbi algorithm over the bytes of a word. Tokens are kept sorted, and those that begin at a byte are
// found by narrowing a range, byte by byte.

namespace {

constexpr double kUnknownPenalty = 10;
constexpr std::size_t kLongestPiece = 4096;  // bytes; the time of a text is its length times this at most

class Unigram final : public Model {
 public:
  Unigram(Vocab vocab, std::vector<double> scores, UnigramRules rules)
      : Model(std::move(vocab)), scores_(std::move(scores)), rules_(std::move(rules)) {
    std::vector<std::pair<std::string_view, std::uint32_t>> known;
    double least = 0;
    for (std::uint32_t id = 0; id < vocab_.tokens().size(); ++id) {
      if (!vocab_.has(id) || isOutside(id)) continue;
      least = known.empty() ? scores_[id] : std::min(least, scores_[id]);
      known.emplace_back(vocab_.tokens()[id], *vocab_.find(vocab_.tokens()[id]));
    }
    unknownScore_ = least - kUnknownPenalty;
    tokens_ = SortedTokens(std::move(known));
  }

  Result<void> encode(std::string_view word, const Budget& budget, std::vector<Part>& parts) const override {
    std::vector<Best> best(word.size() + 1);
    best[0].reached = true;
    std::size_t steps = 0;
    for (std::size_t at = 0; at < word.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      const std::size_t length = characterAt(word, at).length;
      bool whole = false;  // a token is exactly this character
      tokens_.eachAt(word, at, [&](std::size_t bytes, std::uint32_t id) {
        reach(best[at + bytes], best[at].score + scores_[id], at, static_cast<std::int64_t>(id));
        whole = whole || bytes == length;
      });
      if (!whole) reach(best[at + length], best[at].score + unknownScore_, at, -1);
      at += length;
    }
    return walkBack(word, best, parts);
  }

 private:
  struct Best {
    double score = 0;
    std::size_t from = 0;
    std::int64_t id = -1;  ///< negative: unknown
    bool reached = false;
  };

  static void reach(Best& best, double score, std::size_t from, std::int64_t id) {
    if (best.reached && score <= best.score) return;
    best = {score, from, id, true};
  }

  bool isOutside(std::uint32_t id) const { return !rules_.outside.empty() && rules_.outside[id]; }
  bool isUnknown(const Best& best) const {
    return best.id < 0 || (rules_.unknown && best.id == static_cast<std::int64_t>(*rules_.unknown));
  }

  Result<void> walkBack(std::string_view word, const std::vector<Best>& best, std::vector<Part>& parts) const {
    std::vector<Part> reversed;
    for (std::size_t end = word.size(); end > 0;) {
      std::size_t begin = best[end].from;
      const bool unknown = isUnknown(best[end]);
      // A run of unknown characters becomes one token.
      while (unknown && begin > 0 && isUnknown(best[begin]))
        begin = best[begin].from;
      const Part place{0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      if (unknown) {
        SEPX_TRY(addUnknown(word.substr(begin, end - begin), place, reversed));
      } else {
        reversed.push_back({static_cast<std::uint32_t>(best[end].id), place.begin, place.end});
      }
      end = begin;
    }
    parts.insert(parts.end(), reversed.rbegin(), reversed.rend());
    return {};
  }

  Result<void> addUnknown(std::string_view text, Part place, std::vector<Part>& reversed) const {
    if (const auto id = vocab_.find(text); id && !isOutside(*id)) {
      reversed.push_back({*id, place.begin, place.end});
      return {};
    }
    if (const auto ids = rules_.byteFallback ? byteTokens(vocab_, text) : std::nullopt) {
      for (std::uint32_t i = static_cast<std::uint32_t>(ids->size()); i-- > 0;)
        reversed.push_back({(*ids)[i], place.begin + i, place.begin + i + 1});
      return {};
    }
    if (!rules_.unknown)
      return fail(ErrorKind::BadInput,
                  fmt::format("{} is not in the vocabulary, which has no token for unknown text", inQuotes(text)));
    reversed.push_back({*rules_.unknown, place.begin, place.end});
    return {};
  }

  std::vector<double> scores_;
  UnigramRules rules_;
  SortedTokens tokens_;
  double unknownScore_ = 0;
};

}  // namespace

Result<ModelOf> makeUnigram(Vocab vocab, std::vector<double> scores, UnigramRules rules) {
  if (scores.size() != vocab.tokens().size())
    return fail(ErrorKind::BadInput, fmt::format("{} scores for {} tokens", scores.size(), vocab.tokens().size()));
  for (std::uint32_t id = 0; id < scores.size(); ++id) {
    if (!std::isfinite(scores[id]))
      return fail(ErrorKind::BadInput,
                  fmt::format("the score of the token {} is not finite", inQuotes(vocab.tokens()[id])));
    if (vocab.tokens()[id].size() > kLongestPiece)
      return fail(ErrorKind::BadInput,
                  fmt::format("the token {} has more than {} bytes", inQuotes(vocab.tokens()[id]), kLongestPiece));
  }
  if (rules.unknown && !vocab.has(*rules.unknown))
    return fail(ErrorKind::BadInput, fmt::format("unk_id {} lies outside the vocabulary", *rules.unknown));
  return std::make_unique<Unigram>(std::move(vocab), std::move(scores), std::move(rules));
}

}  // namespace sepx::tokenizer
