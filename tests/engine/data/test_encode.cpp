// SPDX-License-Identifier: Apache-2.0
// Text typed by a user, as tokens of a source.
#include <catch2/catch.hpp>

#include "engine/data/encode.h"
#include "engine/data/source_config.h"

namespace sepx::data {

namespace {

std::unique_ptr<Source> sourceOf(SourceKind kind, Tokens tokens = Tokens::Characters) {
  SourceConfig config;
  config.kind = kind;
  config.tokens = tokens;
  config.sentences = 200;
  auto made = makeSource(config);
  REQUIRE(made);
  return std::move(*made);
}

}  // namespace

TEST_CASE("encode: a text is converted to its tokens") {
  for (const Tokens tokens : {Tokens::Characters, Tokens::Bytes, Tokens::BytePairs}) {
    const auto source = sourceOf(SourceKind::English, tokens);
    const auto made = encodeText(*source, "the keys");
    REQUIRE(made);
    std::string words;
    for (const std::int32_t token : *made)
      words += source->word(token);
    CHECK(words == "the\xC4\xA0keys");  // a space as byte-level vocabularies write it
  }
}

TEST_CASE("encode: sources without a tokeniser have words, with or without spaces between them") {
  const auto bits = sourceOf(SourceKind::Markov);
  CHECK(*encodeText(*bits, "01 1 0") == std::vector<std::int32_t>{0, 1, 1, 0});
  const auto pairs = sourceOf(SourceKind::Pairs);
  const auto made = encodeText(*pairs, "0a0A");
  REQUIRE(made);
  REQUIRE(made->size() == 4);
  CHECK(pairs->word((*made)[3]) == "A");
}

TEST_CASE("encode: the longest matching word is taken") {
  const auto source = sourceOf(SourceKind::Mirrored);
  const auto made = encodeText(*source, "12");
  REQUIRE(made);
  REQUIRE(made->size() == 1);
  CHECK(source->word(made->front()) == "12");
}

TEST_CASE("encode: text that is not a token is refused with its position") {
  const auto bits = encodeText(*sourceOf(SourceKind::Markov), "012");
  REQUIRE(!bits);
  CHECK(bits.error().message.find("offset 2") != std::string::npos);
  const auto text = encodeText(*sourceOf(SourceKind::English), "the \xE2\x82\xAC");
  REQUIRE(!text);
  CHECK(text.error().message.find("U+20AC") != std::string::npos);
  CHECK(!encodeText(*sourceOf(SourceKind::Pairs), "[M]"));
}

TEST_CASE("encode: typed text is read as far as possible, and each unknown part is named once") {
  const auto text = sourceOf(SourceKind::English);
  const TypedText made = readTyped(*text, "th\u00df[MASK]e \u00df#k");
  CHECK(made.unknown == std::vector<std::string>{"\u00df", "#"});
  REQUIRE(made.tokens.size() == 6);
  CHECK(made.tokens[2] == text->maskToken());
  CHECK(text->word(made.tokens[3]) == "e");
  const auto bits = sourceOf(SourceKind::Markov);
  const TypedText some = readTyped(*bits, "01 x 2 x [MASK]1");
  CHECK(some.unknown == std::vector<std::string>{"x", "2", "[MASK]"});
  CHECK(some.tokens == std::vector<std::int32_t>{0, 1, 1});
  CHECK(readTyped(*bits, "").tokens.empty());
  CHECK(readTyped(*bits, "0110").tokens == *encodeText(*bits, "0110"));
}

}  // namespace sepx::data
