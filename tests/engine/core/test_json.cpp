// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/core/json.h"

using namespace sepx;

namespace {

template <class Json>
std::string refusal(std::string_view text, const JsonLimits& limits = {}) {
  const auto parsed = parseJson<Json>(text, limits);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::BadInput);
  return parsed.error().message;
}

}  // namespace

TEMPLATE_TEST_CASE("JSON is read without changes, and errors are reported with their position", "", nlohmann::json,
                   nlohmann::ordered_json) {
  using Json = TestType;
  const auto parsed = parseJson<Json>(R"({"b":[1,-2,0.5,1e-3,null,true,"\u00e9"],"a":{"x":{}}})");
  REQUIRE(parsed);
  CHECK(*parsed == Json::parse(R"({"b":[1,-2,0.5,1e-3,null,true,"\u00e9"],"a":{"x":{}}})"));
  CHECK(parsed->at("b").at(1) == -2);

  CHECK(refusal<Json>("") == "the file is empty");
  CHECK(refusal<Json>("[1,2") == "byte 4: the text ends in the middle");
  CHECK(refusal<Json>("[1,x]") == "byte 3: this is not JSON from here on");
  CHECK(refusal<Json>("[1e999]") == "byte 1: the number 1e999 is beyond the range of a double");
  CHECK(refusal<Json>(R"({"a":1,"a":2})") == "duplicate name \"a\" in one object");
  CHECK(refusal<Json>("[[[1]]]", {.depth = 2}) == "byte 2: nested deeper than 2 levels");
  CHECK(refusal<Json>(std::string(1'000'000, '[')) == "byte 64: nested deeper than 64 levels");
  CHECK(refusal<Json>("[1,2,3]", {.values = 3}) == "more than 3 values");
  CHECK(refusal<Json>(R"({"a":1,"b":2})", {.members = 1}) == "an object with more than 1 members");
  CHECK(parseJson<Json>("[1,2,3]", {.values = 4}));
  // Brackets in strings do not count as nesting.
  CHECK(parseJson<Json>("[\"" + std::string(1000, '[') + "\\\"[\"]"));
}

TEST_CASE("Many members keep their order, and a duplicate name among them is found") {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i)
    text += "\"k" + std::to_string(4999 - i) + "\":" + std::to_string(i) + ",";
  const auto ordered = parseJson<nlohmann::ordered_json>(text + "\"last\":0}");
  REQUIRE(ordered);
  CHECK(ordered->begin().key() == "k4999");
  CHECK(refusal<nlohmann::ordered_json>(text + "\"k77\":0}") == "duplicate name \"k77\" in one object");
  CHECK(refusal<nlohmann::json>(text + "\"k77\":0}") == "duplicate name \"k77\" in one object");
}

TEST_CASE("Names in messages are quoted and truncated and contain no control characters") {
  CHECK(inQuotes("a\"b") == "\"a\\\"b\"");
  CHECK(inQuotes("a\nb") == "\"a\\nb\"");
  CHECK(inQuotes(std::string(100, 'x')) == "\"" + std::string(60, 'x') + "\"");
  CHECK(inQuotes("\xFF").find('\xFF') == std::string::npos);
}
