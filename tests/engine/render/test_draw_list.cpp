// SPDX-License-Identifier: Apache-2.0
#include "engine/render/draw_list.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/engine/render/sample_scene.h"

namespace sepx::render {
namespace {

DrawList listOf(const std::vector<Item>& items, double scale = 1, bool clip = true) {
  static GlyphAtlas atlas = GlyphAtlas::create().value();
  Scene scene = test::sampleScene();
  scene.layers = {Layer{"one", 1, true, clip, items}};
  const Placement placement = placeScene({}, scale, static_cast<std::uint32_t>(scene.width * scale),
                                         static_cast<std::uint32_t>(scene.height * scale));
  DrawList list;
  list.append(scene, scene.layers, placement, atlas);
  for (ImageDraw& image : list.images)
    image.heatmap = nullptr, image.labelMap = nullptr;  // the list outlives the scene
  return list;
}

}  // namespace

TEST_CASE("Adjacent segments of a line share a join plane, and line ends have none", "[draw_list]") {
  const DrawList list = listOf({Polyline{{{-1, 0}, {0, 0}, {0, 1}}, {{}, 4}}});
  REQUIRE(list.segments.size() == 2);
  const SegmentRecord& a = list.segments[0];
  const SegmentRecord& b = list.segments[1];
  CHECK(a.n0[0] == 0);
  CHECK(a.n0[1] == 0);
  CHECK(b.n1[0] == 0);
  CHECK(b.n1[1] == 0);
  CHECK(a.n1[0] == b.n0[0]);
  CHECK(a.n1[1] == b.n0[1]);
  CHECK(a.p1[0] == b.p0[0]);
  CHECK(std::hypot(a.n1[0], a.n1[1]) == Approx(1));
  CHECK(a.n1[0] == Approx(-a.n1[1]));  // right on the page, then up: the bisector points right and up
}

TEST_CASE("A closed line has a join plane where it closes", "[draw_list]") {
  const DrawList list = listOf({Polyline{{{-1, 0}, {0.1, 0.1}, {0, 1}, {-1, 0}}, {{}, 4}}});
  REQUIRE(list.segments.size() == 3);
  CHECK(std::hypot(list.segments[0].n0[0], list.segments[0].n0[1]) == Approx(1));
  CHECK(list.segments[0].n0[0] == list.segments[2].n1[0]);
}

TEST_CASE("Lines along the axes cover whole pixels", "[draw_list]") {
  for (const double scale : {1.0, 1.5, 2.0, 3.0}) {
    for (const float width : {0.7F, 1.0F, 1.5F, 3.0F}) {
      const DrawList list = listOf({Polyline{{{-1.013, 0.307}, {1.1, 0.307}}, {{}, width}}}, scale);
      REQUIRE(list.segments.size() == 1);
      const SegmentRecord& line = list.segments[0];
      const double top = line.p0[1] - line.halfWidth, bottom = line.p0[1] + line.halfWidth;
      CHECK(top == std::round(top));
      CHECK(bottom == std::round(bottom));
      CHECK(bottom - top == std::max(1.0, std::round(static_cast<double>(width) * scale)));
    }
  }
}

TEST_CASE("A line thinner than a pixel is drawn fainter instead", "[draw_list]") {
  const DrawList list = listOf({Polyline{{{-1, 0.2}, {1, 0.5}}, {{1, 1, 1, 1}, 0.25F}}});
  REQUIRE(list.segments.size() == 1);
  CHECK(list.segments[0].halfWidth == 0.5F);
  CHECK((list.segments[0].color >> 24) == 64);
}

TEST_CASE("Images beyond the limit are omitted, and later items are still drawn", "[draw_list]") {
  const auto values = std::make_shared<std::vector<float>>(1, 0.5F);
  std::vector<Item> items(DrawList::kMostImages + 5, Heatmap{{{-1, -1}, {1, 1}}, 1, 1, values});
  items.push_back(Polyline{{{-1, 0.2}, {1, 0.5}}});
  const DrawList list = listOf(items);
  CHECK(list.images.size() == DrawList::kMostImages);
  CHECK(list.segments.size() == 1);
}

TEST_CASE("Consecutive items of one kind become one command", "[draw_list]") {
  const Marker marker{{0, 0}};
  const Polyline line{{{-1, 0.2}, {1, 0.5}}};
  const DrawList list = listOf({marker, marker, line, line, marker});
  REQUIRE(list.commands.size() == 3);
  CHECK(list.commands[0].count == 2);
  CHECK(list.commands[1].kind == DrawCommand::Kind::Segments);
  CHECK(list.commands[2].first == 2);
}

TEST_CASE("A clipped layer uses the plot as scissor rectangle, and another layer the page", "[draw_list]") {
  const ClipBox plot{40, 20, 260, 180}, page{0, 0, 320, 240};
  CHECK(listOf({Marker{{0, 0}}}).commands[0].clip == plot);
  CHECK(listOf({Marker{{0, 0}}}, 1, false).commands[0].clip == page);
  const ClipBox twice{80, 40, 520, 360};
  CHECK(listOf({Marker{{0, 0}}}, 2).commands[0].clip == twice);
}

TEST_CASE("Neither NaN nor huge coordinates reach the records", "[draw_list]") {
  const double nan = test::kNaN, inf = INFINITY;
  std::vector<Item> items;
  for (const double bad : {nan, inf, -inf, 1e6, -1e6, 1e200, -1e308, 1e-200}) {
    items.push_back(
        Polyline{{{0, 0}, {bad, 0.5}, {0.1, bad}, {bad, bad}, {0.4, 0.1}}, {{1, 1, 1, 1}, 3, Dash::Dashed}});
    items.push_back(Polyline{{{bad, bad}, {-bad, bad}}, {{1, 1, 1, 1}, static_cast<float>(bad)}});
    items.push_back(Fill{{{bad, 0}, {0.3, 0.2}, {0.1, bad}}, {1, 0, 0, 1}, Space::Data});
    items.push_back(Marker{{bad, 0}, Shape::Diamond, 8});
    items.push_back(Marker{{0, 0}, Shape::Ring, static_cast<float>(bad)});
    items.push_back(Label{{bad, bad}, "x", 12});
    items.push_back(Label{{50, 50}, "x", static_cast<float>(bad)});
    items.push_back(Heatmap{{{-bad, -1}, {bad, 1}}, 2, 2, std::make_shared<std::vector<float>>(4, 1.0F)});
  }
  for (const bool clip : {true, false}) {
    const DrawList list = listOf(items, 2, clip);
    const auto good = [](float x) { return std::isfinite(x) && std::abs(x) < 1e5F; };
    for (const SegmentRecord& record : list.segments) {
      REQUIRE((good(record.p0[0]) && good(record.p0[1]) && good(record.p1[0]) && good(record.p1[1])));
      REQUIRE((good(record.n0[0]) && good(record.n0[1]) && good(record.n1[0]) && good(record.n1[1])));
      REQUIRE((good(record.along) && std::isfinite(record.halfWidth) && good(record.dashPeriod)));
    }
    for (const FillVertex& vertex : list.fills)
      REQUIRE((good(vertex.at[0]) && good(vertex.at[1])));
    for (const ShapeRecord& record : list.shapes)
      REQUIRE((good(record.center[0]) && good(record.center[1])));
    for (const GlyphRecord& record : list.glyphs)
      REQUIRE((good(record.at[0]) && good(record.at[1])));
    for (const ImageDraw& image : list.images) {
      for (const float edge : image.rect)
        REQUIRE(good(edge));
      REQUIRE((good(image.fraction[0]) && good(image.step[0])));
    }
  }
}

TEST_CASE("A huge number of points stays within the limits of a device", "[draw_list]") {
  Polyline storm;
  for (int i = 0; i < 900000; ++i)
    storm.points.push_back({i % 2 == 0 ? -1.0 : 1.0, (i % 7) * 0.1});
  const DrawList list = listOf({storm, storm, Marker{{0, 0}}});
  CHECK(list.segments.size() > 500000);
  CHECK(list.words() <= DrawList::kMostWords + 8);
}

TEST_CASE("A filled box is aligned to the pixel grid, with its rim outside", "[draw_list]") {
  const DrawList list = listOf({Fill{{{50.2, 50.3}, {60.4, 50.3}, {60.4, 55.1}, {50.2, 55.1}}, {1, 0, 0, 1}}});
  REQUIRE_FALSE(list.fills.empty());
  for (const FillVertex& vertex : list.fills) {
    const float x = vertex.at[0];
    if (vertex.coverage == 1) CHECK((x == 50.5F || x == 59.5F));
    if (vertex.coverage == 0) CHECK((x == 49.5F || x == 60.5F));
  }
}

TEST_CASE("An image larger than the device limit is reduced by an integer stride", "[draw_list]") {
  static GlyphAtlas atlas = GlyphAtlas::create().value();
  Scene scene = test::sampleScene();
  Heatmap wide{{{-2, -1.5}, {2, 1.5}}, 1000, 2, std::make_shared<std::vector<float>>(2000, 0.5F)};
  scene.layers = {Layer{"one", 1, true, true, {wide}}};
  Placement placement = placeScene({}, 1, 320, 240);
  placement.maxImageSide = 300;
  DrawList list;
  list.append(scene, scene.layers, placement, atlas);
  REQUIRE(list.images.size() == 1);
  CHECK(list.images[0].stride == 4);
  CHECK(list.images[0].step[0] == Approx(250.0 / 260.0));
}

TEST_CASE("Text is placed on whole pixels, and vertical text runs upwards", "[draw_list]") {
  Label label{{100.3, 100.4}, "ab", 13, {1, 1, 1, 1}};
  const DrawList level = listOf({label});
  REQUIRE(level.glyphs.size() == 2);
  for (const GlyphRecord& glyph : level.glyphs) {
    CHECK(glyph.at[0] == std::round(glyph.at[0]));
    CHECK(glyph.at[1] == std::round(glyph.at[1]));
  }
  CHECK(level.glyphs[1].at[0] > level.glyphs[0].at[0]);
  label.vertical = true;
  const DrawList turned = listOf({label});
  REQUIRE(turned.glyphs.size() == 2);
  CHECK(turned.glyphs[1].at[1] < turned.glyphs[0].at[1]);
  CHECK(turned.glyphs[0].size[0] == level.glyphs[0].size[1]);
}

}  // namespace sepx::render
