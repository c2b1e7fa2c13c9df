// SPDX-License-Identifier: Apache-2.0
// States as lines of text: a round trip gives the same document, and an invalid text is refused with a message.
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include <zlib.h>

#include <catch2/catch.hpp>

#include "ui/document/state_dictionary.h"
#include "ui/document/state_text.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

Document of(const char* json) {
  auto made = Document::fromJson(Json::parse(json));
  REQUIRE(made);
  return *made;
}

std::string written(const Document& document) {
  const auto text = writeStateText(document);
  REQUIRE(text);
  return *text;
}

std::string refusal(const std::string& text) {
  const auto read = readStateText(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::BadInput);
  CHECK(read.error().message.find('\n') == std::string::npos);
  return read.error().message;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A state text with arbitrary content and checksum.
std::string forged(const std::string& packed, std::uint32_t checksum) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  const std::string_view words = stateDictionary();
  deflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(words.data()), static_cast<uInt>(words.size()));
  std::string bytes(deflateBound(&stream, packed.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  for (int i = 3; i >= 0; --i)
    bytes.insert(bytes.begin(), static_cast<char>(checksum >> (8 * i) & 0xFF));
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text = "sepx:1:";
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 6) {
    int digit = 0;
    for (std::size_t k = bit; k < bit + 6; ++k)
      digit = 2 * digit + (k / 8 < bytes.size() ? static_cast<unsigned char>(bytes[k / 8]) >> (7 - k % 8) & 1 : 0);
    text += kDigits[static_cast<std::size_t>(digit)];
  }
  return text;
}

std::string forged(const std::string& json) {
  return forged(json, static_cast<std::uint32_t>(
                          crc32(0, reinterpret_cast<const Bytef*>(json.data()), static_cast<uInt>(json.size()))));
}

const char* const kFlow = R"({"version":1,"exhibit":"flow","flow":{"p":0.3,"q":0.9,"points":[
  {"e":0.71234567891234,"w":-0.512345678123,"name":"A"},{"e":1.2,"w":0.4,"name":"B"}],"selected":1,
  "view":{"xMin":-1.479564644169543,"xMax":0.8352501706452733,"yMin":-1.2399397538050627,"yMax":1.0748750610097517}}})";

}  // namespace

TEST_CASE("A state as text reads back to the same document") {
  for (const char* json :
       {kFlow, R"({"version":1})", R"({"version":1,"exhibit":"weights","weights":{"checkpoint":"~/a b/ü \"x\".bin"}})",
        R"({"version":1,"a":{"text":"no -0.1234567890123 number","nothing":null,"truth":[true,false,{}]}})",
        R"({"version":1,"n":[-0.0,1e300,-1.7976931348623157e308,5e-324,18446744073709551615,-9223372036854775808,
            123456789012.0,0.1,1234567890123456]})"}) {
    const Document document = of(json);
    const std::string text = written(document);
    INFO(text);
    CHECK(isStateText(text));
    CHECK(text.starts_with("sepx:1:"));
    const auto read = readStateText(text);
    INFO((read ? std::string() : read.error().message));
    REQUIRE(read);
    CHECK(read->toJson().dump() == document.toJson().dump());
    CHECK(written(*read) == text);
  }
}

TEST_CASE("Documents of random numbers read back to the same bits") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    Document document = of(R"({"version":1,"exhibit":"flow"})");
    for (int i = 0; i < 8; ++i) {
      double value = std::bit_cast<double>(random());
      if (!std::isfinite(value)) value = static_cast<double>(round);
      document = document.with("flow.points[" + std::to_string(i) + "]", Json{{"e", value}, {"w", value / 3}});
    }
    const auto read = readStateText(written(document));
    REQUIRE(read);
    CHECK(*read == document);
  }
}

TEST_CASE("Blanks and line ends in a state are ignored") {
  const std::string text = written(of(kFlow));
  std::string wrapped = "\n  " + text.substr(0, 40) + "\r\n" + text.substr(40, 30) + " \t" + text.substr(70) + "\n";
  const auto read = readStateText(wrapped);
  REQUIRE(read);
  CHECK(*read == of(kFlow));
}

