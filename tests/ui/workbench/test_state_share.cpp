// SPDX-License-Identifier: Apache-2.0
// States as text in a window: every field of every exhibit survives a round trip, paths are valid on other machines,
// and a state can be opened like a session.
#include <algorithm>
#include <cstdlib>
#include <random>

#include <catch2/catch.hpp>

#include "tests/ui/workbench/figure_rig.h"
#include "ui/document/state_text.h"
#include "ui/page/exhibit.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/qr_code.h"
#include "ui/workbench/state_share.h"

using namespace sepx;
using namespace sepx::ui;
using namespace sepx::test;

namespace {

std::string textOf(const Workbench& of) {
  const auto text = stateText(of);
  INFO((text ? std::string() : text.error().message));
  REQUIRE(text);
  return *text;
}

Document read(const std::string& text) {
  auto document = readStateText(text);
  INFO((document ? std::string() : document.error().message));
  REQUIRE(document);
  return *document;
}

/// A random value that the property accepts.
Value someValue(const Property& property, std::mt19937& random) {
  switch (property.kind) {
    case Kind::Toggle:
      return random() % 2 == 0;
    case Kind::Choice:
      if (property.choices.empty()) return property.fallback;
      return property.choices[random() % property.choices.size()];
    case Kind::Text:
      return property.color ? Value(std::string("#12ab90")) : Value(std::string("some \"text\" <ü>"));
    default: {
      const double low = std::max(property.min, -1e6), high = std::min(property.max, 1e6);
      const double value = low + (high - low) * std::uniform_real_distribution<double>(0.05, 0.95)(random);
      return property.kind == Kind::Integer ? std::round(value) : value;
    }
  }
}

void checkSame(const PropertyRegistry& registry, const Document& before, const Document& after) {
  for (const Property& property : registry.properties()) {
    INFO(property.key);
    if (property.key.find("[]") != std::string::npos) continue;
    CHECK(registry.get(before, property.key) == registry.get(after, property.key));
  }
}

}  // namespace

TEST_CASE("Every field of every exhibit survives a round trip through a state text") {
  Bench bench;
  const PropertyRegistry& registry = bench.workbench().properties();
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    Document document;
    for (const Property& property : registry.properties()) {
      const std::size_t list = property.key.find("[].");
      const bool some = random() % 2 == 0;
      if (list != std::string::npos) {
        for (int i = 0; i < 2 && some; ++i) {
          const std::string element = property.key.substr(0, list) + "[" + std::to_string(i) + "]";
          if (!document.has(element)) document = document.with(element, Json::object());
          const Value value = i == 0 ? property.fallback : someValue(property, random);
          if (const auto set = registry.set(document, element + property.key.substr(list + 2), value)) document = *set;
        }
      } else if (some && property.listOf.empty() && !property.live) {
        if (const auto set = registry.set(document, property.key, someValue(property, random))) document = *set;
      }
    }
    const Document less = withoutDefaults(document, registry);
    const auto text = writeStateText(less);
    REQUIRE(text);
    const Document after = read(*text);
    CHECK(after == less);
    checkSame(registry, document, after);
    CHECK(withoutDefaults(after, registry) == after);
    for (const char* points : {"flow.points"})
      CHECK(after.list(points).size() == document.list(points).size());
  }
}

TEST_CASE("Fields with default values, and sections that are then empty, are not in a state") {
  Bench bench;
  const PropertyRegistry& registry = bench.workbench().properties();
  const Document document = Document()
                                .with("flow.p", 0.5)
                                .with("flow.view.field", "ew")
                                .with("flow.points[0]", Json{{"e", 1.0}, {"w", 0.5}})
                                .with("flow@2.q", 0.8)
                                .with("flow@2.p", 0.25)
                                .with("unknown.field", 7);
  const Document less = withoutDefaults(document, registry);
  CHECK_FALSE(less.has("flow.p"));
  CHECK(less.has("flow.points[0].e"));
  CHECK_FALSE(less.has("flow@2.q"));
  CHECK(less.has("flow@2.p"));
  CHECK(less.has("unknown.field"));
}

TEST_CASE("The examples of all exhibits can be opened from their text and give the same text again") {
  Bench bench;
  std::vector<Document> examples;
  for (const Exhibit* exhibit : bench.workbench().exhibits())
    examples.push_back(exhibit->exampleState().with("exhibit", exhibit->key()));
  REQUIRE(examples.size() >= 4);
  for (const Document& example : examples) {
    const auto begun = writeStateText(example);
    REQUIRE(begun);
    bench.play("open " + *begun);
    bench.settle();
    const std::string text = textOf(bench.workbench());
    INFO(text);
    CHECK(text.size() < 1000);
    bench.play("open " + text);
    CHECK(textOf(bench.workbench()) == text);
    CHECK_FALSE(bench.workbench().modified());
  }
}

