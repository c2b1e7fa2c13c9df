// SPDX-License-Identifier: Apache-2.0
// Layout: in every theme and size the texts are on the page, boxes do not overlap, and a figure hides none of its
// points.
#include <algorithm>
#include <utility>

#include <catch2/catch.hpp>

#include "engine/render/font.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/flow/plane/plane_legend.h"
#include "ui/exhibits/flow/plane/plane_scene.h"
#include "ui/exhibits/flow/shared/flow_layout.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

render::Rect boxOf(const render::Layer& layer) {
  const auto& outline = std::get<render::Fill>(layer.items.front()).points;
  render::Rect box{outline.front(), outline.front()};
  for (const render::Point& p : outline)
    box = {{std::min(box.min.x, p.x), std::min(box.min.y, p.y)}, {std::max(box.max.x, p.x), std::max(box.max.y, p.y)}};
  return box;
}

/// The rectangle that a page label covers.
render::Rect inkOf(const render::Label& label) {
  const render::TextExtent m = render::measure(label.text, label.size, label.bold);
  const double width = label.vertical ? label.size : m.width, height = label.vertical ? m.width : label.size;
  const double left = label.alignX == render::AlignX::Left     ? 0
                      : label.alignX == render::AlignX::Center ? width / 2
                                                               : width;
  const double above = label.vertical                           ? height / 2
                       : label.alignY == render::AlignY::Top    ? 0
                       : label.alignY == render::AlignY::Middle ? height / 2
                                                                : height;
  const render::Point at{label.at.x + label.offset.x - left, label.at.y + label.offset.y - above};
  return {at, {at.x + width, at.y + height}};
}

}  // namespace

TEST_CASE("In every theme and size no text leaves the page and no box covers another", "[flow][scene]") {
  for (const std::string& theme : themeKeys())
    for (const auto& [width, height] :
         {std::pair{220.0, 170.0}, std::pair{340.0, 330.0}, std::pair{436.0, 300.0}, std::pair{490.0, 318.0},
          std::pair{640.0, 360.0}, std::pair{980.0, 690.0}, std::pair{1900.0, 1000.0}})
      for (const bool figure : {false, true}) {
        INFO(theme << " " << width << "x" << height << (figure ? " figure" : ""));
        Rig rig;
        rig.theme = theme;
        rig.figure = figure;
        rig.area = {{0, 0}, {width, height}};
        REQUIRE(rig.add(0.3, 0.2));
        REQUIRE(rig.add(1.2, -0.9));
        REQUIRE(rig.add(-0.8, 1.1));
        REQUIRE(rig.take("t,e,w\n0,1.2,-1.3\n1,0.9,-0.7\n2,1.1,-0.1\n"));
        const render::Scene& scene = rig.settle();
        for (const render::Layer& layer : scene.layers)
          for (const render::Item& item : layer.items) {
            const auto* label = std::get_if<render::Label>(&item);
            if (!label || label->space != render::Space::Page) continue;
            const render::Rect ink = inkOf(*label);
            INFO(layer.name << ": " << label->text);
            CHECK(ink.min.x >= -0.5);
            CHECK(ink.min.y >= -0.5);
            CHECK(ink.max.x <= width + 0.5);
            CHECK(ink.max.y <= height + 0.5);
          }
        std::vector<render::Rect> boxes;
        for (const char* name : {"legend", "square", "read-out"}) {
          const render::Layer* layer = Rig::layer(scene, name);
          if (!layer) continue;
          const render::Rect box = boxOf(*layer);
          for (const render::Rect& other : boxes)
            CHECK((box.max.x < other.min.x || other.max.x < box.min.x || box.max.y < other.min.y ||
                   other.max.y < box.min.y));
          boxes.push_back(box);
          // In a figure no box covers a point.
          for (int i = 0; figure && i < 3; ++i) {
            const std::string point = "flow.points[" + std::to_string(i) + "].";
            CHECK_FALSE(box.contains(render::toPage(scene, {rig.number(point + "e"), rig.number(point + "w")})));
          }
        }
        CHECK(Rig::layer(scene, "axes") != nullptr);
      }
}

