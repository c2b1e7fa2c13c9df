// SPDX-License-Identifier: Apache-2.0
// Limits of memory and time for malicious files, part by part: patterns, normal forms, splits, models, decoders.
#include <catch2/catch.hpp>

#include <chrono>
#include <functional>

#include "engine/core/utf8.h"
#include "engine/tokenizer/decoder.h"
#include "engine/tokenizer/model.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "tests/engine/tokenizer/small_tokenizers.h"

using namespace sepx;
using namespace sepx::tokenizer;
using namespace sepx::tests;
using Catch::Matchers::Contains;
using Ids = std::vector<std::uint32_t>;

namespace {

Json replace(const char* kind, const std::string& pattern, const std::string& content) {
  return Json{{"type", "Replace"}, {"pattern", {{kind, pattern}}}, {"content", content}};
}

Json inOrder(const std::vector<Json>& normalizers) {
  return Json{{"type", "Sequence"}, {"normalizers", normalizers}};
}

NormalizerOf normalizerOf(const Json& json) {
  auto made = makeNormalizer(json);
  INFO((made ? "" : made.error().message));
  REQUIRE(made);
  return *std::move(made);
}

NormalizerOf charsmapTo(const std::string& text) {
  auto made = makeCharsmap(charsmapOfA(text));
  REQUIRE(made);
  return *std::move(made);
}

std::string madeOf(const Normalizer& normalizer, std::string_view text) {
  AlignedText aligned = AlignedText::of(text);
  REQUIRE(normalizer.apply(aligned, Budget(3600)));
  CHECK(aligned.places.size() == aligned.bytes.size());
  return aligned.bytes;
}

/// "[a]b[c]": the matches in brackets. Checks that every byte of the text is in exactly one span.
std::string marked(const Pattern& pattern, std::string_view text) {
  std::vector<Span> spans;
  REQUIRE(pattern.find(text, 0, Budget(5), spans));
  std::string out;
  std::size_t at = 0;
  for (const Span& span : spans) {
    REQUIRE(span.begin == at);
    REQUIRE(span.begin < span.end);
    REQUIRE(span.end <= text.size());
    const auto part = std::string(text.substr(span.begin, span.end - span.begin));
    out += span.match ? "[" + part + "]" : part;
    at = span.end;
  }
  CHECK(at == text.size());
  return out;
}

Pattern regex(const std::string& expression) {
  const auto made = Pattern::regex(expression);
  INFO(expression << ": " << (made ? "" : made.error().message));
  REQUIRE(made);
  return *made;
}

std::string refusedRegex(const std::string& expression) {
  const auto made = Pattern::regex(expression);
  return made ? std::string() : made.error().message;
}

void checkLate(const Result<void>& done) {
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::BadInput);
  CHECK_THAT(done.error().message, Contains("longer than 20 seconds"));
}

std::string withNormalizer(const Json& normalizer) {
  Json json = byteLevelJson({});
  json["normalizer"] = normalizer;
  return json.dump();
}

}  // namespace

TEST_CASE("A character map does not insert a text that is not UTF-8 or is too long") {
  CHECK(madeOf(*charsmapTo("\xC3\xA9"), "bab") ==
        "b\xC3\xA9"
        "b");
  CHECK(madeOf(*charsmapTo(""), "bab") == "bb");
  CHECK(madeOf(*charsmapTo("\xF0"), "bab") == "bab");
  CHECK(madeOf(*charsmapTo("x\xC3"), "bab") == "bab");
  CHECK(madeOf(*charsmapTo(std::string(kLongestAdded, 'x')), "a") == std::string(kLongestAdded, 'x'));
  CHECK(madeOf(*charsmapTo(std::string(kLongestAdded + 1, 'x')), "a") == "a");
  // A mark after "a" makes a grapheme of three bytes, which is looked up first.
  CHECK(madeOf(*charsmapTo("x"), "a\xCC\x81z") == "xz");

  // A pattern would read beyond the end of a text that ends with an incomplete character.
  Json json = byteLevelJson({});
  const Json map{{"type", "Precompiled"}, {"precompiled_charsmap", base64(charsmapOfA("\xF0"))}};
  json["normalizer"] = inOrder({map, replace("Regex", R"(\w)", "x")});
  const auto tokens = readJson(json)->encode("a");
  REQUIRE(tokens);
  REQUIRE(tokens->size() == 1);
  CHECK(tokens->front().id == 'x');
  CHECK(tokens->front().end == 1);
  json["normalizer"] = inOrder({map, Json{{"type", "NFC"}}});
  CHECK(idsOf(*readJson(json), "a") == Ids{'a'});
}

