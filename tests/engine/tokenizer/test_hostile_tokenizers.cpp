// SPDX-License-Identifier: Apache-2.0
// Malicious files and texts: each is refused with a message, or processed within its limits.
#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/model.h"
#include "tests/engine/tokenizer/small_tokenizers.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using namespace sepx::tokenizer;
using namespace sepx::tests;
using Catch::Matchers::Contains;

namespace {

Json addedTokens(std::size_t count) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(Json{{"content", "<t" + std::to_string(i) + ">"}, {"id", 1000 + i}});
  return list;
}

std::string withPattern(const std::string& expression) {
  Json json = byteLevelJson({});
  json["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}};
  return json.dump();
}

}  // namespace

TEST_CASE("An unknown component is refused with its name") {
  const auto with = [](const char* part, const Json& component) {
    Json json = byteLevelJson({});
    json[part] = component;
    return refusalOf(json.dump());
  };
  CHECK_THAT(with("normalizer", {{"type", "Frobnicate"}}), Contains("normalizer") && Contains("Frobnicate"));
  CHECK_THAT(with("pre_tokenizer", {{"type", "UnicodeScripts"}}), Contains("UnicodeScripts"));
  CHECK_THAT(with("post_processor", {{"type", "Odd"}}), Contains("post_processor") && Contains("Odd"));
  CHECK_THAT(with("decoder", {{"type", "Odd"}}), Contains("decoder") && Contains("Odd"));
  CHECK_THAT(with("model", {{"type", "Odd"}, {"vocab", {{"a", 0}}}}), Contains("model") && Contains("Odd"));
  CHECK_THAT(with("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"String", "x"}}}, {"behavior", "Odd"}}),
             Contains("behavior") && Contains("Odd"));
  CHECK_THAT(with("normalizer", {{"type", "Replace"}, {"pattern", 7}, {"content", ""}}), Contains("pattern"));
  CHECK_THAT(with("normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "AAAA"}}), Contains("Precompiled"));
}

TEST_CASE("A text that is not JSON is refused as such, and only such a text") {
  const Json json = byteLevelJson({{"a", "b"}, {"\"", "\\"}, {"ab", "c"}});
  RandomStream random(5);
  int refused = 0;
  for (const bool escaped : {true, false}) {
    const std::string text = json.dump(1, ' ', escaped);
    CHECK(refusalOf("\xEF\xBB\xBF" + text).empty());
    for (int i = 0; i < 4000; ++i) {
      std::string changed = text;
      const std::size_t at = random.below(changed.size());
      switch (random.below(3)) {
        case 0:
          changed[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          changed[at] = "{}[]\",:\\0-+.eEnul"[random.below(18)];
          break;
        default:
          changed.erase(at, 1 + random.below(3));
          break;
      }
      const bool accepted = Json::accept(changed);
      const bool asSuch = refusalOf(changed).find("is not JSON") != std::string::npos;
      // A file that is refused for its content may have invalid JSON after that place.
      if (accepted) {
        INFO(changed.substr(at > 40 ? at - 40 : 0, 80));
        REQUIRE_FALSE(asSuch);
      } else {
        INFO(changed.substr(at > 40 ? at - 40 : 0, 80));
        REQUIRE_FALSE(refusalOf(changed).empty());
        refused += asSuch ? 1 : 0;
      }
    }
  }
  CHECK(refused > 2000);
  for (const char* text : {"",
                           " ",
                           "{",
                           "{\"a\":[1,]}",
                           "{\"a\":1,}",
                           "{\"a\" 1}",
                           "{} {}",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":.5}",
                           "{\"a\":1e}",
                           "{\"a\":-}",
                           "{\"a\":1e999}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\ud800\"}",
                           "{\"a\":\"\\udc00\\ud800\"}",
                           "{\"a\":\"\\u12g4\"}",
                           "{\"a\":\"\n\"}",
                           "{\"a\":tru}",
                           "{\"a\":\"",
                           "{\"a\":\"\\"}) {
    INFO(text);
    CHECK_FALSE(Json::accept(std::string(text)));
    CHECK_THAT(refusalOf(text), Contains("is not JSON"));
  }
}

TEST_CASE("A million added tokens are refused, and the largest allowed number is read") {
  Json json = byteLevelJson({});
  json["added_tokens"] = addedTokens(1'000'000);
  CHECK_THAT(refusalOf(json.dump()), Contains("added tokens") || Contains("values"));
  json["added_tokens"] = addedTokens(kMostAdded);
  const auto opened = readJson(json);
  CHECK(idsOf(*opened, "<t199999><t7>") == std::vector<std::uint32_t>{200'999, 1007});
  json["added_tokens"] = Json::array({Json{{"content", std::string(kLongestAdded + 1, 'x')}, {"id", 300}}});
  CHECK_THAT(refusalOf(json.dump()), Contains("added token"));
}

TEST_CASE("Merges of tokens outside the vocabulary are refused with the token's name") {
  Json json = byteLevelJson({{"a", "b"}});
  json["model"]["merges"].push_back("a nothing");
  CHECK_THAT(refusalOf(json.dump()), Contains("merge 1") && Contains("nothing"));
  json["model"]["merges"][1] = "a z";
  CHECK_THAT(refusalOf(json.dump()), Contains("merge 1") && Contains("az"));
  json["model"]["merges"][1] = "a b c";
  CHECK_THAT(refusalOf(json.dump()), Contains("a b c"));
  json["model"]["merges"][1] = Json::array({"a", "b", "c"});
  CHECK_THAT(refusalOf(json.dump()), Contains("merge"));
  json["model"]["merges"][1] = Json::array({"a"});
  CHECK_THAT(refusalOf(json.dump()), Contains("merge"));
}

TEST_CASE("Ids out of range, duplicate ids and a vocabulary of the wrong shape are refused") {
  CHECK_THAT(refusalOf(R"({"model":{"type":"BPE","vocab":{"a":4294967295},"merges":[]}})"), Contains("4294967295"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}})"), Contains("negative"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"BPE","vocab":{"a":1,"b":1},"merges":[]}})"), Contains("same id"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"BPE","vocab":{"a":{"b":1}},"merges":[]}})"), Contains("vocabulary"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"BPE","vocab":{},"merges":[]}})"), Contains("empty"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"Unigram","unk_id":7,"vocab":[["a",0]]}})"), Contains("7"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"Unigram","vocab":[["a"]]}})"), !Contains("Internal") && Contains("small"));
  CHECK_THAT(refusalOf(R"([1,2])"), Contains("object"));
  CHECK_THAT(refusalOf(R"(7)"), Contains("object"));
  CHECK_THAT(refusalOf(R"({"model":)"), Contains("byte"));
  CHECK_THAT(refusalOf("{}"), Contains("model"));
  CHECK_THAT(refusalOf(std::string(100'000, '[')), Contains("object") || Contains("deep"));
  std::string deep = R"({"normalizer":)";
  for (int i = 0; i < 20'000; ++i)
    deep += R"({"a":)";
  CHECK_THAT(refusalOf(deep), Contains("deep"));
  CHECK_THAT(refusalOf(R"({"normalizer":null,"normalizer":null})"), Contains("duplicate name"));
}

TEST_CASE("A pattern that is too long, invalid or does not terminate is refused with a message") {
  CHECK_THAT(refusalOf(withPattern(std::string(kLongestPattern + 1, 'a'))), Contains("pattern"));
  CHECK_THAT(refusalOf(withPattern("(a")), Contains("pattern"));
  CHECK_THAT(refusalOf(withPattern(std::string(4000, '('))), Contains("pattern"));
  const auto opened = readTokenizerJson(withPattern(R"((\p{L}+)+\d)"), "small");
  REQUIRE(opened);
  const auto tokens = (*opened)->encode(std::string(60, 'a'));
  REQUIRE_FALSE(tokens);
  CHECK_THAT(tokens.error().message, Contains("too many steps"));
}

TEST_CASE("A text that is too long or not UTF-8 is refused, and so are ids that do not exist") {
  const auto opened = readJson(byteLevelJson({}));
  CHECK_FALSE(opened->encode(std::string(kLongestText + 1, 'a')));
  const auto broken = opened->encode("ab\xFF");
  REQUIRE_FALSE(broken);
  CHECK_THAT(broken.error().message, Contains("byte 2"));
  CHECK(opened->encode(std::string("a\0b", 3))->size() == 3);
  CHECK_FALSE(opened->decode(std::vector<std::uint32_t>{256}));
  CHECK_FALSE(opened->token(4'000'000'000u));
}

TEST_CASE("A word of a million characters is split in time proportional to its length") {
  Json json = byteLevelJson({{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}});
  const auto opened = readJson(json);
  const auto ids = idsOf(*opened, std::string(1'000'000, 'a'));
  CHECK(ids.size() == 125'000);
  CHECK(std::all_of(ids.begin(), ids.end(), [](std::uint32_t id) { return id == 258; }));
}

TEST_CASE("Normal forms that let a text grow without limit are stopped") {
  Json grow = Json::array();
  for (int i = 0; i < 30; ++i)
    grow.push_back(Json{{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aaaaaaaa"}});
  Json json = byteLevelJson({});
  json["normalizer"] = {{"type", "Sequence"}, {"normalizers", grow}};
  const auto opened = readJson(json);
  // The limit is lower for a short text. For any text it is the size of the largest text that is processed.
  const auto tokens = opened->encode("aaaa");
  REQUIRE_FALSE(tokens);
  CHECK_THAT(tokens.error().message, Contains("more than 65792 bytes"));
  const auto most = opened->encode(std::string(600'000, 'a'));
  REQUIRE_FALSE(most);
  CHECK_THAT(most.error().message, Contains("more than 33554432 bytes"));
}

TEST_CASE("Texts that are designed to take long are processed or stopped within the time limit") {
  // At every position, the text matches all but the last byte of a token of a thousand bytes.
  Json json = byteLevelJson({});
  json["added_tokens"] = Json::array();
  for (int i = 0; i < 100; ++i)
    json["added_tokens"].push_back(
        Json{{"content", std::string(1000, 'a') + std::to_string(i)}, {"id", 1000 + i}, {"normalized", false}});
  json["added_tokens"].push_back(Json{{"content", " "}, {"id", 2000}, {"normalized", false}, {"rstrip", true}});
  json["added_tokens"].push_back(Json{{"content", "\t"}, {"id", 2001}, {"normalized", false}, {"lstrip", true}});
  json["normalizer"] = {{"type", "NFC"}};
  const auto opened = readJson(json);
  CHECK(idsOf(*opened, std::string(200'000, 'a')).size() == 200'000);
  CHECK(idsOf(*opened, std::string(1'000'000, ' ')) == std::vector<std::uint32_t>{2000});
  CHECK(idsOf(*opened, std::string(1'000'000, '\t')).size() == 1'000'000);
  // Alternating marks of two classes, which a normal form sorts.
  std::string marks = "a";
  for (int i = 0; i < 200'000; ++i)
    marks += i % 2 == 0 ? "\xCC\x81" : "\xCC\xA3";
  CHECK(opened->encode(marks));
}

TEST_CASE("Limits of lengths and counts are enforced") {
  const std::string longToken(kLongestToken + 1, 'x');
  CHECK_THAT(refusalOf(Json{{"model", {{"type", "WordLevel"}, {"vocab", {{longToken, 0}}}}}}.dump()),
             Contains("bytes"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"Unigram","vocab":[[")" + std::string(5000, 'x') + R"(",0]]}})"),
             Contains("more than 4096 bytes"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"WordPiece","vocab":{"a":0},"max_input_chars_per_word":5000}})"),
             Contains("5000"));
  std::string merges = R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a a")";
  for (std::size_t i = 0; i < kMostMerges; ++i)
    merges += R"(,"a a")";
  CHECK_THAT(refusalOf(merges + "]}}"), Contains("4000000 merges"));
  Json nested{{"type", "NFC"}};
  for (int i = 0; i < 10; ++i)
    nested = Json{{"type", "Sequence"}, {"normalizers", Json::array({nested})}};
  Json json = byteLevelJson({});
  json["normalizer"] = nested;
  CHECK_THAT(refusalOf(json.dump()), Contains("deep"));
  Json single = Json::array({Json{{"Sequence", {{"id", "A"}}}}});
  for (int i = 0; i < 2000; ++i)
    single.push_back(Json{{"SpecialToken", {{"id", "a"}}}});
  json = byteLevelJson({});
  json["post_processor"] =
      Json{{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", {{"a", {{"ids", {97}}}}}}};
  CHECK_THAT(refusalOf(json.dump()), Contains("1024 tokens"));
  // In parts that are each within the limit.
  single = Json::array({Json{{"SpecialToken", {{"id", "a"}}}}, Json{{"Sequence", {{"id", "A"}}}}});
  const Json half{{"type", "TemplateProcessing"},
                  {"single", single},
                  {"special_tokens", {{"a", {{"ids", std::vector<int>(600, 97)}}}}}};
  json["post_processor"] = Json{{"type", "Sequence"}, {"processors", Json::array({half, half})}};
  CHECK_THAT(refusalOf(json.dump()), Contains("1024 tokens"));
  CHECK_THAT(refusalOf("{\"truncation\":" + std::string(40, '[') + std::string(40, ']') + "}"),
             Contains("nested more than 32 deep"));
  std::string values = "{\"truncation\":[0";
  for (int i = 0; i < 2'000'000; ++i)
    values += ",0";
  CHECK_THAT(refusalOf(values + "]}"), Contains("more than 2000000 values"));
  CHECK_THAT(refusalOf(R"({"model":{"type":"BPE","vocab":{"a":2000000}}})"), Contains("not below 2000000"));
  const TemporaryFolder folder;
  const std::string path = folder.file("tokenizer.json", "{");
  std::filesystem::resize_file(path, kLongestFile + 1);  // a sparse file
  const auto huge = openTokenizer(path);
  REQUIRE_FALSE(huge);
  CHECK_THAT(huge.error().message, Contains("tokenizer.json"));
}

TEST_CASE("A decoder that lets a text grow without limit is stopped") {
  Json grow = Json::array();
  for (int i = 0; i < 30; ++i)
    grow.push_back(Json{{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aaaaaaaa"}});
  Json json = byteLevelJson({});
  json["decoder"] = {{"type", "Sequence"}, {"decoders", grow}};
  const auto text = readJson(json)->decode(std::vector<std::uint32_t>{'a'});
  REQUIRE_FALSE(text);
  CHECK_THAT(text.error().message, Contains("more than 65600 bytes"));
}

TEST_CASE("A word outside the vocabulary is refused with its text if there is no token for unknown words") {
  const auto opened = readJson({{"model", {{"type", "WordLevel"}, {"unk_token", "?"}, {"vocab", {{"a", 0}}}}}});
  const auto tokens = opened->encode("other");
  REQUIRE_FALSE(tokens);
  CHECK_THAT(tokens.error().message, Contains("other") && Contains("?"));
}

TEST_CASE("A text that exceeds its time limit is refused during processing") {
  Vocab vocab;
  REQUIRE(vocab.add("a", 0));
  REQUIRE(vocab.finish());
  const auto model = makeUnigram(std::move(vocab), {-1.0}, {});
  REQUIRE(model);
  const std::string text(4 * kStepsBetween, 'a');
  std::vector<Part> parts;
  CHECK((*model)->encode(text, Budget(3600), parts));
  const auto late = (*model)->encode(text, Budget(-1), parts);
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::BadInput);
  CHECK_THAT(late.error().message, Contains("longer than 20 seconds"));
}
