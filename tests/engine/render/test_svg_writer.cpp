// SPDX-License-Identifier: Apache-2.0
#include "engine/render/font.h"
#include "engine/render/svg_writer.h"

#include <clocale>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/engine/render/sample_scene.h"
#include "tests/shell.h"

namespace sepx::render {
namespace {

using tests::count;

// Checks what this writer may produce: balanced tags, quoted attributes, and only whitespace and text between them.
void requireWellFormed(const std::string& text) {
  static const std::regex attribute(R"rx(\s+[A-Za-z0-9:-]+="[^"<]*")rx");
  std::vector<std::string> open;
  std::size_t at = text.find("?>");
  REQUIRE(at != std::string::npos);
  at += 2;
  while ((at = text.find_first_of("<>&", at)) != std::string::npos) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      const std::string name = text.substr(at, end - at + 1);
      REQUIRE((name == "&amp;" || name == "&lt;" || name == "&gt;" || name == "&quot;"));
      at = end + 1;
      continue;
    }
    REQUIRE(text[at] == '<');
    const std::size_t end = text.find('>', at);
    REQUIRE(end != std::string::npos);
    std::string tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag[0] == '/') {
      REQUIRE_FALSE(open.empty());
      REQUIRE(open.back() == tag.substr(1));
      open.pop_back();
      continue;
    }
    const bool empty = tag.back() == '/';
    if (empty) tag.pop_back();
    const std::size_t name = tag.find_first_of(" \n");
    // The regular expression engine recurses for every character, so embedded pictures and long paths are checked
    // without it.
    std::string rest = name == std::string::npos ? "" : tag.substr(name);
    if (rest.size() < 2000) {
      REQUIRE(std::regex_replace(rest, attribute, "").find_first_not_of(" \n") == std::string::npos);
    } else {
      REQUIRE(std::count(rest.begin(), rest.end(), '"') % 2 == 0);
    }
    if (!empty) open.push_back(tag.substr(0, name));
  }
  REQUIRE(open.empty());
}

}  // namespace