TEST_CASE("In a pane of a split window most of the width is used for the plot", "[flow][scene]") {
  Rig rig;
  const FlowState state = readFlowState(rig.editor.document(), rig.editor.registry, planeFields(allFields()),
                                        std::make_shared<std::vector<Trajectory>>());
  for (const char* theme : {"dark", "light", "contrast"}) {
    const FlowLayout layout = layoutFlow(state, 333, 560, *findTheme(theme));
    CHECK(layout.plot.width() > 0.75 * 333);
    CHECK_FALSE(layout.square);
    CHECK(layoutFlow(state, 900, 560, *findTheme(theme)).colorBar);
  }
}

TEST_CASE("A figure without a legend has a wider plane", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.figure = true;
  const render::Rect with = rig.settle().plot;
  rig.legend = false;
  const render::Scene& scene = rig.settle();
  CHECK(Rig::layer(scene, "legend") == nullptr);
  CHECK(scene.plot.width() > with.width());
}

TEST_CASE("Coordinates are shown with the digits that the window can resolve", "[flow][scene]") {
  CHECK(shownPlace(-6.661e-16, 4) == "0.000");
  CHECK(shownPlace(-0.0004, 4) == "0.000");
  CHECK(shownPlace(-0.5, 4) == "\u22120.500");
  CHECK(shownPlace(0.123456789, 1e-3) == "0.123457");
}

TEST_CASE("If every corner of a figure contains a point, the legend is beside the picture", "[flow][scene]") {
  Rig rig;
  rig.figure = true;
  for (const double e : {-1.7, 1.7})
    for (const double w : {-1.7, 1.7})
      REQUIRE(rig.add(e, w));
  const render::Scene& scene = rig.settle();
  const render::Layer* const legend = Rig::layer(scene, "legend");
  REQUIRE(legend != nullptr);
  CHECK(boxOf(*legend).max.x <= scene.plot.min.x);
}

TEST_CASE("In a single-column figure the legend is below the plane, in columns, with a narrow colour bar",
          "[flow][scene]") {
  Rig rig;
  rig.figure = true;
  rig.theme = "light";
  rig.area = {{0, 0}, {436, 400}};  // 88 mm at 8 pt, without the caption
  rig.set("flow.p", 0.19);
  rig.set("flow.q", 0.2);
  for (const auto& [e, w] : {std::pair{1.35, -0.65}, {0.9, -0.6}, {-1.2, 0.75}, {-0.5, -0.8}, {1.35, 0.9}})
    REQUIRE(rig.add(e, w));
  const render::Scene& scene = rig.settle();
  const render::Layer* const legend = Rig::layer(scene, "legend");
  REQUIRE(legend != nullptr);
  const render::Rect box = boxOf(*legend);
  CHECK(box.min.y > scene.plot.max.y);
  CHECK(box.max.y <= 400);
  std::string words;
  double left = 1e9, right = 0;  // left ends of the rows: two columns
  for (const render::Item& item : legend->items)
    if (const auto* const label = std::get_if<render::Label>(&item)) {
      words += label->text + " ";
      CHECK_FALSE(label->text.ends_with("…"));
      left = std::min(left, label->at.x);
      right = std::max(right, label->at.x);
    }
  CHECK(words.find("separatrix") != std::string::npos);
  CHECK(words.find("global minima") != std::string::npos);
  CHECK(right - left > 150);
  CHECK(scene.plot.height() > 150);
  CHECK(436 - scene.plot.max.x < 0.21 * 436);  // the width of the bar
  const auto ticks = [&](bool across) {
    std::vector<std::string> all;
    for (const render::Item& item : Rig::layer(scene, "axes")->items) {
      const auto* const label = std::get_if<render::Label>(&item);
      if (!label) continue;
      const bool here = across ? label->alignY == render::AlignY::Top
                               : label->alignX == render::AlignX::Right && label->at.x < scene.plot.min.x;
      if (here) all.push_back(label->text);
    }
    return all;
  };
  CHECK(ticks(true) == ticks(false));
}

