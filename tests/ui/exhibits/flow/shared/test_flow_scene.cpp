// SPDX-License-Identifier: Apache-2.0
// The Flow picture as data: its layers, curves on the sets of the theorems, and no value that is not finite in a scene,
// whatever the document contains.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <catch2/catch.hpp>

#include "engine/markov/critical_sets.h"
#include "engine/markov/energy.h"
#include "engine/render/font.h"
#include "engine/render/scene3.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/page/finite_scene.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::vector<render::Polyline> lines(const render::Layer& layer, render::Color color) {
  std::vector<render::Polyline> found;
  for (const render::Item& item : layer.items)
    if (const auto* line = std::get_if<render::Polyline>(&item))
      if (line->stroke.color == color) found.push_back(*line);
  return found;
}

std::string texts(const render::Layer& layer) {
  std::string all;
  for (const render::Item& item : layer.items)
    if (const auto* label = std::get_if<render::Label>(&item)) all += label->text + "\n";
  return all;
}

}  // namespace

TEST_CASE("The canonical picture has its layers in order from bottom to top", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.set("flow.show.cloud", true);
  const render::Scene& scene = rig.settle();
  std::vector<std::string> names;
  for (const render::Layer& layer : scene.layers)
    names.push_back(layer.name);
  CHECK(names == std::vector<std::string>{"loss", "basin", "grid", "axes", "separatrix", "critical", "cloud", "paths",
                                          "limits", "legend", "square", "read-out", "handles", "strip"});
  CHECK(firstBad(scene) == "");
  CHECK(rig.exhibit->complete());
  CHECK(scene.width == 980);
  CHECK(scene.height == 640);
}

TEST_CASE("Layers can be switched off one by one", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  const std::map<std::string, std::string> switches{
      {"loss", "loss"}, {"critical", "critical"}, {"separatrix", "separatrix"}, {"basin", "basin"}, {"paths", "paths"}};
  for (const auto& [name, layer] : switches) {
    rig.set("flow.show." + name, false);
    CHECK(Rig::layer(rig.settle(), layer) == nullptr);
    rig.set("flow.show." + name, true);
    CHECK(Rig::layer(rig.settle(), layer) != nullptr);
  }
  CHECK(Rig::layer(rig.settle(), "arrows") == nullptr);
  rig.set("flow.show.arrows", true);
  CHECK(Rig::layer(rig.settle(), "arrows")->items.size() > 100);
}

TEST_CASE("Critical curves lie on their sets within 1e-9", "[flow][scene]") {
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, std::pair{0.2, 0.3}, std::pair{0.9, 0.95}}) {
    Rig rig;
    rig.set("flow.p", p);
    rig.set("flow.q", q);
    const render::Scene& scene = rig.settle();
    const Theme& theme = *findTheme("dark");
    const markov::Chain chain{p, q};
    const render::Layer& critical = *Rig::layer(scene, "critical");
    std::size_t seen = 0;
    for (const render::Polyline& line : lines(critical, theme.globalMin)) {
      CHECK(line.stroke.dash == render::Dash::Solid);
      // The two ends of a piece may lie on the border of the drawing, interpolated between two exact points.
      for (std::size_t i = 1; i + 1 < line.points.size(); ++i) {
        const render::Point at = line.points[i];
        const double S = at.x * at.x * (1 + 2 * at.y * std::abs(at.y));
        REQUIRE(S == Approx(chain.S_star()).margin(1e-9));
        ++seen;
      }
    }
    CHECK(seen > 50);
    for (const render::Color color : {theme.localMin, theme.localMax}) {
      REQUIRE_FALSE(lines(critical, color).empty());
      for (const render::Polyline& line : lines(critical, color)) {
        CHECK(line.stroke.dash == (color == theme.localMin ? render::Dash::Dashed : render::Dash::Dotted));
        for (const render::Point& at : line.points)
          CHECK(std::abs(at.x) < 1e-9);
      }
    }
    const auto saddle = std::find_if(critical.items.begin(), critical.items.end(), [](const render::Item& item) {
      return std::holds_alternative<render::Marker>(item);
    });
    REQUIRE(saddle != critical.items.end());
    CHECK(std::get<render::Marker>(*saddle).at.x == 0);
    CHECK(std::get<render::Marker>(*saddle).at.y == Approx(-1 / std::sqrt(2.0)));
    CHECK(std::get<render::Marker>(*saddle).shape == render::Shape::Diamond);

    std::size_t onSeparatrix = 0;
    for (const render::Polyline& line : lines(*Rig::layer(scene, "separatrix"), theme.separatrix)) {
      for (std::size_t i = 1; i + 1 < line.points.size(); ++i) {
        const render::Point at = line.points[i];
        REQUIRE(at.x * at.x == Approx(markov::separatrixSquared(at.y)).margin(1e-9));
        ++onSeparatrix;
      }
    }
    CHECK(onSeparatrix > 15);  // thinned to the points that can be seen
  }
}

