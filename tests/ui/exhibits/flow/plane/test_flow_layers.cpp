// SPDX-License-Identifier: Apache-2.0
// A picture that is updated after many changes equals a picture drawn from scratch: no layer is left outdated.
#include <ios>
#include <map>
#include <random>
#include <sstream>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "tests/ui/exhibits/flow/flow_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Everything in an item that a renderer reads, as text, with exact numbers.
class Words {
 public:
  Words() { out_ << std::hexfloat; }
  std::string of(const render::Item& item) {
    out_.str("");
    std::visit([this](const auto& i) { say(i); }, item);
    return out_.str();
  }

 private:
  void say(render::Point p) { out_ << ' ' << p.x << ',' << p.y; }
  void say(render::Color c) { out_ << " #" << c.r << ',' << c.g << ',' << c.b << ',' << c.a; }
  void say(const render::Rect& r) {
    say(r.min);
    say(r.max);
  }
  template <typename T>
  void sayAll(const std::vector<T>& values) {
    out_ << " [" << values.size();
    for (const T& value : values) {
      if constexpr (std::is_arithmetic_v<T>)
        out_ << ' ' << static_cast<double>(value);
      else
        say(value);
    }
    out_ << ']';
  }
  void say(const render::Heatmap& i) {
    out_ << "heat " << i.width << 'x' << i.height << ' ' << static_cast<int>(i.map) << ' ' << i.opacity;
    say(i.extent);
    sayAll(*i.values);
  }
  void say(const render::LabelMap& i) {
    out_ << "labels " << i.width << 'x' << i.height;
    say(i.extent);
    sayAll(*i.labels);
    sayAll(i.palette);
    sayAll(i.hatch);
  }
  void say(const render::Polyline& i) {
    out_ << "line " << i.stroke.width << ' ' << static_cast<int>(i.stroke.dash);
    say(i.stroke.color);
    sayAll(i.points);
    sayAll(i.fade);
  }
  void say(const render::Fill& i) {
    out_ << "fill";
    say(i.color);
    sayAll(i.points);
  }
  void say(const render::Marker& i) {
    out_ << "marker " << static_cast<int>(i.shape) << ' ' << i.size << ' ' << i.edgeWidth;
    say(i.at);
    say(i.fill);
    say(i.edge);
  }
  void say(const render::Label& i) {
    out_ << "text '" << i.text << "' " << i.size << i.bold << i.vertical << static_cast<int>(i.alignX)
         << static_cast<int>(i.alignY);
    say(i.at);
    say(i.offset);
    say(i.color);
  }
  void say(const render::Solid& i) { out_ << "solid " << i.scene.get(); }

  std::ostringstream out_;
};

/// The first difference between two pictures; empty if they are equal.
std::string difference(const render::Scene& a, const render::Scene& b) {
  if (a.layers.size() != b.layers.size()) return "number of layers";
  Words words;
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    const render::Layer &one = a.layers[l], &other = b.layers[l];
    if (one.name != other.name) return one.name + " against " + other.name;
    if (one.items.size() != other.items.size()) return one.name + ": number of items";
    for (std::size_t i = 0; i < one.items.size(); ++i) {
      const std::string first = words.of(one.items[i]);
      const std::string second = words.of(other.items[i]);
      if (first != second) return one.name + ": " + first.substr(0, 200) + " against " + second.substr(0, 200);
    }
  }
  return a.window == b.window && a.plot == b.plot ? "" : "window";
}

