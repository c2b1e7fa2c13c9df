// SPDX-License-Identifier: Apache-2.0
// BPE with a heap of pairs: n log n in the length of a word, so that a text without blanks does no harm.
#include <algorithm>
#include <queue>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/model.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

std::optional<std::vector<std::uint32_t>> byteTokens(const Vocab& vocab, std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (const char byte : text) {
    const auto id = vocab.find(nameOfByte(static_cast<unsigned char>(byte)));
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

namespace {

/// A part of a word while its neighbours are joined.
struct Symbol {
  Part part;
  int previous = -1, next = -1;
};

struct Candidate {
  double rank;
  int at;
  std::uint32_t id;
  bool operator<(const Candidate& other) const {  // the largest of a heap comes first
    return rank != other.rank ? rank > other.rank : at > other.at;
  }
};

class Bpe : public Model {
 public:
  Bpe(Vocab vocab, BpeRules rules, MergeTable merges)
      : Model(std::move(vocab)), rules_(std::move(rules)), merges_(std::move(merges)) {
    if (rules_.unknown) unknown_ = vocab_.find(*rules_.unknown);
  }

  Result<void> encode(std::string_view word, const Budget&, std::vector<Part>& parts) const override {
    if (rules_.wholeFirst) {
      if (const auto id = vocab_.find(word)) {
        parts.push_back({*id, 0, static_cast<std::uint32_t>(word.size())});
        return {};
      }
    }
    std::vector<Symbol> symbols;
    SEPX_TRY(characters(word, symbols));
    join(symbols);
    for (int at = symbols.empty() ? -1 : 0; at >= 0; at = symbols[static_cast<std::size_t>(at)].next)
      parts.push_back(symbols[static_cast<std::size_t>(at)].part);
    return {};
  }

 protected:
  virtual std::optional<Merge> merged(std::uint32_t left, std::uint32_t right) const {
    const Merge* merge = merges_.find(left, right);
    return merge ? std::optional<Merge>(*merge) : std::nullopt;
  }

 private:
  /// The word's characters as tokens, bytes or the unknown one. Characters that have none of these are left out.
  Result<void> characters(std::string_view word, std::vector<Symbol>& symbols) const {
    std::optional<Part> unknown;
    const auto flush = [&] {
      if (unknown) symbols.push_back({*unknown});
      unknown.reset();
    };
    std::string name;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t end = at + characterAt(word, at).length;
      const Part place{0, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      const std::string_view character = word.substr(at, end - at);
      name.assign(at > 0 ? rules_.prefix : std::string()).append(character);
      if (end == word.size()) name += rules_.suffix;
      at = end;
      if (const auto id = vocab_.find(name)) {
        flush();
        symbols.push_back({{*id, place.begin, place.end}});
        continue;
      }
      if (addBytes(name, place, symbols)) continue;
      if (!rules_.unknown) continue;
      if (!unknown_)
        return fail(ErrorKind::BadInput, fmt::format("the token for unknown characters, {}, is not in the vocabulary",
                                                     inQuotes(*rules_.unknown)));
      if (unknown && rules_.fuseUnknown) {
        unknown->end = place.end;
        continue;
      }
      flush();
      unknown = Part{*unknown_, place.begin, place.end};
    }
    flush();
    return {};
  }

  bool addBytes(const std::string& name, Part place, std::vector<Symbol>& symbols) const {
    std::optional<std::vector<std::uint32_t>> ids;
    if (rules_.byteFallback) ids = byteTokens(vocab_, name);
    if (!ids && rules_.bytesFrom >= 0) {
      ids.emplace();
      for (const char byte : name)
        ids->push_back(static_cast<std::uint32_t>(rules_.bytesFrom) + static_cast<unsigned char>(byte));
      if (std::any_of(ids->begin(), ids->end(), [this](std::uint32_t id) { return !vocab_.has(id); })) return false;
    }
    if (!ids) return false;
    const bool exact = ids->size() == place.end - place.begin;
    for (std::uint32_t i = 0; i < ids->size(); ++i)
      symbols.push_back(
          {exact ? Part{(*ids)[i], place.begin + i, place.begin + i + 1} : Part{(*ids)[i], place.begin, place.end}});
    return true;
  }

  void join(std::vector<Symbol>& symbols) const {
    std::priority_queue<Candidate> heap;
    const auto consider = [&](int left, int right) {
      if (left < 0 || right < 0) return;
      const auto merge =
          merged(symbols[static_cast<std::size_t>(left)].part.id, symbols[static_cast<std::size_t>(right)].part.id);
      if (merge) heap.push({merge->rank, left, merge->id});
    };
    for (int i = 0; i < static_cast<int>(symbols.size()); ++i) {
      symbols[static_cast<std::size_t>(i)].previous = i - 1;
      symbols[static_cast<std::size_t>(i)].next = i + 1 < static_cast<int>(symbols.size()) ? i + 1 : -1;
      if (i > 0) consider(i - 1, i);
    }
    while (!heap.empty()) {
      const Candidate best = heap.top();
      heap.pop();
      Symbol& left = symbols[static_cast<std::size_t>(best.at)];
      if (left.next < 0 || left.previous == kGone) continue;
      Symbol& right = symbols[static_cast<std::size_t>(left.next)];
      const auto merge = merged(left.part.id, right.part.id);
      if (!merge || merge->id != best.id) continue;  // one of them has changed since
      left.part = {best.id, left.part.begin, right.part.end};
      left.next = right.next;
      right.previous = kGone;
      if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = best.at;
      consider(left.previous, best.at);
      consider(best.at, left.next);
    }
  }

  static constexpr int kGone = -2;
  BpeRules rules_;
  MergeTable merges_;
  std::optional<std::uint32_t> unknown_;
};

class ScoredBpe final : public Bpe {
 public:
  ScoredBpe(Vocab vocab, BpeRules rules, std::vector<double> scores, std::vector<bool> outside)
      : Bpe(std::move(vocab), std::move(rules), MergeTable(0)),
        scores_(std::move(scores)),
        outside_(std::move(outside)) {}

 protected:
  std::optional<Merge> merged(std::uint32_t left, std::uint32_t right) const override {
    const auto& tokens = vocab_.tokens();
    const auto id = vocab_.find(tokens[left] + tokens[right]);
    if (!id || (!outside_.empty() && outside_[*id])) return std::nullopt;
    return Merge{-scores_[*id], *id};
  }

 private:
  std::vector<double> scores_;
  std::vector<bool> outside_;
};

}  // namespace

Result<ModelOf> makeBpe(Vocab vocab, const std::vector<NamedMerge>& merges, BpeRules rules) {
  MergeTable table(merges.size());
  double rank = 0;
  std::string whole;
  for (const NamedMerge& merge : merges) {
    const auto left = vocab.find(merge.left), right = vocab.find(merge.right);
    if (!left || !right)
      return fail(ErrorKind::BadInput,
                  fmt::format("merge {} joins {}, which is not in the vocabulary", static_cast<std::size_t>(rank),
                              inQuotes(left ? merge.right : merge.left)));
    std::string_view tail = merge.right;
    if (tail.starts_with(rules.prefix)) tail.remove_prefix(rules.prefix.size());
    whole.assign(merge.left).append(tail);
    const auto id = vocab.find(whole);
    if (!id)
      return fail(ErrorKind::BadInput, fmt::format("merge {} makes {}, which is not in the vocabulary",
                                                   static_cast<std::size_t>(rank), inQuotes(whole)));
    table.add(*left, *right, {rank++, *id});
  }
  return std::make_unique<Bpe>(std::move(vocab), std::move(rules), std::move(table));
}

Result<ModelOf> makeScoredBpe(Vocab vocab, std::vector<double> scores, BpeRules rules, std::vector<bool> outside) {
  if (scores.size() != vocab.tokens().size())
    return fail(ErrorKind::BadInput, fmt::format("{} scores for {} tokens", scores.size(), vocab.tokens().size()));
  return std::make_unique<ScoredBpe>(std::move(vocab), std::move(rules), std::move(scores), std::move(outside));
}

}  // namespace sepx::tokenizer