TEST_CASE("The basin picture agrees with the theorem at every pixel, and the legend gives its shares",
          "[flow][scene]") {
  Rig rig;
  const render::Scene& scene = rig.settle();
  const auto& map = std::get<render::LabelMap>(Rig::layer(scene, "basin")->items.front());
  REQUIRE(map.labels->size() == static_cast<std::size_t>(map.width) * map.height);
  std::size_t local = 0;
  for (std::size_t i = 0; i < map.labels->size(); ++i) {
    const double e = map.extent.min.x + (static_cast<double>(i % map.width) + 0.5) / map.width * map.extent.width();
    const double w = map.extent.max.y - (static_cast<double>(i / map.width) + 0.5) / map.height * map.extent.height();
    const auto label = static_cast<std::uint8_t>(markov::basinLabel({0.5, 0.8}, e, w));
    REQUIRE((*map.labels)[i] == label);
    local += label == static_cast<std::uint8_t>(markov::LimitKind::LocalMin) ? 1 : 0;
  }
  const double share = static_cast<double>(local) / static_cast<double>(map.labels->size());
  CHECK(rig.number("flow.basin.share.local-min") == Approx(share).margin(0.003));  // counted on a grid of its own
  CHECK(rig.number("flow.basin.share.local-min") + rig.number("flow.basin.share.global-min") +
            rig.number("flow.basin.share.saddle") + rig.number("flow.basin.share.local-max") +
            rig.number("flow.basin.share.undecided") ==
        Approx(1));
  CHECK(rig.text("flow.basin.device").find("CPU") != std::string::npos);
  // Readable without colour: one of the two basins is hatched.
  CHECK(map.hatch[static_cast<std::size_t>(markov::LimitKind::LocalMin)] != 0);
  CHECK(map.hatch[static_cast<std::size_t>(markov::LimitKind::GlobalMin)] == 0);
}

TEST_CASE("A layer without a change keeps its revision", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  std::map<std::string, std::uint64_t> before;
  for (const render::Layer& layer : rig.settle().layers)
    before[layer.name] = layer.revision;
  const render::Scene& same = rig.frame();
  for (const render::Layer& layer : same.layers)
    CHECK(layer.revision == before[layer.name]);

  rig.set("flow.points[0].e", 0.5);
  const render::Scene& moved = rig.frame();
  for (const render::Layer& layer : moved.layers) {
    INFO(layer.name);
    const bool follows =
        layer.name == "paths" || layer.name == "limits" || layer.name == "handles" || layer.name == "read-out";
    CHECK((layer.revision != before[layer.name]) == follows);
    if (layer.still) CHECK(layer.revision == before[layer.name]);
  }
  // Still layers come first: only leading ones can be cached in an image.
  bool moving = false;
  for (const render::Layer& layer : moved.layers) {
    moving = moving || !layer.still;
    CHECK(layer.still == !moving);
  }
}