/// One random change, as made by the panel, a script, undo or the pointer.
std::string changeSomething(Rig& rig, std::mt19937& random) {
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto between = [&](double low, double high) { return low + (high - low) * below(1001) / 1000.0; };
  const int count = static_cast<int>(rig.number("flow.points.count"));
  const int index = count > 0 ? below(count) : 0;
  const char* const toggles[] = {"loss",  "critical", "separatrix", "basin", "arrows", "paths",
                                 "cloud", "contours", "nullclines", "names", "common", "profile"};
  switch (const int what = below(count > 0 ? 14 : 7)) {
    case 0:
    case 1:
      REQUIRE(rig.add(between(-1.5, 1.5), between(-1.2, 1.2)));
      return "add";
    case 2: {
      const std::string key = std::string("flow.show.") + toggles[below(12)];
      if (rig.text("flow.field") != "ew" && key == "flow.show.basin") return "nothing";
      rig.set(key, below(2) == 1);
      return key;
    }
    case 3:
      rig.set(below(2) == 1 ? "flow.p" : "flow.q", between(0.05, 0.95));
      return "chain";
    case 4: {
      // Without basins, because integrating them is tested elsewhere.
      const bool duffing = below(4) == 0;
      if (duffing) rig.set("flow.show.basin", false);
      rig.set("flow.field", std::string(duffing ? "duffing" : "ew"));
      if (!duffing) rig.set("flow.show.basin", true);
      return "field";
    }
    case 5: {
      const char* const colors[] = {"loss", "basin", "gradient"};
      if (below(2) == 1) {
        rig.set("flow.color", std::string(colors[below(3)]));
        return "color";
      }
      rig.set("flow.gauss.sigma", between(0.1, 1));
      return "sigma";
    }
    case 6:
      rig.theme = below(2) == 1 ? "light" : "dark";
      return "theme";
    case 7:
      rig.set("flow.points[" + std::to_string(index) + "].name", std::string("N") + std::to_string(below(99)));
      return "name";
    case 8:
    case 9:
      rig.set("flow.points[" + std::to_string(index) + (what == 8 ? "].e" : "].w"), between(-1.5, 1.5));
      return "move";
    case 10:
      rig.set("flow.selected", static_cast<double>(index - 1));
      return "select";
    case 11:
      REQUIRE(rig.run("flow.delete-point"));
      return "delete";
    case 12:
      rig.editor.history.undo();
      return "undo";
    default:
      REQUIRE(rig.run(below(2) == 1 ? "view.zoom-in" : "view.reset"));
      return "view";
  }
}

}  // namespace

TEST_CASE("A picture updated after many changes equals a picture drawn from scratch", "[flow][scene]") {
  Rig rig;
  rig.area = {{0, 0}, {560, 400}};
  rig.set("flow.gauss.samples", 50.0);
  std::mt19937 random(7);
  std::string story;
  for (int step = 0; step < 60; ++step) {
    story += changeSomething(rig, random) + " ";
    rig.frame();
    rig.seconds += 2;  // after the flash of a flip
    if (step % 3 != 0) continue;
    const render::Scene& grown = rig.settle();
    Rig fresh;
    fresh.area = rig.area;
    fresh.theme = rig.theme;
    fresh.editor.history.reset(rig.editor.document());
    const std::string found = difference(grown, fresh.settle());
    INFO(story);
    REQUIRE(found == "");
  }
}

TEST_CASE("Of many points only the one that moves is redrawn", "[flow][scene]") {
  Rig rig;
  for (int i = 0; i < 60; ++i)
    REQUIRE(rig.add(-1.5 + 0.05 * i, 0.5 - 0.02 * i));
  std::map<std::string, std::uint64_t> before;
  for (const render::Layer& layer : rig.settle().layers)
    before[layer.name] = layer.revision;
  rig.set("flow.points[59].e", 0.2);  // the selected point
  const render::Scene& moved = rig.frame();
  for (const char* name : {"other paths", "other limits", "other handles"}) {
    REQUIRE(Rig::layer(moved, name));
    CHECK(Rig::layer(moved, name)->still);
    CHECK(Rig::layer(moved, name)->revision == before[name]);
  }
  for (const char* name : {"paths", "limits", "handles"})
    CHECK(Rig::layer(moved, name)->revision != before[name]);
  // A change of a point that is not selected is drawn too.
  rig.set("flow.points[3].name", std::string("new"));
  CHECK(Rig::layer(rig.frame(), "other handles")->revision != before["other handles"]);
}

TEST_CASE("A new name is shown at once beside its point and in the read-out", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  rig.set("flow.points[0].name", std::string("ZZZZ"));
  const render::Scene& scene = rig.frame();
  bool beside = false, said = false;
  for (const render::Item& item : Rig::layer(scene, "handles")->items)
    if (const auto* label = std::get_if<render::Label>(&item)) beside = beside || label->text == "ZZZZ";
  for (const render::Item& item : Rig::layer(scene, "read-out")->items)
    if (const auto* label = std::get_if<render::Label>(&item)) said = said || label->text.rfind("ZZZZ ", 0) == 0;
  CHECK(beside);
  CHECK(said);
}

