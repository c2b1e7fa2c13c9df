// SPDX-License-Identifier: Apache-2.0
#include "ui/document/document.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "engine/core/random.h"
#include "ui/document/json_text.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

Document sample() {
  return Document()
      .with("exhibit", "flow")
      .with("flow.p", 0.5)
      .with("flow.points[0].e", 0.3)
      .with("flow.points[0].w", -0.2)
      .with("flow.points[1]", Json{{"e", 1.0}, {"w", 2.0}});
}

}  // namespace

TEST_CASE("A document returns the value stored at a path") {
  const Document document = sample();
  CHECK(document.at("exhibit") == "flow");
  CHECK(document.at("flow.p") == 0.5);
  CHECK(document.at("flow.points[1].w") == 2.0);
  CHECK(document.at("flow.points").size() == 2);
  CHECK(document.has("flow.points[1]"));
  CHECK_FALSE(document.has("flow.points[2]"));
  CHECK_FALSE(document.has("flow.q"));
  CHECK(document.at("flow.q").is_null());
}

TEST_CASE("An invalid path finds nothing") {
  const Document document = sample();
  for (const char* path :
       {"", ".", "flow.", ".flow", "flow..p", "flow.points[", "flow.points[]", "flow.points[x]", "flow.points[-1]",
        "flow.points[99999999999999999999]", "[0]", "flow.points[0]e", "flow.p.x", "flow.p[0]", "exhibit[0]"}) {
    CAPTURE(path);
    CHECK_FALSE(document.has(path));
    CHECK(document.without(path) == document);
  }
}

TEST_CASE("A change does not alter the old document") {
  const Document before = sample();
  const std::uint64_t hash = before.hash();
  const Document after = before.with("flow.p", 0.7).with("flow.points[2].e", 5).without("flow.points[0]");
  CHECK(before.hash() == hash);
  CHECK(before.at("flow.p") == 0.5);
  CHECK(after.at("flow.p") == 0.7);
  CHECK(after.at("flow.points").size() == 2);
  CHECK(after.at("flow.points[0].w") == 2.0);
  CHECK(after != before);
}

TEST_CASE("Documents share the sections that did not change") {
  const Document before = sample().with("workbench.theme", "dark");
  const Document after = before.with("workbench.theme", "light");
  CHECK(&before.at("flow") == &after.at("flow"));
  CHECK(&before.at("workbench") != &after.at("workbench"));
  const Document less = after.without("workbench");
  CHECK(&less.at("flow") == &before.at("flow"));
  CHECK_FALSE(less.has("workbench"));
}

TEST_CASE("Equal documents have equal hashes, and different documents have different hashes") {
  CHECK(sample() == sample());
  CHECK(sample().hash() == sample().hash());
  CHECK(Document().hash() == Document().hash());
  const Document one = Document().with("a.x", 1), oneReal = Document().with("a.x", 1.0);
  CHECK((one == oneReal) == (one.hash() == oneReal.hash()));
  const Document zero = Document().with("a.x", 0.0), minusZero = Document().with("a.x", -0.0);
  CHECK((zero == minusZero) == (zero.hash() == minusZero.hash()));
  CHECK(sample().with("flow.p", std::nextafter(0.5, 1.0)).hash() != sample().hash());
}

TEST_CASE("The hash is FNV-1a of the compact JSON") {
  // Computed independently: FNV-1a 64 of the thirteen bytes {"version":1}, with Python's integers.
  CHECK(Document().hash() == 0x07ebe02b9b5e69f2u);
}

TEST_CASE("Values that are not finite become null, in memory as in the file") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Document document = Document().with("a", Json{{"x", std::nan("")}, {"list", {1.0, infinity, -infinity}}});
  CHECK(document.at("a.x").is_null());
  CHECK(document.at("a.list[0]") == 1.0);
  CHECK(document.at("a.list[1]").is_null());
  CHECK(compactText(document.toJson()) == R"({"version":1,"a":{"x":null,"list":[1.0,null,null]}})");
}

TEST_CASE("Every double survives a round trip through JSON text") {
  RandomStream random(7);
  Document document;
  std::vector<double> numbers = {0.0, -0.0, 1e6, -1e6, 1e-200, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3.0};
  while (numbers.size() < 2000) {
    const double number = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(2000)) - 1000);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    document = document.with("numbers[" + std::to_string(i) + "]", numbers[i]);
  }
  const Result<Json> json = parseJson(indentedText(document.toJson()));
  REQUIRE(json);
  const Result<Document> back = Document::fromJson(*json);
  REQUIRE(back);
  CHECK(*back == document);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = back->at("numbers[" + std::to_string(i) + "]").get<double>();
    REQUIRE(std::signbit(number) == std::signbit(numbers[i]));
    REQUIRE(number == numbers[i]);
  }
}

TEST_CASE("JSON that is not a session is refused with a message") {
  const auto sentence = [](const Json& json) {
    const Result<Document> document = Document::fromJson(json);
    REQUIRE_FALSE(document);
    CHECK(document.error().kind == ErrorKind::BadInput);
    return document.error().message;
  };
  CHECK_THAT(sentence(Json::array()), Catch::Contains("JSON object"));
  CHECK_THAT(sentence(Json::object()), Catch::Contains("\"version\""));
  CHECK_THAT(sentence(Json{{"version", "1.2.0"}}), Catch::Contains("\"version\""));
  CHECK_THAT(sentence(Json{{"version", 1.5}}), Catch::Contains("\"version\""));
  CHECK_THAT(sentence(Json{{"version", 0}}), Catch::Contains("\"version\""));
  CHECK_THAT(sentence(Json{{"version", 2}}), Catch::Contains("version 2") && Catch::Contains("newer"));
}

TEST_CASE("Unknown fields are kept") {
  const Result<Document> document = Document::fromJson(
      Json{{"version", 1}, {"future", {{"deep", {1, 2, 3}}}}, {"flow", {{"p", 0.3}, {"odd.name", 1}}}});
  REQUIRE(document);
  const Json json = document->with("flow.p", 0.4).toJson();
  CHECK(json["future"]["deep"] == Json{1, 2, 3});
  CHECK(json["flow"]["odd.name"] == 1);
  CHECK(json["flow"]["p"] == 0.4);
}

TEST_CASE("Documents are compared by their JSON text, on request without some members") {
  const Document a = Document().with("flow.p", 0.5).with("flow.view.xMin", 1.0).with("flow.points[0].e", 1);
  CHECK(a == Document().with("flow.p", 0.5).with("flow.view.xMin", 1.0).with("flow.points[0].e", std::uint64_t{1}));
  CHECK_FALSE(a == a.with("flow.points[0].e", 1.0));
  CHECK_FALSE(a.with("flow.p", 0.0) == a.with("flow.p", -0.0));
  CHECK_FALSE(a == a.with("flow.points[1].e", 2));
  CHECK_FALSE(Document().with("a.x", 1).with("a.y", 2) == Document().with("a.y", 2).with("a.x", 1));

  const std::vector<std::string> camera{"flow.view", "flow.selected"};
  CHECK(a.equalExcept(a.with("flow.view.xMin", 2.0), camera));
  CHECK(a.equalExcept(a.without("flow.view"), camera));
  CHECK(a.without("flow.view").equalExcept(a.with("flow.selected", 3), camera));
  CHECK_FALSE(a.equalExcept(a.with("flow.p", 0.4), camera));
  CHECK_FALSE(a.equalExcept(a.with("flow.viewer", 1), camera));
  CHECK_FALSE(a.equalExcept(a.with("other.view", 1), camera));
}