TEST_CASE("The sample scene becomes a well-formed document with all its items", "[svg]") {
  const std::string svg = toSvg(test::sampleScene(), {"Basins & flows <2-D>", "{\"p\":0.5,\"note\":\"a<b\"}"});
  requireWellFormed(svg);
  CHECK(count(svg, "<image ") == 2);
  CHECK(count(svg, "data:image/png;base64,iVBOR") == 2);
  CHECK(count(svg, "<pattern ") == 0);  // hatches are lines
  CHECK(count(svg, "stroke-linecap=\"butt\"") == 2);
  CHECK(count(svg, "<text ") == 8);
  CHECK(count(svg, "data-layer=\"paths\"") == 1);
  CHECK(count(svg, "<circle ") >= 4);
  CHECK(svg.find("<title>Basins &amp; flows &lt;2-D&gt;</title>") != std::string::npos);
  CHECK(svg.find("Separatrix-Recipe") != std::string::npos);
  CHECK(svg.find("{&quot;p&quot;:0.5") != std::string::npos);
  CHECK(svg.find("clip-path=\"url(#plot1)\"") != std::string::npos);
  CHECK(svg.find("β₁²") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("A layer may have its own clip rectangle, and a heat map may use page coordinates", "[svg]") {
  Scene scene = test::sampleScene();
  Heatmap map{.extent = {{10, 20}, {30, 60}}, .width = 1, .height = 2};
  map.values = std::make_shared<const std::vector<float>>(std::vector<float>{0, 1});
  map.space = Space::Page;
  scene.layers = {Layer{"one", 1, true, true, {map}, Rect{{15, 10}, {100, 50}}}};
  const std::string svg = toSvg(scene);
  requireWellFormed(svg);
  CHECK(svg.find("<rect x=\"15\" y=\"10\" width=\"85\" height=\"40\"/></clipPath>") != std::string::npos);
  CHECK(svg.find("clip-path=\"url(#layer") != std::string::npos);
  CHECK(count(svg, "<image ") == 1);
}

TEST_CASE("A layer has one element for each of its marks, lines and labels, for any number of them", "[svg]") {
  Scene scene = test::sampleScene();
  scene.layers.clear();
  const Rect window = scene.window;
  const auto place = [&window](std::size_t i, std::size_t of) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(of);
    return Point{window.min.x + share * window.width(), window.min.y + share * window.height()};
  };
  const std::size_t marks[] = {0, 1, 7, 60};
  const Shape shapes[] = {Shape::Circle, Shape::Square, Shape::Diamond, Shape::Triangle, Shape::Cross, Shape::Ring};
  for (const std::size_t number : marks)
    for (const Shape shape : shapes) {
      Layer& layer = scene.layers.emplace_back();
      layer.name = "marks-" + std::to_string(number) + "-" + std::to_string(static_cast<int>(shape));
      for (std::size_t i = 0; i < number; ++i) {
        layer.items.push_back(Marker{.at = place(i, number), .shape = shape});
        layer.items.push_back(Polyline{.points = {place(i, number), place(0, 2), place(1, 3)}});
        layer.items.push_back(Label{.at = {40, 40.0 + static_cast<double>(i)}, .text = "x"});
      }
    }
  const std::string svg = toSvg(scene, {});
  requireWellFormed(svg);
  for (const std::size_t number : marks)
    for (const Shape shape : shapes) {
      const std::string name = "marks-" + std::to_string(number) + "-" + std::to_string(static_cast<int>(shape));
      INFO(name);
      const std::size_t from = svg.find("data-layer=\"" + name + "\"");
      REQUIRE(from != std::string::npos);
      const std::string group = svg.substr(from, svg.find("</g>", from) - from);
      const bool round = shape == Shape::Circle || shape == Shape::Ring;
      CHECK(count(group, "<circle ") == (round ? number : 0));
      CHECK(count(group, "<path ") == (round ? number : 2 * number));
      CHECK(count(group, "<text ") == number);
    }
}

TEST_CASE("The bytes depend only on the scene", "[svg]") {
  const std::string first = toSvg(test::sampleScene());
  CHECK(first == toSvg(test::sampleScene()));
  const char* old = std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(first == toSvg(test::sampleScene()));
  if (old) std::setlocale(LC_ALL, "C");
}

TEST_CASE("Invalid coordinates and texts leave a well-formed document", "[svg]") {
  Scene scene = test::sampleScene();
  Layer layer{"bad & \"worse\" <layer>", 1, true, false, {}};
  for (const double bad : {test::kNaN, static_cast<double>(INFINITY), 1e300, -1e6}) {
    layer.items.push_back(Polyline{{{bad, 0}, {0, bad}, {1, 1}}, {{1, 0, 0, 1}, 1}});
    layer.items.push_back(Fill{{{bad, 0}, {0, bad}, {1, 1}}, {1, 0, 0, 1}, Space::Data});
    layer.items.push_back(Marker{{bad, bad}, Shape::Cross});
    layer.items.push_back(Label{{bad, bad}, "lost", 12});
    layer.items.push_back(Heatmap{{{-bad, -bad}, {bad, bad}}, 1, 1, std::make_shared<std::vector<float>>(1, 0.5F)});
  }
  layer.items.push_back(Label{{20, 20}, "a<b>&\"c\" \x01 \xFF \xC3", 12});
  layer.items.push_back(
      Heatmap{{{0, 0}, {1, 1}}, 8, 8, std::make_shared<std::vector<float>>(3, 0.5F)});  // too few values
  layer.items.push_back(LabelMap{{{0, 0}, {1, 1}}, 8, 8, nullptr, {}, {}});
  scene.layers = {layer};
  const std::string svg = toSvg(scene);
  requireWellFormed(svg);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK(svg.find("e+") == std::string::npos);
  CHECK(svg.find("lost") == std::string::npos);
  CHECK(svg.find("a&lt;b&gt;&amp;&quot;c&quot;") != std::string::npos);
}

TEST_CASE("A deep zoom embeds only the visible values", "[svg]") {
  Scene scene = test::sampleScene();
  scene.layers = {test::images()};
  const auto embedded = [](const std::string& svg) {
    std::size_t bytes = 0;
    const std::string begin = "data:image/png;base64,";
    for (std::size_t at = 0; (at = svg.find(begin, at)) != std::string::npos;) {
      const std::size_t end = svg.find('"', at);
      bytes += end - at - begin.size();
      at = end;
    }
    return bytes;
  };
  const std::size_t whole = embedded(toSvg(scene));
  scene.window = {{-1.1, -0.55}, {-1.1 + 1e-6, -0.55 + 1e-6}};
  const std::string zoomed = toSvg(scene);
  requireWellFormed(zoomed);
  CHECK(embedded(zoomed) < whole / 2);
}

TEST_CASE("A document embeds the fonts of its text, reduced to what is needed", "[svg]") {
  const std::string svg = toSvg(test::sampleScene());
  const auto faces = count(svg, "@font-face");
  CHECK(faces >= 2);
  CHECK(faces <= fontFiles(false)->size() + fontFiles(true)->size());
  CHECK(count(svg, fmt::format("font-weight:{}", fontFiles(true)->front().weight)) == 1);
  CHECK(count(svg, "data:font/ttf;base64,") == faces);
  CHECK(svg.size() < 120'000);
  Scene plain = test::sampleScene();
  plain.layers = {test::paths()};
  CHECK(count(toSvg(plain), "@font-face") == 0);
}

TEST_CASE("Several scenes share a document, and a repeated picture is embedded once", "[svg]") {
  const Scene scene = test::sampleScene();
  const PlacedScene both[] = {{&scene, {0, 0}}, {&scene, {320, 0}}};
  const SvgPage page{640, 240, 320, 120, {1, 1, 1, 1}};
  const std::string svg = toSvg(both, page);
  requireWellFormed(svg);
  CHECK(svg.find("width=\"320pt\" height=\"120pt\" viewBox=\"0 0 640 240\"") != std::string::npos);
  CHECK(count(svg, "data:image/png;base64,") == 2);
  CHECK(count(svg, "<use ") == 4);
  CHECK(count(svg, "<text ") == 16);
  CHECK(count(svg, "<g transform=\"translate(320 0)\">") == 1);
  CHECK(svg.find("url(#plot2)") != std::string::npos);
  CHECK(count(svg, "@font-face") == count(toSvg(scene), "@font-face"));
}

TEST_CASE("A hundred long lines are written, each as at least one path", "[svg]") {
  Scene scene = test::sampleScene();
  Layer layer{"paths", 1, true, true, {}};
  for (int i = 0; i < 100; ++i) {
    Polyline line{{}, {{1, 0, 0, 1}, 1.5F}, {}, Space::Data};
    for (int k = 0; k < 4000; ++k) {
      const double t = k * 0.005, r = 0.02 * i + 0.03 * t;
      line.points.push_back({r * std::cos(3 * t), r * std::sin(3 * t)});
    }
    layer.items.emplace_back(std::move(line));
  }
  scene.layers = {test::images(), layer, test::axes()};
  CHECK(count(toSvg(scene), "<path ") >= 100);
}

}  // namespace sepx::render