TEST_CASE("At p + q = 1 the picture says so and has neither basins nor a separatrix", "[flow][scene]") {
  Rig rig;
  rig.set("flow.p", 0.4);
  rig.set("flow.q", 0.6);
  rig.set("flow.show.cloud", true);
  REQUIRE(rig.add(0.3, 0.2));
  REQUIRE(rig.add(0, 0.5));
  const render::Scene& scene = rig.settle();
  CHECK(firstBad(scene) == "");
  CHECK(Rig::layer(scene, "basin") == nullptr);
  CHECK(Rig::layer(scene, "separatrix") == nullptr);
  CHECK(Rig::layer(scene, "cloud") == nullptr);
  CHECK(texts(*Rig::layer(scene, "legend")).find("p + q = 1") != std::string::npos);
  CHECK(rig.text("flow.points[0].status") == "degenerate");
  CHECK(rig.text("flow.points[0].basin") == "undecided");
  CHECK(rig.text("flow.points[0].limit.words").find("p + q = 1") != std::string::npos);
  CHECK(std::isnan(rig.number("flow.gauss.probability")));
  CHECK(std::isnan(rig.number("flow.basin.disagreement")));
  CHECK(rig.exhibit->complete());
}

TEST_CASE("Points at extreme places give only finite values in the scene", "[flow][scene]") {
  const std::vector<std::pair<double, double>> places{{1e6, 0.3},
                                                      {-1e6, -1e6},
                                                      {1e9, 1e9},
                                                      {0.3, 1e-200},
                                                      {0.3, -1e-200},
                                                      {1e-200, 0.3},
                                                      {0, 0},
                                                      {0, -1.0},
                                                      {0, 2},
                                                      {0.5, 0},
                                                      {-1e-200, -1e-200},
                                                      {0, -1 / std::sqrt(2.0)},
                                                      {1e6, -1e-200},
                                                      {std::sqrt(markov::separatrixSquared(-0.4)), -0.4},
                                                      {std::sqrt(markov::separatrixSquared(-1.5)), -1.5}};
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, std::pair{0.2, 0.3}, std::pair{0.4, 0.6}, std::pair{1e-9, 1 - 1e-9},
                             std::pair{0.999999, 0.999999}}) {
    Rig rig;
    rig.set("flow.p", p);
    rig.set("flow.q", q);
    for (const auto& [e, w] : places)
      REQUIRE(rig.add(e, w));
    INFO(p << " " << q);
    CHECK(firstBad(rig.settle()) == "");
    REQUIRE(rig.run("play.toggle"));
    for (int i = 0; i < 5; ++i)
      CHECK(firstBad(rig.frame()) == "");
    for (std::size_t i = 0; i < places.size(); ++i)
      CHECK_FALSE(rig.text("flow.points[" + std::to_string(i) + "].limit.words").empty());
  }
}

TEST_CASE("Extreme windows give only finite values in the scene", "[flow][scene]") {
  const std::vector<render::Rect> windows{{{-1e-9, -0.70710678}, {1e-9, -0.70710677}},
                                          {{-1e9, -1e9}, {1e9, 1e9}},
                                          {{1e6, 1e6}, {1e6 + 1e-3, 1e6 + 1e-3}},
                                          {{5, 5}, {5, 5}},
                                          {{3, 3}, {-3, -3}}};
  for (const render::Rect& window : windows) {
    Rig rig;
    REQUIRE(rig.add(0.3, 0.2));
    rig.set("flow.view.xMin", window.min.x);
    rig.set("flow.view.xMax", window.max.x);
    rig.set("flow.view.yMin", window.min.y);
    rig.set("flow.view.yMax", window.max.y);
    INFO(window.min.x << " " << window.max.x);
    CHECK(firstBad(rig.settle()) == "");
  }
}