TEST_CASE("The position of the legend chosen by the user is kept in a figure only if it hides no point",
          "[flow][scene]") {
  Rig rig;
  rig.figure = true;
  rig.set("flow.legend.place", std::string("bottom-left"));
  rig.set("flow.legend.fold", std::string("folded"));
  REQUIRE(rig.add(1.5, 1.5));
  const render::Scene& free = rig.settle();
  const render::Rect box = boxOf(*Rig::layer(free, "legend"));
  const bool inside = free.plot.contains(box.min) && free.plot.contains(box.max);
  REQUIRE(rig.add(free.window.min.x + 0.2, free.window.min.y + 0.2));
  const render::Scene& met = rig.settle();
  const render::Rect other = boxOf(*Rig::layer(met, "legend"));
  CHECK_FALSE(other.contains(render::toPage(met, {met.window.min.x + 0.2, met.window.min.y + 0.2})));
  if (inside) CHECK_FALSE(other == box);
}

TEST_CASE("In a figure the selected point is drawn like the others, without a read-out", "[flow][scene]") {
  Rig rig;
  rig.figure = true;
  rig.theme = "light";
  REQUIRE(rig.add(1.35, -0.65));
  REQUIRE(rig.add(0.9, -0.6));
  const auto strokes = [&](double selected) {
    rig.set("flow.selected", selected);
    const render::Scene& scene = rig.settle();
    CHECK(Rig::layer(scene, "read-out") == nullptr);
    std::vector<std::string> all;
    for (const char* const layer : {"paths", "limits", "handles"})
      for (const render::Item& item : Rig::layer(scene, layer)->items) {
        if (const auto* const line = std::get_if<render::Polyline>(&item))
          all.push_back(std::to_string(line->stroke.width) + " " + std::to_string(line->stroke.color.g));
        if (const auto* const mark = std::get_if<render::Marker>(&item))
          all.push_back(std::to_string(mark->size) + " " + std::to_string(mark->fill.g));
      }
    return all;
  };
  const std::vector<std::string> none = strokes(-1);
  CHECK(none.size() > 4);
  CHECK(strokes(0) == none);
  CHECK(strokes(1) == none);
}

TEST_CASE("The selected point has a ring on the screen and none in a figure", "[flow][scene]") {
  const auto rings = [](const render::Scene& scene) {
    const render::Layer* const handles = Rig::layer(scene, "handles");
    REQUIRE(handles != nullptr);
    return std::count_if(handles->items.begin(), handles->items.end(), [](const render::Item& item) {
      const auto* const marker = std::get_if<render::Marker>(&item);
      return marker && marker->shape == render::Shape::Ring;
    });
  };
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  CHECK(rings(rig.settle()) == 1);
  rig.figure = true;
  CHECK(rings(rig.settle()) == 0);
}

TEST_CASE("The colour bar names its two entropies", "[flow][scene]") {
  Rig rig;
  rig.area = {{0, 0}, {980, 690}};
  std::string words;
  for (const render::Item& item : Rig::layer(rig.settle(), "axes")->items)
    if (const auto* label = std::get_if<render::Label>(&item)) words += label->text + " ";
  INFO(words);
  CHECK(words.find("0.619") != std::string::npos);
  CHECK(words.find("entropy rate") != std::string::npos);
  CHECK(words.find("unigram") != std::string::npos);
}

TEST_CASE("The time bar shows the loss of the selected point and can be dragged", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  const render::Rect without = rig.settle().plot;
  CHECK(Rig::layer(rig.frame(), "time") == nullptr);
  rig.set("flow.show.time", true);
  const render::Scene& scene = rig.settle();
  REQUIRE(Rig::layer(scene, "time") != nullptr);
  CHECK(scene.plot.max.y < without.max.y - 40);
  CHECK(Rig::layer(scene, "heads") == nullptr);
  const double y = scene.plot.max.y + 0.7 * (690 - scene.plot.max.y);
  const double from = scene.plot.min.x, to = scene.plot.max.x, bar = std::min(y, rig.area.max.y - 30);
  rig.drag({from + 0.25 * (to - from), bar}, {from + 0.5 * (to - from), bar});
  const double half = rig.number("flow.play.time");
  CHECK(half > 0);
  CHECK(Rig::layer(rig.frame(), "heads") != nullptr);
  CHECK(rig.number("flow.points.count") == 1);
  REQUIRE(rig.run("flow.time-on"));
  CHECK(rig.number("flow.play.time") == Approx(1.04 * half));
  REQUIRE(rig.run("flow.time-back"));
  CHECK(rig.number("flow.play.time") == Approx(half));
  REQUIRE(rig.run("play.toggle"));  // play continues from there
  rig.frame();
  rig.frame();
  CHECK(rig.number("flow.play.time") > half);
}
