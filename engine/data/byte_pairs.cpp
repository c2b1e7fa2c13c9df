// SPDX-License-Identifier: Apache-2.0
// Learning keeps the count of each pair, the words in which it may occur, and a heap of counts whose outdated entries
// are skipped. A merge therefore costs the length of the words it changes, not the length of the text.
#include "engine/data/byte_pairs.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <unordered_map>

namespace sepx::data {
namespace {

constexpr std::size_t kLongestWord = 64;

enum class Class { Blank, Letter, Digit, Mark };

Class classOf(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte == ' ' || (byte >= '\t' && byte <= '\r')) return Class::Blank;
  if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80) return Class::Letter;
  return byte >= '0' && byte <= '9' ? Class::Digit : Class::Mark;
}

/// A map from the words of a text. Not a hash map, because a text can be written whose words all have the same hash.
template <class Value>
using ByWord = std::map<std::string_view, Value>;

std::uint32_t keyOf(Token left, Token right) {
  return static_cast<std::uint32_t>(left) << 16 | right;
}

struct Word {
  std::vector<Token> tokens;
  std::int64_t count = 0;
};

/// The distinct words in the order of their first occurrence.
std::vector<Word> wordsOf(std::string_view text) {
  std::vector<Word> words;
  ByWord<std::size_t> places;
  WordCutter cutter(text);
  for (std::string_view one = cutter.next(); !one.empty(); one = cutter.next()) {
    const auto [at, isNew] = places.try_emplace(one, words.size());
    if (isNew) {
      words.emplace_back();
      for (const char c : one)
        words.back().tokens.push_back(static_cast<unsigned char>(c));
    }
    ++words[at->second].count;
  }
  return words;
}

/// Replaces all occurrences from left to right, in place.
void replacePair(std::vector<Token>& tokens, Merge merge, Token by) {
  std::size_t to = 0;
  for (std::size_t from = 0; from < tokens.size(); ++to) {
    const bool here = from + 1 < tokens.size() && tokens[from] == merge.first && tokens[from + 1] == merge.second;
    tokens[to] = here ? by : tokens[from];
    from += here ? 2 : 1;
  }
  tokens.resize(to);
}

class Learner {
 public:
  explicit Learner(std::string_view text) : words_(wordsOf(text)) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      const std::vector<Token>& tokens = words_[w].tokens;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
        add(w, keyOf(tokens[i], tokens[i + 1]), 1);
    }
    publish();
  }

  /// The most frequent pair, counted at least twice; false when there is none.
  bool best(Merge& merge) {
    while (!heap_.empty()) {
      const auto [count, inverted] = heap_.top();
      const std::uint32_t key = ~inverted;
      const auto at = pairs_.find(key);
      if (at != pairs_.end() && at->second.count == count && count >= 2) {
        merge = {static_cast<Token>(key >> 16), static_cast<Token>(key & 0xFFFF)};
        return true;
      }
      heap_.pop();
    }
    return false;
  }

  void merge(Merge merge, Token by) {
    std::vector<std::uint32_t> places = std::move(pairs_[keyOf(merge.first, merge.second)].words);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::uint32_t w : places) {
      std::vector<Token>& tokens = words_[w].tokens;
      dropNeighbours(w, merge);
      replacePair(tokens, merge, by);
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
        if (tokens[i] == by || tokens[i + 1] == by) add(w, keyOf(tokens[i], tokens[i + 1]), 1);
    }
    pairs_.erase(keyOf(merge.first, merge.second));
    publish();
  }

 private:
  struct Pair {
    std::int64_t count = 0;
    std::vector<std::uint32_t> words;  ///< words that may contain the pair: at least those that do
  };

  void add(std::size_t w, std::uint32_t key, std::int64_t sign) {
    Pair& pair = pairs_[key];
    pair.count += sign * words_[w].count;
    if (sign > 0 && (pair.words.empty() || pair.words.back() != w)) pair.words.push_back(static_cast<std::uint32_t>(w));
    changed_.push_back(key);
  }
  /// Subtracts the pairs that a merge removes: those that contain a merged token.
  void dropNeighbours(std::size_t w, Merge merge) {
    const std::vector<Token>& tokens = words_[w].tokens;
    std::array<bool, kLongestWord + 1> taken{};
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (tokens[i] == merge.first && tokens[i + 1] == merge.second) {
        taken[i] = taken[i + 1] = true;
        ++i;
      }
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (taken[i] || taken[i + 1]) add(w, keyOf(tokens[i], tokens[i + 1]), -1);
  }
  /// Pushes the changed counts onto the heap.
  void publish() {
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (const std::uint32_t key : changed_) {
      const auto at = pairs_.find(key);
      if (at == pairs_.end()) continue;
      if (at->second.count > 0)
        heap_.emplace(at->second.count, ~key);  // the smallest key first among equals
      else
        pairs_.erase(at);
    }
    changed_.clear();
  }

  std::vector<Word> words_;
  std::unordered_map<std::uint32_t, Pair> pairs_;
  std::priority_queue<std::pair<std::int64_t, std::uint32_t>> heap_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace

std::string_view WordCutter::next() {
  if (text_.empty()) return {};
  const std::size_t most = std::min(text_.size(), kLongestWord);
  std::size_t end = 0;
  if (classOf(text_[0]) == Class::Blank) {
    while (end < most && classOf(text_[end]) == Class::Blank)
      ++end;
    // the last blank of a run belongs to the word after it
    if (end < text_.size() && text_[end - 1] == ' ' && classOf(text_[end]) != Class::Blank) --end;
  }
  if (end == 0) {
    const std::size_t start = text_[0] == ' ' ? 1 : 0;
    end = start + 1;
    while (end < most && classOf(text_[end]) == classOf(text_[start]))
      ++end;
  }
  const std::string_view word = text_.substr(0, end);
  text_.remove_prefix(end);
  return word;
}

std::vector<Merge> learnMerges(std::string_view text, int tokens) {
  std::vector<Merge> merges;
  Learner learner(text);
  for (Merge merge; 256 + static_cast<int>(merges.size()) < tokens && learner.best(merge);) {
    learner.merge(merge, static_cast<Token>(256 + merges.size()));
    merges.push_back(merge);
  }
  return merges;
}

BytePairs::BytePairs(std::vector<Merge> merges) : merges_(std::move(merges)) {
  for (int byte = 0; byte < 256; ++byte)
    bytes_.emplace_back(1, static_cast<char>(byte));
  for (const auto& [left, right] : merges_) {
    made_.emplace(keyOf(left, right), static_cast<Token>(bytes_.size()));
    bytes_.push_back(bytes_[left] + bytes_[right]);
  }
}

void BytePairs::encodeWord(std::string_view word, std::vector<Token>& out) const {
  std::vector<Token> tokens;
  for (const char c : word)
    tokens.push_back(static_cast<unsigned char>(c));
  for (;;) {
    Token first = 0;  // of the pairs that occur here, the one learned first
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (const auto at = made_.find(keyOf(tokens[i], tokens[i + 1])); at != made_.end())
        first = first == 0 ? at->second : std::min(first, at->second);
    if (first == 0) break;
    replacePair(tokens, merges_[first - 256U], first);
  }
  out.insert(out.end(), tokens.begin(), tokens.end());
}

Result<std::vector<Token>> BytePairs::encode(std::string_view text) const {
  std::vector<Token> out;
  out.reserve(text.size() / 3);
  ByWord<std::pair<std::size_t, std::size_t>> known;  // start and number of its tokens in `out`
  WordCutter cutter(text);
  for (std::string_view word = cutter.next(); !word.empty(); word = cutter.next()) {
    const auto [at, isNew] = known.try_emplace(word);
    const std::size_t start = out.size();
    if (isNew) {
      encodeWord(word, out);
      at->second = {start, out.size() - start};
    } else {
      const auto [from, count] = at->second;
      out.resize(start + count);
      std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(from), count,
                  out.begin() + static_cast<std::ptrdiff_t>(start));
    }
  }
  return out;
}

}  // namespace sepx::data