TEST_CASE("Matches are inside the text and do not overlap, for any expression") {
  CHECK(marked(regex(R"(\w)"), "ab\xF0") == "[a][b][\xF0]");
  CHECK(marked(regex(R"((?<=\Ka)a)"), "aaa") == "[aa][a]");
  CHECK(marked(regex(R"((?<=\Ka))"), "aba") == "[a]b[a]");
  CHECK(marked(regex(R"((?=aa\K))"), "aab") == "aab");
  CHECK(marked(regex(R"(a\Kb)"), "abab") == "a[b]a[b]");
  CHECK(marked(regex(R"(\Ga)"), "aaba") == "[a][a]ba");
  CHECK(marked(regex(R"((?<=b)a|\z)"), "aba") == "ab[a]");
}

TEST_CASE("An expression that ends in a comment or contains options is treated as a whole") {
  CHECK(marked(regex("(?x) a # a letter"), "bab") == "b[a]b");
  CHECK(marked(regex("a|(?i)B"), "Abab") == "A[b][a][b]");
  CHECK_FALSE(refusedRegex("a)(?:b").empty());
}

TEST_CASE("An expression that calls its own groups is refused, even if its compilation would not terminate") {
  CHECK_THAT(refusedRegex(R"((?<one>a\g<one>?))"), Contains("calls one of its own groups") && Contains("one"));
  CHECK_THAT(refusedRegex(R"((a\g'1'?))"), Contains("calls one of its own groups"));
  std::string bomb = "(?<a0>x)";
  for (int i = 1; i < 46; ++i) {
    const std::string call = R"(\g<a)" + std::to_string(i - 1) + ">";
    bomb += "(?<a" + std::to_string(i) + ">" + call + call + ")";
  }
  REQUIRE(bomb.size() < kLongestPattern);
  CHECK_THAT(refusedRegex(bomb), Contains("calls one of its own groups"));
  CHECK(marked(regex(R"(\\g<a>)"), R"(x\g<a>)") == R"(x[\g<a>])");
}

TEST_CASE("The part of an expression that an error message quotes is one readable line") {
  std::string name;
  for (int i = 0; i < 40; ++i)
    name += "\xC3\xA9";
  const std::string cut = refusedRegex(R"(\k<)" + name + ">");
  CHECK_THAT(cut, Contains("undefined name"));
  CHECK_FALSE(findInvalidUtf8(cut));
  const std::string control = refusedRegex("\\p{a\x1B[31m}");
  CHECK_THAT(control, Contains("is refused"));
  CHECK(control.find('\x1B') == std::string::npos);
}

