// SPDX-License-Identifier: Apache-2.0
// Windows of a text: their positions, their content, and the entropies computed from counts.
#include "engine/data/text_source.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "engine/data/english.h"
#include "tests/engine/data/sequences.h"

using namespace sepx;
using data::Split;

namespace {

data::SourceConfig config(data::Tokens tokens, int vocabulary = 0) {
  data::SourceConfig result;
  result.kind = data::SourceKind::Text;
  result.tokens = tokens;
  result.vocabulary = vocabulary;
  return result;
}

std::unique_ptr<data::Source> source(const std::string& text, const data::SourceConfig& how) {
  auto made = data::makeTextSource(text, how, "a.txt");
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(*made);
}

std::string refusal(const std::string& text, const data::SourceConfig& how) {
  const auto made = data::makeTextSource(text, how, "a.txt");
  return made ? std::string() : made.error().message;
}

std::string wordsOf(const data::Source& from, const std::vector<std::int32_t>& tokens) {
  std::string out;
  for (const std::int32_t token : tokens)
    out += from.word(token);
  return out;
}

}  // namespace

TEST_CASE("Windows of bytes lie in their split, and those of the validation split follow each other") {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += static_cast<char>('a' + i % 26);
  const auto bytes = source(text, config(data::Tokens::Bytes));
  CHECK(bytes->vocabulary() == 257);
  CHECK(bytes->maskToken() == 256);
  CHECK(bytes->lastWord() == 256);
  std::set<std::string> starts;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    const auto window = test::sequenceOf(*bytes, Split::Train, index, 899);
    const std::string words = wordsOf(*bytes, window);
    CHECK(text.substr(0, 900).find(words) != std::string::npos);
    starts.insert(words.substr(0, 1));
  }
  CHECK(starts == std::set<std::string>{"a", "b"});  // the only two possible windows
  CHECK(wordsOf(*bytes, test::sequenceOf(*bytes, Split::Validation, 0, 30)) == text.substr(900, 30));
  CHECK(wordsOf(*bytes, test::sequenceOf(*bytes, Split::Validation, 2, 30)) == text.substr(960, 30));
  CHECK(wordsOf(*bytes, test::sequenceOf(*bytes, Split::Validation, 3, 30)) == text.substr(900, 30));
  CHECK(test::sequenceOf(*bytes, Split::Validation, 5, 300).size() == 100);  // all available bytes; the rest is padding
}

TEST_CASE("Text with any kind of token is a function of seed, split and index") {
  data::SourceConfig english;
  english.kind = data::SourceKind::English;
  english.sentences = 300;
  for (const auto tokens : {data::Tokens::Bytes, data::Tokens::Characters, data::Tokens::BytePairs}) {
    english.tokens = tokens;
    english.vocabulary = tokens == data::Tokens::BytePairs ? 400 : 0;
    CHECK(test::impure(english, 32).empty());
  }
  CHECK(test::sourceOf(english)->vocabulary() == 400);
}

TEST_CASE("The counted entropies agree with those of a text with known entropies") {
  // "abab...": both letters have probability 1/2, and the next letter is certain.
  std::string turns;
  for (int i = 0; i < 5001; ++i)
    turns += "ab"[i % 2];
  data::SourceConfig how = config(data::Tokens::Characters);
  how.validationShare = 0.2;
  const auto bounds = source(turns, how)->bounds();
  REQUIRE(bounds.size() == 2);
  CHECK(bounds[0].name == "H(unigram)");
  CHECK(bounds[0].value == Approx(std::log(2.0)).margin(1e-6));
  CHECK(bounds[1].name == "H(bigram)");
  CHECK(bounds[1].value == Approx(0).margin(1e-12));
}

TEST_CASE("A split never divides a character") {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "€";
  for (const double share : {0.1, 0.1004, 0.1008}) {
    data::SourceConfig how = config(data::Tokens::Characters);
    how.validationShare = share;
    const auto characters = source(text, how);
    CHECK(characters->vocabulary() == 2);
    CHECK(test::sequenceOf(*characters, Split::Train, 0, 300).size() +
              test::sequenceOf(*characters, Split::Validation, 0, 300).size() ==
          300);
  }
}

TEST_CASE("Unusable texts and settings are refused with a message") {
  CHECK(refusal("a", config(data::Tokens::Bytes)).find("a.txt: is too short: 0 tokens to train and 1 to validate") ==
        0);
  CHECK(refusal("caf\xE9", config(data::Tokens::Characters)).find("a.txt: is not UTF-8: byte 0xE9 at offset 3") == 0);
  CHECK(refusal("abc", config(data::Tokens::BytePairs, 100)).find("data.vocabulary = 100 must be from 257") == 0);
  CHECK(refusal("abc", config(data::Tokens::Bytes, 300)).find("data.vocabulary belongs to") == 0);
  data::SourceConfig how = config(data::Tokens::Bytes);
  for (const double share : {0.0, 1.0, -1.0, std::nan("")}) {
    how.validationShare = share;
    CHECK(refusal("some text", how).find("data.validation_share = ") == 0);
  }
  data::SourceConfig english;
  english.kind = data::SourceKind::English;
  english.sentences = 3;
  CHECK_FALSE(data::makeSource(english));
  data::SourceConfig nothing = config(data::Tokens::Bytes);
  nothing.path = "/nowhere/at/all.txt";
  const auto missing = data::makeSource(nothing);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "/nowhere/at/all.txt: cannot be read: No such file or directory");
}
