// SPDX-License-Identifier: Apache-2.0
// The explanation card on the screen: it opens by button, command and call, follows a dragged point, does not cover the
// selected point, fits small windows, and closes with Esc. Also the sheet of errata.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/ui/workbench/bench.h"
#include "ui/properties/errata.h"

using namespace sepx;
using namespace sepx::test;

namespace {

bool differs(const Picture& a, const Picture& b) {
  return !(a == b);
}

std::string explanation(Bench& bench, const std::string& key) {
  const auto text = bench.workbench().explanation(key);
  if (!text) FAIL(text.error().message);
  return *text;
}

}  // namespace

TEST_CASE("A card opens by button, command and call, and Esc closes it", "[explain]") {
  Bench bench({1280, 720});
  bench.play("add point 0.5,0.5\nwait settled\n");
  const Picture bare = bench.picture();
  const auto closed = [&] {
    bench.play("hover @10,10\nwait settled\n");
    bench.settle();
    return !bench.workbench().controlAt("explain.close").has_value();
  };
  CHECK(closed());
  bench.play("click ui:flow.entropy.marginal#explain\nwait settled\n");
  CHECK_FALSE(closed());
  CHECK(differs(bench.picture(), bare));
  bench.play("key Escape\nwait settled\n");
  CHECK(closed());
  bench.play("key F2\nwait settled\n");
  CHECK_FALSE(closed());
  bench.play("click ui:explain.close\nwait settled\n");
  CHECK(closed());
  REQUIRE(bench.workbench().explain("flow.S_star"));
  CHECK_FALSE(closed());
  CHECK_FALSE(bench.workbench().explain("flow.nothing"));
  CHECK_FALSE(closed());
  bench.play("key F2\nwait settled\n");
  CHECK(closed());
}

TEST_CASE("A settled card always gives the same picture and needs no further frames", "[explain]") {
  Bench bench({1280, 720});
  bench.play("add point 0.5,0.5\nwait settled\n");
  REQUIRE(bench.workbench().explain("flow.points[0].loss"));
  bench.settle();
  const Picture first = bench.picture();
  CHECK_FALSE(bench.workbench().needsFrame());
  for (int i = 0; i < 3; ++i)
    bench.frame();
  CHECK(bench.picture() == first);
}

TEST_CASE("A card follows the values and never covers the selected point", "[explain]") {
  Bench bench({1280, 720});
  bench.play("add point 0.5,0.5\nwait settled\n");
  REQUIRE(bench.workbench().explain("flow.points[0].energy"));
  bench.settle();
  const std::string before = explanation(bench, "flow.points[0].energy");
  CHECK(before.find("E = 0.5^2 − 0.5^2 − log 0.5") != std::string::npos);
  for (const char* to : {"1.2,1.0", "1.2,-1.0", "-1.2,-1.0", "-1.2,1.0"}) {
    INFO(to);
    bench.play(std::string("set flow.points[0].e ") + std::string(to).substr(0, std::string(to).find(',')) +
               "\nset flow.points[0].w " + std::string(to).substr(std::string(to).find(',') + 1) + "\nwait settled\n");
    CHECK(explanation(bench, "flow.points[0].energy") != before);
    const auto corner = bench.workbench().controlAt("explain.close");
    REQUIRE(corner);
    const auto point =
        bench.workbench().toPixels("flow", {bench.number("flow.points[0].e"), bench.number("flow.points[0].w")});
    REQUIRE(point);
    // A click at the point reaches the plane, not the card.
    bench.frame({ui::PointerMoved{point->x, point->y}});
    bench.settle();
    CHECK(bench.number("flow.hover.e") == Approx(bench.number("flow.points[0].e")).margin(0.02));
    bench.frame({ui::PointerMoved{5, 5}});
  }
}

TEST_CASE("Every card can be reached by keys", "[explain]") {
  Bench bench({1280, 720});
  bench.play("add point 0.5,0.5\nwait settled\nkey F3\nwait settled\n");
  const auto first = bench.picture();
  std::set<std::string> met;
  for (const char* page : {"plane", "space", "bias"}) {
    INFO(page);
    bench.play(std::string("set flow.page ") + page + "\nwait settled\n");
    int cards = 0;
    for (const ui::ReadOut& one : bench.workbench().properties().readOuts())
      cards += one.key.starts_with("flow.") && (!one.applies || one.applies(bench.workbench().document()));
    CHECK(cards > 10);
    for (int i = 0; i < cards; ++i) {
      bench.play("key F3\nwait frames 3\n");
      CHECK(bench.workbench().controlAt("explain.close"));
      for (const ui::Erratum& one : ui::errata())
        if (bench.workbench().controlAt(std::string("explain.erratum.") + one.id)) met.insert(one.id);
    }
  }
  CHECK_FALSE(bench.picture() == first);
  for (const ui::Erratum& one : ui::errata()) {
    if (one.paper != ui::Paper::LocalToGlobal) continue;  // the paper of this exhibit
    INFO(one.id);
    CHECK((!one.shown || met.count(one.id) || std::string(one.id) == "l2g-15"));  // l2g-15 belongs to a parameter
  }
  bench.play("key Shift+F3\nwait settled\n");
  CHECK(bench.workbench().controlAt("explain.close"));
}

TEST_CASE("An erratum on a card opens the sheet at this erratum", "[explain]") {
  Bench bench({1280, 720});
  bench.play("add point 0.5,0.5\nwait settled\n");
  REQUIRE(bench.workbench().explain("flow.S_star"));
  bench.settle();
  CHECK(bench.workbench().controlAt("explain.erratum.l2g-17"));
  bench.play("click ui:explain.erratum.l2g-17\nwait settled\n");
  const auto at = bench.workbench().controlAt("errata.l2g-17");
  REQUIRE(at);
  CHECK(at->y > 0);
  CHECK(at->y < 720);
  bench.play("key Escape\nwait settled\n");
  CHECK_FALSE(bench.workbench().controlAt("errata.l2g-17"));
  CHECK(bench.workbench().controlAt("explain.close"));  // the card is still open
}