TEST_CASE("Small and invalid page sizes cause no failure", "[flow][scene]") {
  for (const render::Rect& area : {render::Rect{{0, 0}, {0, 0}}, render::Rect{{0, 0}, {3, 2}},
                                   render::Rect{{0, 0}, {200, 100}}, render::Rect{{10, 20}, {2560, 1440}}}) {
    Rig rig;
    rig.area = area;
    REQUIRE(rig.add(0.3, 0.2));
    CHECK(firstBad(rig.settle()) == "");
  }
}

TEST_CASE("Handles have the colour of their limit, and the selected one has a ring", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));   // p + q > 1, w >= 0: local minimum
  REQUIRE(rig.add(1.2, -0.9));  // global minimum
  const render::Scene& scene = rig.settle();
  const Theme& theme = *findTheme("dark");
  std::vector<render::Marker> markers;
  for (const render::Item& item : Rig::layer(scene, "handles")->items)
    if (const auto* marker = std::get_if<render::Marker>(&item)) markers.push_back(*marker);
  REQUIRE(markers.size() == 3);
  CHECK(markers[0].fill == theme.localMin);
  CHECK(markers[1].fill == theme.globalMin);
  CHECK(markers[2].shape == render::Shape::Ring);
  CHECK(markers[2].at == render::Point{1.2, -0.9});
  CHECK(texts(*Rig::layer(scene, "handles")) == "A\nB\n");
}

TEST_CASE("Paths start at their handle and end at the limit", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.6, 0.4));
  const render::Scene& scene = rig.settle();
  const auto& path = std::get<render::Polyline>(Rig::layer(scene, "paths")->items.back());
  CHECK(path.points.front().x == Approx(0.6).margin(1e-12));
  CHECK(path.points.front().y == Approx(0.4).margin(1e-12));
  CHECK(path.points.back().x == Approx(rig.number("flow.points[0].limit.e")).margin(1e-3));
  CHECK(path.points.back().y == Approx(rig.number("flow.points[0].limit.w")).margin(1e-3));
  CHECK(path.fade.back() > path.fade.front());
  CHECK(rig.number("flow.points[0].drift") < 1e-8);
}

TEST_CASE("Another field of the plane has arrows, fixed points and its own axes", "[flow][scene]") {
  Rig rig;
  rig.area = {{0, 0}, {220, 180}};  // few pixels: its spirals are long
  rig.set("flow.field", std::string("duffing"));
  REQUIRE(rig.add(1.5, 0.5));
  const render::Scene& scene = rig.settle();
  CHECK(firstBad(scene) == "");
  CHECK(Rig::layer(scene, "arrows") != nullptr);
  CHECK(Rig::layer(scene, "critical") != nullptr);
  CHECK(Rig::layer(scene, "basin") != nullptr);
  CHECK(Rig::layer(scene, "separatrix") == nullptr);
  CHECK(Rig::layer(scene, "square") == nullptr);
  CHECK(texts(*Rig::layer(scene, "axes")).find("e\n") == std::string::npos);
  CHECK(rig.text("flow.points[0].limit.kind") == "attractor");
  CHECK(std::abs(rig.number("flow.points[0].limit.e")) == Approx(1).margin(1e-3));
  CHECK(rig.text("flow.points[0].source") == "integrated");
  const auto& map = std::get<render::LabelMap>(Rig::layer(scene, "basin")->items.front());
  CHECK(std::count(map.labels->begin(), map.labels->end(), 5) > 1000);
  CHECK(std::count(map.labels->begin(), map.labels->end(), 6) > 1000);
  // The legend needs room; the old picture stays until that of the new size is ready.
  const render::Rect small = std::exchange(rig.area, {{0, 0}, {900, 600}});
  const render::Layer* legend = Rig::layer(rig.frame(), "legend");
  REQUIRE(legend != nullptr);
  CHECK(texts(*legend).find("reaches x = 1.00, v = 0.00") != std::string::npos);
  CHECK(texts(*legend).find("reaches x = \u22121.00, v = 0.00") != std::string::npos);
  rig.area = small;
  // Its parameter is an ordinary property, and it has its own window.
  rig.set("flow.duffing.delta", 0.4);
  CHECK(firstBad(rig.settle()) == "");
  // Each field has its own window.
  REQUIRE(rig.run("view.zoom-in"));
  const render::Rect zoomed = rig.frame().window;
  rig.set("flow.field", std::string("ew"));
  CHECK_FALSE(rig.frame().window == zoomed);
  rig.set("flow.field", std::string("duffing"));
  CHECK(rig.frame().window == zoomed);
}