TEST_CASE("The time of the moving point is not broken into two lines, even in half a window", "[flow][scene]") {
  Rig rig;
  REQUIRE(rig.add(-0.5, -1.2));
  rig.set("flow.selected", 0.0);
  REQUIRE(rig.run("flow.time-on"));
  bool said = false;
  for (const double width : {800.0, 400.0, 368.0, 330.0, 300.0}) {
    CAPTURE(width);
    rig.area = {{0, 0}, {width, 620}};
    rig.settle();
    const std::string texts = rig.texts("read-out");
    const std::size_t at = texts.find("t\u00A0=");
    said = said || at != std::string::npos;
    if (at != std::string::npos) CHECK(texts.find("t\u00A0=\u00A0") == at);
    CHECK(texts.find("t\n=") == std::string::npos);
  }
  CHECK(said);
}

TEST_CASE("Of many points only the selected one shows its name, and the legend is readable", "[flow][scene]") {
  Rig rig;
  std::string csv = "e,w\n";
  for (int i = 0; i < 600; ++i)
    csv += formatShortest(-1.9 + 3.8 * (i % 25) / 24.0) + "," + formatShortest(-1.9 + 3.8 * (i / 25) / 23.0) + "\n";
  REQUIRE(rig.take(csv));
  rig.set("flow.selected", 7.0);
  const render::Scene& scene = rig.settle();
  std::vector<std::string> names;
  for (const char* layer : {"handles", "other handles"})
    for (const render::Item& item : Rig::layer(scene, layer)->items)
      if (const auto* label = std::get_if<render::Label>(&item)) names.push_back(label->text);
  CHECK(names == std::vector<std::string>{"H"});
  const Theme& theme = *findTheme("dark");
  CHECK(std::get<render::Marker>(Rig::layer(scene, "other handles")->items.front()).size < theme.handleSize);
  for (const render::Item& item : Rig::layer(scene, "legend")->items)
    if (const auto* label = std::get_if<render::Label>(&item)) CHECK(label->color.a == 1);
}

TEST_CASE("A folded legend of a small plane covers no point and stays inside the plot", "[flow][scene]") {
  struct {
    double p, q;
    std::vector<render::Point> points;
  } const states[] = {{0.4, 0.6, {{0.3, 0.2}}},  // p + q = 1: the legend contains sentences
                      {0.2, 0.3, {{0.3, 0.2}, {0.9, -0.6}, {-1.2, 0.7}}},
                      {0.5, 0.8, {{0.3, 0.2}, {0.9, -0.6}, {-1.2, 0.7}}}};
  for (const auto& state : states)
    for (const char* theme : {"dark", "projector"})
      for (const render::Point size : {render::Point{640, 320}, {420, 330}, {640, 400}, {600, 480}}) {
        Rig rig;
        rig.theme = theme;
        rig.area = {{0, 0}, size};
        rig.set("flow.p", state.p);
        rig.set("flow.q", state.q);
        for (const render::Point& at : state.points)
          REQUIRE(rig.add(at.x, at.y));
        const render::Scene& scene = rig.settle();
        const render::Layer* const legend = Rig::layer(scene, "legend");
        if (!legend) continue;
        INFO(theme << " " << size.x << " x " << size.y << ", p = " << state.p);
        render::Rect box{{1e9, 1e9}, {-1e9, -1e9}};
        for (const render::Point& corner : std::get<render::Fill>(legend->items.front()).points)
          box = {{std::min(box.min.x, corner.x), std::min(box.min.y, corner.y)},
                 {std::max(box.max.x, corner.x), std::max(box.max.y, corner.y)}};
        CHECK(box.min.x >= scene.plot.min.x);
        CHECK(box.max.x <= scene.plot.max.x);
        for (const render::Point& at : state.points)
          CHECK_FALSE(box.contains(render::toPage(scene, at)));
      }
}
