// SPDX-License-Identifier: Apache-2.0
// BPE with a heap of pairs: O(n log n) in the length n of a word, so that a text without spaces is not slow.
#include <algorithm>
#include <cmath>
#include <queue>
#include <span>

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

/// A part of a word while tokens are merged.
struct Symbol {
  Part part;
  int previous = -1, next = -1;
};

struct Candidate {
  double rank;
  int at;
  std::uint32_t id;
  bool operator<(const Candidate& other) const {  // the heap returns the largest first
    return rank != other.rank ? rank > other.rank : at > other.at;
  }
};

/// The character pairs at which merges join two parts: the last of the left part and the first of the right one.
/// Between two characters that no merge joins, a word can be cut into parts that never become one token.
class Seams {
 public:
  void add(std::string_view left, std::string_view right) {
    if (left.empty() || right.empty()) return;
    std::size_t last = left.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(left[last]) & 0xC0) == 0x80)
      --last;
    const std::uint64_t pair =
        std::uint64_t{characterAt(left, last).code} << 32 | std::uint64_t{characterAt(right, 0).code};
    // Most merges repeat a recent pair.
    std::uint64_t& recent = recent_[(pair ^ pair >> 26) % recent_.size()];
    if (recent != pair) pairs_.push_back(recent = pair);
  }
  Result<MergeTable> table() && {
    std::ranges::sort(pairs_);
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    MergeTable table(pairs_.size());
    for (const std::uint64_t pair : pairs_)
      if (!table.add(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair), 0, 0))
        return crowdedMerges();
    return table;
  }

 private:
  std::vector<std::uint64_t> pairs_;
  std::vector<std::uint64_t> recent_ = std::vector<std::uint64_t>(8192, ~std::uint64_t{0});
};

class Bpe : public Model {
 public:
  Bpe(Vocab vocab, BpeRules rules, MergeTable merges, std::optional<MergeTable> seams)
      : Model(std::move(vocab)), rules_(std::move(rules)), merges_(std::move(merges)), seams_(std::move(seams)) {
    if (rules_.unknown) unknown_ = vocab_.find(*rules_.unknown);
    // Prefix and suffix would be placed differently in a part, and wholeFirst prefers a whole word to its parts.
    if (rules_.wholeFirst || !rules_.prefix.empty() || !rules_.suffix.empty()) seams_.reset();
  }

  std::size_t partEnd(std::string_view word, std::size_t begin) const override {
    if (!seams_ || begin >= word.size()) return word.size();
    Character before = characterAt(word, begin);
    std::size_t first = begin;
    for (std::size_t at = begin + before.length; at < word.size();) {
      const Character after = characterAt(word, at);
      // Both characters must be tokens by name, because bytes and unknown characters have different neighbours.
      if (!seams_->find(before.code, after.code) && vocab_.find(word.substr(first, before.length)) &&
          vocab_.find(word.substr(at, after.length)))
        return at;
      first = at;
      before = after;
      at += after.length;
    }
    return word.size();
  }

  Result<void> encode(std::string_view word, const Budget& budget, std::vector<Part>& parts) const override {
    if (rules_.wholeFirst) {
      if (const auto id = vocab_.find(word)) {
        parts.push_back({*id, 0, static_cast<std::uint32_t>(word.size())});
        return {};
      }
    }
    std::vector<Symbol> symbols;
    SEPX_TRY(characters(word, budget, symbols));
    SEPX_TRY(join(symbols, budget));
    for (int at = symbols.empty() ? -1 : 0; at >= 0; at = symbols[static_cast<std::size_t>(at)].next)
      parts.push_back(symbols[static_cast<std::size_t>(at)].part);
    return {};
  }

 protected:
  virtual std::optional<Merge> merged(std::uint32_t left, std::uint32_t right) const {
    return merges_.find(left, right);
  }

 private:
  /// The word's characters as tokens, byte tokens or the unknown token. Characters without any of these are dropped.
  Result<void> characters(std::string_view word, const Budget& budget, std::vector<Symbol>& symbols) const {
    std::optional<Part> unknown;
    const auto flush = [&] {
      if (unknown) symbols.push_back({*unknown});
      unknown.reset();
    };
    std::string name;
    std::size_t steps = 0;
    for (std::size_t at = 0; at < word.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
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

  Result<void> join(std::vector<Symbol>& symbols, const Budget& budget) const {
    std::priority_queue<Candidate> heap;
    std::size_t steps = 0;
    const auto consider = [&](int left, int right) {
      if (left < 0 || right < 0) return;
      const auto merge =
          merged(symbols[static_cast<std::size_t>(left)].part.id, symbols[static_cast<std::size_t>(right)].part.id);
      if (merge) heap.push({merge->rank, left, merge->id});
    };
    for (int i = 0; i < static_cast<int>(symbols.size()); ++i) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      symbols[static_cast<std::size_t>(i)].previous = i - 1;
      symbols[static_cast<std::size_t>(i)].next = i + 1 < static_cast<int>(symbols.size()) ? i + 1 : -1;
      if (i > 0) consider(i - 1, i);
    }
    while (!heap.empty()) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      const Candidate best = heap.top();
      heap.pop();
      Symbol& left = symbols[static_cast<std::size_t>(best.at)];
      if (left.next < 0 || left.previous == kRemoved) continue;
      Symbol& right = symbols[static_cast<std::size_t>(left.next)];
      const auto merge = merged(left.part.id, right.part.id);
      if (!merge || merge->id != best.id) continue;  // outdated: one of the two has changed
      left.part = {best.id, left.part.begin, right.part.end};
      left.next = right.next;
      right.previous = kRemoved;
      if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = best.at;
      consider(left.previous, best.at);
      consider(best.at, left.next);
    }
    return {};
  }

