// SPDX-License-Identifier: Apache-2.0
// Round trips through tokens for any bytes. Byte pairs are compared with a slow learner that counts all pairs again for
// each merge.
#include "engine/data/tokeniser.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "engine/core/random.h"
#include "engine/data/byte_pairs.h"
#include "engine/data/english.h"

using namespace sepx;
using data::Token;

namespace {

std::string noise(std::uint64_t seed, std::size_t size, int kinds) {
  RandomStream random(seed);
  std::string text(size, ' ');
  for (char& c : text)
    c = static_cast<char>(random.below(static_cast<std::uint64_t>(kinds)) * 37 + 32);
  return text;
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  data::WordCutter cutter(text);
  for (auto word = cutter.next(); !word.empty(); word = cutter.next())
    words.emplace_back(word);
  return words;
}

/// Directly from the definition: all words and all pairs for each merge.
std::vector<data::Merge> slowMerges(std::string_view text, int tokens) {
  std::vector<std::vector<Token>> words;
  for (const std::string& word : wordsOf(text)) {
    words.emplace_back();
    for (const char c : word)
      words.back().push_back(static_cast<unsigned char>(c));
  }
  std::vector<data::Merge> merges;
  while (256 + static_cast<int>(merges.size()) < tokens) {
    std::map<data::Merge, int> counts;
    for (const auto& word : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i)
        ++counts[{word[i], word[i + 1]}];
    data::Merge best;
    int most = 1;
    for (const auto& [pair, count] : counts)
      if (count > most) {
        most = count;
        best = pair;
      }
    if (most == 1) break;
    const auto made = static_cast<Token>(256 + merges.size());
    merges.push_back(best);
    for (auto& word : words) {
      std::vector<Token> next;
      for (std::size_t i = 0; i < word.size(); ++i)
        if (i + 1 < word.size() && word[i] == best.first && word[i + 1] == best.second) {
          next.push_back(made);
          ++i;
        } else {
          next.push_back(word[i]);
        }
      word = next;
    }
  }
  return merges;
}

}  // namespace

TEST_CASE("Words concatenate to the text, are short and begin with their space") {
  CHECK(wordsOf("Two  dogs, 12 cats\n\n run.") ==
        std::vector<std::string>{"Two", " ", " dogs", ",", " 12", " cats", "\n\n", " run", "."});
  CHECK(wordsOf(" ") == std::vector<std::string>{" "});
  for (const std::string& text :
       {noise(1, 5000, 7), noise(2, 5000, 3), std::string(1000, 'x'), std::string(1000, ' ')}) {
    std::string together;
    for (const std::string& word : wordsOf(text)) {
      CHECK(word.size() <= 64);
      together += word;
    }
    CHECK(together == text);
  }
}

TEST_CASE("Learned byte pairs equal those of the slow learner") {
  for (const std::string& text : {data::englishText(1, 60), noise(3, 3000, 4), noise(4, 2000, 2),
                                  std::string("aaaa aaaaa aaa aa"), std::string("abab abab abab")}) {
    const auto merges = data::learnMerges(text, 420);
    CHECK(merges == slowMerges(text, 420));
    CHECK_FALSE(merges.empty());
  }
  CHECK(data::learnMerges("abcdef", 1000).empty());  // no pair occurs twice
  CHECK(data::learnMerges("", 1000).empty());
}

TEST_CASE("Byte pairs encode text consistently and decode any bytes") {
  const std::string text = data::englishText(2, 400);
  const data::BytePairs pairs = data::learnBytePairs(text, 600);
  REQUIRE(pairs.size() == 600);
  const auto tokens = pairs.encode(text);
  REQUIRE(tokens);
  CHECK(pairs.decode(*tokens) == text);
  CHECK(tokens->size() * 2 < text.size());
  std::set<Token> used(tokens->begin(), tokens->end());
  CHECK(used.size() > 250);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::string any = noise(seed, 3000, 256);
    any.append(200, '\0');
    const auto there = pairs.encode(any);
    REQUIRE(there);
    CHECK(pairs.decode(*there) == any);
  }
  // The same text, cut at a word boundary, has the same tokens.
  const auto half = pairs.encode(text.substr(0, text.find('\n') + 1));
  REQUIRE(half);
  CHECK(std::equal(half->begin(), half->end(), tokens->begin()));
}

TEST_CASE("Byte pairs of a single word of a megabyte are learned in short time") {
  const std::string text(std::size_t{1} << 20, 'a');
  const data::BytePairs pairs = data::learnBytePairs(text, 300);
  CHECK(pairs.size() == 256 + 6);  // words have at most 64 = 2^6 letters
  const auto tokens = pairs.encode(text);
  REQUIRE(tokens);
  CHECK(tokens->size() == (std::size_t{1} << 20) / 64);
}

TEST_CASE("Byte pairs are numbered by their frequency in the training part of a text") {
  const std::string text = data::englishText(6, 800);
  const std::size_t learn = text.size() * 3 / 4;
  const auto made = data::makeTokeniser(data::Tokens::BytePairs, 500, text, learn);
  REQUIRE(made);
  CHECK((*made)->size() == 499);
  const auto tokens = (*made)->encode(text.substr(0, learn)), all = (*made)->encode(text);
  REQUIRE((tokens && all));
  CHECK((*made)->decode(*all) == text);
  std::vector<int> counts(499, 0);
  for (const Token token : *tokens)
    ++counts[token];
  CHECK(std::is_sorted(counts.rbegin(), counts.rend()));
  CHECK(counts.front() > 500);
  CHECK(((*made)->bytes(0) == " the" || (*made)->bytes(1) == " the"));
  std::set<std::string> bytes;
  for (int token = 0; token < 499; ++token)
    bytes.insert((*made)->bytes(static_cast<Token>(token)));
  for (int byte = 0; byte < 256; ++byte)
    CHECK(bytes.count(std::string(1, static_cast<char>(byte))) == 1);
}

TEST_CASE("Character tokens are code points in ascending order") {
  const auto made = data::makeTokeniser(data::Tokens::Characters, 0, "Zaß€😀a\n", 0);
  REQUIRE(made);
  const data::Tokeniser& characters = **made;
  CHECK(characters.size() == 6);
  const auto tokens = characters.encode("aaZ😀€");
  REQUIRE(tokens);
  CHECK(*tokens == std::vector<Token>{2, 2, 1, 5, 4});
  CHECK(characters.decode(*tokens) == "aaZ😀€");
  const auto unknown = characters.encode("ab");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message == "the character U+0062 is not in the vocabulary");
  const auto broken = data::makeTokeniser(data::Tokens::Characters, 0, "caf\xE9 au lait", 0);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.find("is not UTF-8: byte 0xE9 at offset 3") == 0);
}

TEST_CASE("Bytes are written in the notation of GPT-2") {
  CHECK(data::byteLevel(" the\n") == "ĠtheĊ");
  CHECK(data::byteLevel("\x7F\x80\xA0\xAD\xE9") == "\xC4\xA1\xC4\xA2\xC5\x82\xC5\x83\xC3\xA9");
  std::set<std::string> all;
  for (int byte = 0; byte < 256; ++byte)
    all.insert(data::byteLevel(std::string(1, static_cast<char>(byte))));
  CHECK(all.size() == 256);
}