TEST_CASE("Texts over the picture do not overlap or leave the plot", "[flow][scene]") {
  for (const double width : {640.0, 730.0, 980.0, 1620.0}) {
    Rig rig;
    rig.area = {{0, 0}, {width, 600}};
    REQUIRE(rig.add(1.2, -0.9));
    rig.set("flow.show.cloud", true);
    const render::Scene& first = rig.settle();
    rig.frame({Rig::move(rig.at(first, 0.1, 0.1))});
    const render::Scene& scene = rig.settle();
    std::vector<render::Rect> boxes;
    for (const char* name : {"legend", "square", "read-out"}) {
      const render::Layer* layer = Rig::layer(scene, name);
      REQUIRE(layer != nullptr);
      const auto& outline = std::get<render::Fill>(layer->items.front()).points;
      render::Rect box{outline.front(), outline.front()};
      for (const render::Point& p : outline)
        box = {{std::min(box.min.x, p.x), std::min(box.min.y, p.y)},
               {std::max(box.max.x, p.x), std::max(box.max.y, p.y)}};
      INFO(name << " at width " << width);
      // The square is beside the plane, in the column of the colour bar.
      const bool beside = std::string(name) == "square";
      const render::Rect room =
          beside ? render::Rect{{scene.plot.max.x, scene.plot.min.y}, {scene.width, scene.plot.max.y}} : scene.plot;
      CHECK(room.contains(box.min));
      CHECK(room.contains(box.max));
      for (const render::Rect& other : boxes) {
        const bool apart =
            box.max.x < other.min.x || other.max.x < box.min.x || box.max.y < other.min.y || other.max.y < box.min.y;
        CHECK(apart);
      }
      for (const render::Item& item : layer->items) {
        const auto* label = std::get_if<render::Label>(&item);
        if (!label || label->alignX != render::AlignX::Left) continue;
        CHECK(label->at.x + render::measure(label->text, label->size, label->bold).width <= box.max.x);
      }
      boxes.push_back(box);
    }
  }
}