TEST_CASE("A state made by hand in Flow has a short text and restores the picture") {
  Bench bench;
  bench.play(
      "set flow.p 0.3\nset flow.q 0.9\nadd point 0.71234567891234,-0.512345678123\nadd point 1.2,0.4\n"
      "add point -0.31234567890123,0.9\ndrag @300,200 -> @340,210\nscroll @400,200 3\nwait settled");
  const std::string text = textOf(bench.workbench());
  INFO(text);
  CHECK(text.size() <= 300);
  const double loss = bench.number("flow.points[0].loss");
  const Document before = bench.workbench().document();
  bench.play("set flow.p 0.5\nopen " + text + "\nwait settled");
  CHECK(bench.number("flow.points[0].loss") == loss);
  CHECK(bench.workbench().document().without("exhibit") == before.without("exhibit"));
}

TEST_CASE("A truncated, foreign or invalid state gives a message and changes nothing") {
  Bench bench;
  bench.play("set flow.p 0.3\nwait settled");
  const std::string text = textOf(bench.workbench());
  const Document before = bench.workbench().document();
  bench.play("open " + text.substr(0, text.size() - 4) + "\nexpect error \"cut\"");
  bench.play("open sepx:7:AAAA\nexpect error \"newer\"");
  const auto foreign = writeStateText(Document().with("other", 1));
  REQUIRE(foreign);
  bench.play("open " + *foreign + "\nexpect error \"nothing in this state\"");
  const auto outside = writeStateText(Document().with("flow.p", 7));
  REQUIRE(outside);
  bench.play("open " + *outside + "\nexpect error \"flow.p\"");
  const auto seed = writeStateText(Document().with("flow.p", 0.2).with("seed", -3));
  REQUIRE(seed);
  bench.play("open " + *seed + "\nexpect error \"seed\"");
  CHECK(bench.workbench().document() == before);
}

TEST_CASE("Paths in the home folder or of shipped files are resolved on the machine that reads them") {
  Bench bench;
  const PropertyRegistry& registry = bench.workbench().properties();
  const char* const home = std::getenv("HOME");
  REQUIRE(home);
  const std::string assets = "/usr/share/somewhere";
  const Document mine = Document()
                            .with("weights.checkpoint", std::string(home) + "/models/a.bin")
                            .with("weights@2.checkpoint", assets + "/models/b.bin")
                            .with("weights@3.checkpoint", "/data/c.bin");
  const Document shared = withSharedPaths(mine, registry, assets);
  CHECK(shared.at("weights.checkpoint") == "~/models/a.bin");
  CHECK(shared.at("weights@2.checkpoint") == "$assets/models/b.bin");
  CHECK(shared.at("weights@3.checkpoint") == "/data/c.bin");
  CHECK(withOwnPaths(shared, registry, assets) == mine);
  CHECK(withOwnPaths(shared, registry, "/opt/x").at("weights@2.checkpoint") == "/opt/x/models/b.bin");
}

TEST_CASE("A state is shown as a QR code, and a state that is too long is refused") {
  const auto code = qrCode("sepx:1:" + std::string(230, 'A'));
  REQUIRE(code);
  CHECK(code->side >= 21);
  CHECK((code->side - 17) % 4 == 0);
  // The finder patterns: a dark border of seven modules in three corners.
  for (int i = 0; i < 7; ++i) {
    CHECK(code->at(0, i));
    CHECK(code->at(0, code->side - 1 - i));
    CHECK(code->at(code->side - 1, i));
  }
  CHECK_FALSE(code->at(7, 0));
  CHECK(qrCode(std::string(kLongestQrText, 'x')));
  const auto refused = qrCode(std::string(kLongestQrText + 1, 'x'));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("2953") != std::string::npos);
}

TEST_CASE("The sheet with the QR code opens, follows the window and closes") {
  Bench bench({900, 640});
  bench.play("add point 1,-0.4\nwait settled");
  const Picture without = bench.picture();
  bench.play("key Ctrl+R\nwait frames 3");
  const Picture shown = bench.picture();
  CHECK_FALSE(without == shown);
  bench.play("set flow.p 0.31\nwait settled\nwait frames 3");
  CHECK_FALSE(shown == bench.picture());
  bench.play("click ui:state.close\nwait frames 3\nset flow.p 0.5\nwait settled\nhover @5,5\nwait frames 3");
  CHECK_FALSE(bench.workbench().controlAt("state.close"));
  bench.play("key Ctrl+R\nwait frames 2");
  CHECK(bench.workbench().controlAt("state.close"));
  bench.play("key Escape\nwait frames 2");
  CHECK_FALSE(bench.workbench().controlAt("state.close"));
}