TEST_CASE("A Flow state of five points at full precision has at most 300 characters") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> anywhere(-2, 2);
  std::size_t longest = 0;
  for (int round = 0; round < 100; ++round) {
    Document document = of(R"({"version":1,"exhibit":"flow"})").with("flow.p", anywhere(random)).with("flow.q", 0.37);
    for (int i = 0; i < 5; ++i)
      document = document.with(
          "flow.points[" + std::to_string(i) + "]",
          Json{{"e", anywhere(random)}, {"w", anywhere(random)}, {"name", std::string(1, static_cast<char>('A' + i))}});
    document = document.with("flow.selected", 4);
    for (const char* edge : {"xMin", "xMax", "yMin", "yMax"})
      document = document.with(std::string("flow.view.") + edge, anywhere(random));
    longest = std::max(longest, written(document).size());
  }
  INFO(longest);
  CHECK(longest <= 300);
}

TEST_CASE("A state that is cut at any place is reported as cut") {
  const std::string text = written(of(kFlow));
  for (std::size_t size = 7; size < text.size() - 1; ++size) {
    INFO(size);
    const std::string sentence = refusal(text.substr(0, size));
    CHECK(has(sentence, "this state is cut"));
  }
}

TEST_CASE("A state with a changed character is refused or gives the same document") {
  const std::string text = written(of(kFlow));
  for (std::size_t at = 7; at < text.size(); ++at) {
    for (const char other : {'A', 'z', '5', '_'}) {
      std::string changed = text;
      changed[at] = other;
      const auto read = readStateText(changed);
      INFO(at);
      if (read) CHECK(*read == of(kFlow));  // the padding bits of the last character are ignored
    }
  }
  CHECK(has(refusal(text + "AAAA"), "damaged"));
}

TEST_CASE("A text that is not a state, or has a newer version, is refused with the reason") {
  CHECK_FALSE(isStateText("session.sepx"));
  CHECK_FALSE(isStateText("sepx:"));
  CHECK_FALSE(isStateText("sepx:x:AAAA"));
  CHECK_FALSE(isStateText("http://sepx:1:AA"));
  CHECK(isStateText("sepx:2:AAAA"));
  CHECK(has(refusal("hello"), "sepx:1:"));
  CHECK(has(refusal("sepx:2:AAAA"), "newer"));
  CHECK(has(refusal("sepx:1:AB=D"), "character 3"));
  CHECK(has(refusal("sepx:1:"), "cut"));
  CHECK(has(refusal("sepx:1:AAAAAA"), "cut"));
}

TEST_CASE("A hostile state cannot exhaust memory, nest too deeply or pass for a document") {
  CHECK(has(refusal(forged(std::string(kLargestState + 1, ' '))), "more than"));
  // Numbers are unpacked to three times their size.
  std::string numbers;
  for (std::size_t i = 0; i < kLargestState / 9; ++i)
    numbers += std::string("\x01\x11\x22\x33\x44\x55\x66\x77\x3f", 9);
  CHECK(has(refusal(forged(numbers)), "more than"));
  CHECK(has(refusal(forged("{\"a\":\x01"
                           "12345")),
            "damaged"));
  CHECK(has(refusal(forged(std::string(100'000, '['))), "deeper"));
  CHECK(has(refusal(forged("{\"a\":1", 17)), "damaged"));
  CHECK(has(refusal(forged("[1,2]")), "damaged"));
  CHECK(has(refusal(forged("{\"a\":1,\"a\":2}")), "duplicate name"));
  CHECK(readStateText(forged("{\"a\":1}")));
  CHECK(has(refusal("sepx:1:" + std::string(kLongestStateText, 'A')), "characters"));
}

TEST_CASE("A state that is too large for a text is refused with an alternative") {
  std::mt19937_64 random(1);
  Document document = of(R"({"version":1})");
  Json list = Json::array();
  for (int i = 0; i < 120'000; ++i)
    list.push_back(std::ldexp(static_cast<double>(random() >> 11), -53));
  const auto text = writeStateText(document.with("x.list", list));
  REQUIRE_FALSE(text);
  CHECK(text.error().kind == ErrorKind::CheckFailed);
  CHECK(has(text.error().message, "save it as a session"));
}

TEST_CASE("Messages show only the beginning of a state") {
  CHECK(shownStateText("sepx:1:ABCDEFGHIJKLMNOPQ") == "sepx:1:ABCDEFGHI…");
  CHECK(shownStateText("  sepx:1:AB") == "sepx:1:AB");
}

TEST_CASE("The format of a state never changes: a state of the first version can be opened") {
  const auto read = readStateText("sepx:1:sd8x5UNkYPwqGbOZfbQ6Tz-zB_uQcZpC5WGl1Af7kT0KDQJQqiqHJipE-KCEArD6BwA");
  REQUIRE(read);
  CHECK(read->at("flow.p") == 0.3);
  CHECK(read->at("flow.points[0].e") == 0.71234567891234);
  CHECK(read->at("flow.points[1].name") == "B");
}