TEST_CASE("A click folds the legend, a drag moves it, and points below it can be seen and dragged", "[flow][scene]") {
  Rig rig;
  const render::Scene& first = rig.settle();
  const auto boxOf = [](const render::Scene& scene) {
    const auto& outline = std::get<render::Fill>(Rig::layer(scene, "legend")->items.front()).points;
    render::Rect box{outline.front(), outline.front()};
    for (const render::Point& p : outline)
      box = {{std::min(box.min.x, p.x), std::min(box.min.y, p.y)},
             {std::max(box.max.x, p.x), std::max(box.max.y, p.y)}};
    return box;
  };
  const render::Rect open = boxOf(first), plot = first.plot;
  CHECK(texts(*Rig::layer(first, "legend")).find("separatrix") != std::string::npos);
  const render::Point inside{plot.min.x + 60, plot.min.y + 60};
  const render::Point under = render::toData(first, inside);
  rig.click(inside);
  const render::Scene& folded = rig.frame();
  CHECK(texts(*Rig::layer(folded, "legend")).find("separatrix") == std::string::npos);
  CHECK(texts(*Rig::layer(folded, "legend")).find("local minimum: ") != std::string::npos);
  CHECK(rig.text("flow.legend.fold") == "folded");
  CHECK(rig.number("flow.points.count") == 0);
  rig.click({inside.x, plot.min.y + 20});
  CHECK(texts(*Rig::layer(rig.frame(), "legend")).find("separatrix") != std::string::npos);
  // A point below the legend is visible and can be dragged, and the legend does not move.
  REQUIRE(rig.add(under.x, under.y));
  CHECK(boxOf(rig.settle()) == open);
  rig.drag(inside, {inside.x + 100, inside.y + 300});
  CHECK(rig.number("flow.points[0].e") > under.x + 0.1);
  CHECK(boxOf(rig.settle()) == open);
  // After a drag the legend stays there, in every size.
  rig.drag(inside, {inside.x + 200, inside.y + 100});
  CHECK(rig.text("flow.legend.place") == "free");
  const render::Rect moved = boxOf(rig.settle());
  CHECK(moved.min.x == Approx(open.min.x + 200).margin(2));
  CHECK(moved.min.y == Approx(open.min.y + 100).margin(2));
  rig.area.max.x = 1200;
  CHECK(rig.settle().plot.contains(boxOf(rig.frame()).max));
  rig.area.max.x = 980;
  rig.settle();
  // Left of the plot it is placed beside the picture.
  rig.drag({inside.x + 200, inside.y + 100}, {10, 200});
  CHECK(rig.text("flow.legend.place") == "beside");
  const render::Scene& beside = rig.settle();
  CHECK(beside.plot.min.x > plot.min.x + 150);
  CHECK(boxOf(beside).max.x <= beside.plot.min.x);
  rig.set("flow.legend.place", std::string("bottom-right"));
  const render::Scene& named = rig.settle();
  CHECK(named.plot.min.x == plot.min.x);
  CHECK(boxOf(named).max.x == Approx(named.plot.max.x - 10));
  CHECK(boxOf(named).max.y == Approx(named.plot.max.y - 10));
}

TEST_CASE("A selected point outside the window is marked by an arrow at the edge", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(50, 0.2));
  const render::Scene& scene = rig.settle();
  const render::Layer* handles = Rig::layer(scene, "handles");
  REQUIRE(handles != nullptr);
  const auto& arrow = std::get<render::Fill>(handles->items.front());
  CHECK(arrow.color == findTheme("dark")->accent);
  for (const render::Point& at : arrow.points)
    CHECK(scene.plot.contains(at));
  CHECK(arrow.points.front().x > scene.plot.max.x - 20);
}

TEST_CASE("A small picture keeps the plane free and shows p and q", "[flow][scene]") {
  Rig rig;
  rig.area = {{0, 0}, {700, 440}};
  REQUIRE(rig.add(0.3, 0.2));
  const render::Scene& scene = rig.settle();
  double covered = 0;
  for (const char* name : {"legend", "square", "read-out"}) {
    REQUIRE(Rig::layer(scene, name) != nullptr);
    render::Rect box{{1e9, 1e9}, {-1e9, -1e9}};
    for (const render::Point& p : std::get<render::Fill>(Rig::layer(scene, name)->items.front()).points)
      box = {{std::min(box.min.x, p.x), std::min(box.min.y, p.y)},
             {std::max(box.max.x, p.x), std::max(box.max.y, p.y)}};
    covered += box.width() * box.height();
  }
  CHECK(covered < 0.15 * scene.plot.width() * scene.plot.height());
  const std::string square = texts(*Rig::layer(scene, "square"));
  CHECK(square.find("p = 0.5\n") != std::string::npos);
  CHECK(square.find("q = 0.8\n") != std::string::npos);
}

TEST_CASE("A plane without points says how to add one, but not in a presentation", "[flow][scene]") {
  for (const bool audience : {false, true}) {
    Rig rig;
    rig.audience = audience;
    rig.settle();
    CHECK((rig.sentences("read-out").find("double-click") != std::string::npos) == !audience);
  }
}