TEST_CASE("The sheet contains every erratum and is filtered by words and by kind", "[explain]") {
  Bench bench({1280, 720});
  REQUIRE(bench.workbench().run("help.errata"));
  bench.settle();
  for (const ui::Erratum& one : ui::errata()) {
    INFO(one.id);
    CHECK(bench.workbench().controlAt(std::string("errata.") + one.id));
  }
  for (const Reference& paper : papers())  // each paper has its citation once
    CHECK(bench.workbench().controlAt(std::string("errata.paper.") + paper.name));
  bench.play("click ui:errata.filter\ntype \"dinkelbach\"\nwait settled\n");
  CHECK(bench.workbench().controlAt("errata.rev-3"));
  CHECK_FALSE(bench.workbench().controlAt("errata.l2g-1"));
  bench.play("key Ctrl+A\nkey Delete\nclick ui:errata.kind.condition\nwait settled\n");
  for (const ui::Erratum& one : ui::errata()) {
    INFO(one.id);
    CHECK(bench.workbench().controlAt(std::string("errata.") + one.id).has_value() ==
          (one.kind == ui::ErratumKind::Conditional));
  }
  bench.play("click ui:errata.kind.condition\nwait settled\n");
  CHECK(bench.workbench().controlAt("errata.rev-3"));
  bench.play("click ui:errata.close\nwait settled\n");
  CHECK_FALSE(bench.workbench().controlAt("errata.rev-3"));
}

namespace {

constexpr std::array<std::pair<const char*, float>, 4> kLooks = {
    std::pair("dark", 1.0f), std::pair("light", 2.0f), std::pair("contrast", 1.5f), std::pair("projector", 1.0f)};

/// Checks every read-out whose index in the registry is `first` modulo `stride`.
void checkThatCardsFit(const std::pair<const char*, float>& look, std::size_t first, std::size_t stride) {
  const auto& [theme, scale] = look;
  Bench bench({1280, 720}, scale, theme);
  bench.play("add point 0.5,0.5\nwait settled\n");
  const std::vector<ui::ReadOut>& all = bench.workbench().properties().readOuts();
  for (std::size_t at = first; at < all.size(); at += stride) {
    std::string key = all[at].key;
    if (const auto list = key.find("[]"); list != std::string::npos) key.replace(list, 2, "[0]");
    INFO(theme << " " << scale << " " << key);
    REQUIRE(errorOf(bench.workbench().explain(key)) == "");
    for (int i = 0; i < 4; ++i)
      bench.frame();
    const auto close = bench.workbench().controlAt("explain.close");
    REQUIRE(close);
    CHECK(close->x < 1280);
    CHECK(close->y > 0);
    CHECK(close->y < 720);
    CHECK_FALSE(explanation(bench, key).empty());
  }
}

}  // namespace

TEST_CASE("A third of the cards fits a small window, each in one of four combinations of theme and scale",
          "[explain]") {
  for (std::size_t look = 0; look < kLooks.size(); ++look)
    checkThatCardsFit(kLooks[look], 3 * look, 3 * kLooks.size());
}

TEST_CASE("All cards fit a small window in four combinations of theme and scale", "[.][long][explain]") {
  for (const auto& look : kLooks)
    checkThatCardsFit(look, 0, 1);
}

// To look at the cards: SEPX_CARDS=folder test_workbench "[.cards]" writes a picture of every card.
TEST_CASE("A picture of every card is written", "[.cards]") {
  const char* const folder = std::getenv("SEPX_CARDS");
  if (!folder) return;
  const char* const theme = std::getenv("SEPX_CARDS_THEME");
  const char* const scale = std::getenv("SEPX_CARDS_SCALE");
  Bench bench({1280, 720}, scale ? static_cast<float>(std::atoi(scale)) : 1.0f, theme ? theme : "dark");
  bench.play(
      "set flow.show.cloud on\nset flow.basin.method both\nadd point 0.9,-0.4\nadd point 0.3,0.2\nwait settled\n");
  std::vector<std::string> keys;
  for (const ui::ReadOut& one : bench.workbench().properties().readOuts())
    keys.push_back(one.key);
  for (const ui::Property& one : bench.workbench().properties().properties())
    if (!one.formula.empty()) keys.push_back(one.key);
  for (std::string key : keys) {
    if (const auto list = key.find("[]"); list != std::string::npos) key.replace(list, 2, "[1]");
    CHECK(errorOf(bench.workbench().explain(key)) == "");
    bench.settle();
    CHECK(render::writePng(bench.picture().pixels, std::string(folder) + "/" + key + ".png").has_value());
  }
  REQUIRE(bench.workbench().run("help.errata"));
  bench.settle();
  CHECK(render::writePng(bench.picture().pixels, std::string(folder) + "/errata.png").has_value());
}

TEST_CASE("A card does not cover the tabs of the pages", "[explain]") {
  for (const char* const key : {"flow.S_star", "flow.points[0].loss"}) {
    Bench bench({1280, 720});
    bench.play("add point 0.5,0.5\nwait settled\n");
    REQUIRE(bench.workbench().explain(key));
    bench.settle();
    REQUIRE(bench.workbench().controlAt("explain.close"));
    bench.play("click ui:flow.page-chain\nwait settled\n");
    CHECK(bench.text("flow.page") == "chain");
  }
}