TEST_CASE("A text is found at every position of a long text") {
  // Positions around those at which the time is checked.
  for (std::size_t at = 65'530; at < 65'542; ++at) {
    std::string text(200'000, '.');
    text.replace(at, 4, "abab");
    text.replace(131'070, 2, "ab");
    std::vector<Span> spans;
    REQUIRE(Pattern::text("ab").find(text, 10, Budget(3600), spans));
    REQUIRE(spans.size() == 6);
    CHECK(spans[1].begin == at + 10);
    CHECK(spans[2].begin == at + 12);
    CHECK(spans[4].begin == 131'080);
    CHECK(spans[5].end == 200'010);
  }
}

TEST_CASE("A search that takes too long is stopped by the time limit") {
  // Each attempt reads to the end of the text, which takes seconds in total.
  const std::string text(40'000, 'a');
  std::vector<Span> spans;
  checkLate(regex(R"((?=[\s\S]*+)[\x{10FFFE}\x{10FFFF}])").find(text, 0, Budget(0.02), spans));
}

TEST_CASE("Normal forms, splits, models and decoders check the time limit") {
  std::string text;
  for (int i = 0; i < 50'000; ++i)
    text += "\xC3\xA9";
  const Budget late(-1);
  const std::vector<Json> normalizers{{{"type", "Lowercase"}},
                                      {{"type", "BertNormalizer"}},
                                      {{"type", "Strip"}},
                                      {{"type", "NFC"}},
                                      {{"type", "NFKD"}},
                                      replace("String", "x", "y"),
                                      replace("Regex", "x", "y"),
                                      inOrder({Json{{"type", "Prepend"}, {"prepend", "x"}}}),
                                      {{"type", "Precompiled"}, {"precompiled_charsmap", base64(charsmapOfA("b"))}}};
  for (const Json& json : normalizers) {
    INFO(json.dump());
    AlignedText aligned = AlignedText::of(text);
    checkLate(normalizerOf(json)->apply(aligned, late));
    CHECK(normalizerOf(json)->apply(aligned, Budget(3600)));
  }
  const std::vector<Json> splits{
      {{"type", "Punctuation"}},
      {{"type", "CharDelimiterSplit"}, {"delimiter", "x"}},
      {{"type", "Sequence"}, {"pretokenizers", Json::array({Json{{"type", "Whitespace"}}})}}};
  for (const Json& json : splits) {
    INFO(json.dump());
    const auto made = makePreTokenizer(json);
    REQUIRE(made);
    Pieces pieces{AlignedText::of(text), {{0, text.size(), -1}}};
    checkLate((*made)->apply(pieces, late));
    CHECK((*made)->apply(pieces, Budget(3600)));
  }
  Vocab vocab;
  REQUIRE(vocab.add("\xC3\xA9", 0));
  REQUIRE(vocab.finish());
  const auto bpe = makeBpe(std::move(vocab), {}, {});
  REQUIRE(bpe);
  std::vector<Part> parts;
  checkLate((*bpe)->encode(text, late, parts));
  Marks marks;
  const auto decoder = makeDecoder({{"type", "Sequence"}, {"decoders", Json::array({Json{{"type", "Fuse"}}})}}, marks);
  REQUIRE(decoder);
  std::vector<std::string> tokens{"a", "b"};
  checkLate((*decoder)->apply(tokens, late));
}

TEST_CASE("Components and expressions are counted over the whole file") {
  const std::vector<Json> many(200, Json{{"type", "Lowercase"}});
  CHECK(refusalOf(withNormalizer(inOrder(many))).empty());
  CHECK_THAT(refusalOf(withNormalizer(inOrder({inOrder(many), inOrder(many)}))),
             Contains("405 components, more than 256"));
  Json json = Json::parse(withNormalizer(inOrder(many)));
  json["decoder"] = {{"type", "Sequence"}, {"decoders", std::vector<Json>(200, Json{{"type", "Fuse"}})}};
  CHECK_THAT(refusalOf(json.dump()), Contains("components"));
  const std::vector<Json> patterns(17, replace("Regex", std::string(4000, 'a'), ""));
  CHECK_THAT(refusalOf(withNormalizer(inOrder(patterns))), Contains("68000 bytes"));
}

TEST_CASE("The size of a normal form is limited while it is computed, and usual normal forms stay below the limit") {
  const Budget small(3600, 10);
  REQUIRE(small.most() == 66'176);
  AlignedText letters = AlignedText::of(std::string(1000, 'a'));
  const auto mapped = charsmapTo(std::string(1000, 'x'))->apply(letters, small);
  REQUIRE_FALSE(mapped);
  CHECK_THAT(mapped.error().message, Contains("more than 66176 bytes, too many for its length"));
  // The character with the longest compatibility decomposition: 3 bytes become 33 bytes.
  std::string longest;
  for (int i = 0; i < 3000; ++i)
    longest += "\xEF\xB7\xBA";
  AlignedText aligned = AlignedText::of(longest);
  const auto form = normalizerOf({{"type", "NFKD"}})->apply(aligned, small);
  REQUIRE_FALSE(form);
  CHECK_THAT(form.error().message, Contains("66176"));
  Json json = Json::parse(withNormalizer({{"type", "NFKD"}}));
  CHECK(idsOf(*readJson(json), longest).size() == 3000 * 33);
  CHECK(Budget(1, kLongestText).most() == kLongestWork);
}

TEST_CASE("Normal forms of added tokens are limited, each and in total") {
  Json json = Json::parse(withNormalizer(
      inOrder({replace("String", "a", std::string(1000, 'b')), replace("String", "b", std::string(16, 'c'))})));
  json["added_tokens"] = Json::array({Json{{"content", "a"}, {"id", 300}}});
  CHECK(refusalOf(json.dump()).empty());
  json["added_tokens"] = Json::array({Json{{"content", "aa"}, {"id", 300}}});
  CHECK_THAT(refusalOf(json.dump()), Contains("added token") && Contains("aa") && Contains("more than 16384"));
  json["added_tokens"] = Json::array({Json{{"content", std::string(1000, 'a')}, {"id", 300}}});
  CHECK_THAT(refusalOf(json.dump()), Contains("added token") && Contains("more than 131072"));
  json["added_tokens"] = Json::array();
  for (int i = 0; i < 2100; ++i)
    json["added_tokens"].push_back(Json{{"content", "a" + std::to_string(i)}, {"id", 300 + i}});
  CHECK_THAT(refusalOf(json.dump()), Contains("normal forms of the added tokens") && Contains("33554432"));
}

TEST_CASE("Texts that a file inserts or searches for are limited in length") {
  const std::string longer(kLongestAdded + 1, 'x'), pattern(kLongestPattern + 1, 'x');
  Json json = byteLevelJson({});
  for (const char* const name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    Json changed = json;
    changed["model"][name] = longer;
    CHECK_THAT(refusalOf(changed.dump()), Contains(name) && Contains("more than 1024"));
  }
  CHECK_THAT(refusalOf(withNormalizer(replace("String", "a", longer))), Contains("content"));
  CHECK_THAT(refusalOf(withNormalizer(replace("String", pattern, "a"))), Contains("4097 bytes"));
  CHECK_THAT(refusalOf(withNormalizer({{"type", "Prepend"}, {"prepend", longer}})), Contains("prepend"));
  json["decoder"] = {{"type", "BPEDecoder"}, {"suffix", longer}};
  CHECK_THAT(refusalOf(json.dump()), Contains("suffix"));
}

TEST_CASE("A decoded text is limited in length, and stripped in one step") {
  const std::string token(60'000, 'a');
  Json json{{"model", {{"type", "WordLevel"}, {"unk_token", "?"}, {"vocab", {{"?", 0}, {token, 1}}}}}};
  json["decoder"] = {{"type", "Fuse"}};
  const auto fused = readJson(json);
  CHECK(fused->decode(Ids(50, 1))->size() == 50 * token.size());
  const auto much = fused->decode(Ids(600, 1));
  REQUIRE_FALSE(much);
  CHECK(much.error().kind == ErrorKind::BadInput);
  CHECK_THAT(much.error().message, Contains("33554432"));

  const Json strip{{"type", "Strip"}, {"content", "a"}, {"start", kLongestToken}, {"stop", 7}};
  json["decoder"] = {{"type", "Sequence"}, {"decoders", Json::array({Json{{"type", "Fuse"}}, strip})}};
  const auto begun = std::chrono::steady_clock::now();
  CHECK(readJson(json)->decode(Ids(200, 1))->size() == 200 * token.size() - kLongestToken - 7);
  // Letter by letter, this would take minutes.
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
  CHECK(readJson(json)->decode(Ids{1})->empty());
}

TEST_CASE("Vocabularies and merges that are chosen to collide in a hash table are refused") {
  constexpr std::size_t kCount = 300, kPlaces = 1024;
  Vocab chosen, plain;
  std::uint32_t found = 0;
  for (std::size_t i = 0; found < kCount; ++i) {
    const std::string token = std::to_string(i);
    if (i < kCount) REQUIRE(plain.add(token, i));
    if (std::hash<std::string_view>()(token) % kPlaces == 0) REQUIRE(chosen.add(token, found++));
  }
  CHECK(plain.finish());
  const auto refused = chosen.finish();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::BadInput);
  CHECK_THAT(refused.error().message, Contains("tokens have the same hash"));

  // The same hash function as MergeTable::firstSlot.
  const auto place = [](std::uint64_t pair) {
    return static_cast<std::size_t>((pair ^ pair >> 29) * 0x9E3779B97F4A7C15ull >> 54);
  };
  MergeTable table(kCount), ordinary(kCount);
  bool all = true;
  found = 0;
  for (std::uint32_t left = 0; found < kCount; ++left) {
    if (left < kCount) REQUIRE(ordinary.add(left, left + 1, left, left));
    if (place(std::uint64_t{left} << 32 | 7) == 0) all = table.add(left, 7, found++, 0) && all;
  }
  CHECK_FALSE(all);
}