  static constexpr int kRemoved = -2;
  BpeRules rules_;
  MergeTable merges_;
  std::optional<MergeTable> seams_;  ///< pairs of characters; none: a word is one part
  std::optional<std::uint32_t> unknown_;
};

class ScoredBpe final : public Bpe {
 public:
  ScoredBpe(Vocab vocab, BpeRules rules, std::vector<double> scores, std::vector<bool> outside)
      : Bpe(std::move(vocab), std::move(rules), MergeTable(0), std::nullopt),
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

namespace {

/// Finds the ids of the results of merges, one after the other. Files list merges in the order of these ids, so the
/// last id and the one after it are tried first.
class Made {
 public:
  explicit Made(const Vocab& vocab) : vocab_(vocab) {}

  std::optional<std::uint32_t> find(std::string_view left, std::string_view tail) {
    if (vocab_.unique())
      for (const std::uint32_t guess : {last_, last_ + 1})
        if (vocab_.has(guess) && is(vocab_.tokens()[guess], left, tail)) return last_ = guess;
    whole_.assign(left).append(tail);
    const auto id = vocab_.find(whole_);
    if (id) last_ = *id;
    return id;
  }

 private:
  static bool is(std::string_view token, std::string_view left, std::string_view tail) {
    return token.size() == left.size() + tail.size() && token.starts_with(left) && token.ends_with(tail);
  }
  const Vocab& vocab_;
  std::uint32_t last_ = 0;
  std::string whole_;
};

tl::unexpected<Error> wrongMerge(std::size_t number, const char* does, std::string_view token) {
  return fail(ErrorKind::BadInput,
              fmt::format("merge {} {} {}, which is not in the vocabulary", number, does, inQuotes(token)));
}

/// Adds `merges`, the first of which has the index `first` in the file's list. Their parts are looked up together.
Result<void> addMerges(const Vocab& vocab, std::span<const NamedMerge> merges, std::size_t first,
                       const std::string& prefix, Made& made, MergeTable& table, Seams& seams) {
  std::vector<std::string_view> names;
  for (const NamedMerge& merge : merges)
    names.insert(names.end(), {merge.left, merge.right});
  std::vector<std::uint32_t> ids(names.size());
  vocab.find(names, ids);
  for (std::size_t i = 0; i < merges.size(); ++i)
    table.prepare(ids[2 * i], ids[2 * i + 1]);
  for (std::size_t i = 0; i < merges.size(); ++i) {
    for (const std::size_t part : {2 * i, 2 * i + 1})
      if (ids[part] == Vocab::kNone) return wrongMerge(first + i, "joins", names[part]);
    std::string_view tail = merges[i].right;
    if (tail.starts_with(prefix)) tail.remove_prefix(prefix.size());
    const auto id = made.find(merges[i].left, tail);
    if (!id) return wrongMerge(first + i, "makes", std::string(merges[i].left).append(tail));
    if (!table.add(ids[2 * i], ids[2 * i + 1], static_cast<std::uint32_t>(first + i), *id)) return crowdedMerges();
    seams.add(merges[i].left, tail);
  }
  return {};
}

}  // namespace

Result<ModelOf> makeBpe(Vocab vocab, const std::vector<NamedMerge>& merges, BpeRules rules) {
  constexpr std::size_t kAtOnce = 64;
  MergeTable table(merges.size());
  Made made(vocab);
  Seams seams;
  for (std::size_t first = 0; first < merges.size(); first += kAtOnce)
    SEPX_TRY(addMerges(vocab, std::span(merges).subspan(first, std::min(kAtOnce, merges.size() - first)), first,
                       rules.prefix, made, table, seams));
  SEPX_ASSIGN(MergeTable seamsTable, std::move(seams).table());
  return std::make_unique<Bpe>(std::move(vocab), std::move(rules), std::move(table), std::move(seamsTable));
}

Result<ModelOf> makeScoredBpe(Vocab vocab, std::vector<double> scores, BpeRules rules, std::vector<bool> outside) {
  if (scores.size() != vocab.tokens().size())
    return fail(ErrorKind::BadInput, fmt::format("{} scores for {} tokens", scores.size(), vocab.tokens().size()));
  for (std::uint32_t id = 0; id < scores.size(); ++id)
    if (!std::isfinite(scores[id]))
      return fail(ErrorKind::BadInput,
                  fmt::format("the score of the token {} is not finite", inQuotes(vocab.tokens()[id])));
  return std::make_unique<ScoredBpe>(std::move(vocab), std::move(rules), std::move(scores), std::move(outside));
}

}  // namespace sepx::tokenizer
