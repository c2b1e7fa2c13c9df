// SPDX-License-Identifier: Apache-2.0
// The page of (e, w, a) with events: points dragged in the view plane, along an axis and in the section, camera,
// planes; scene items; numbers; invalid input.
#include <algorithm>
#include <cmath>
#include <optional>

#include <catch2/catch.hpp>

#include "engine/markov/unbounded_surface.h"
#include "engine/render/scene3.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/flow/space/space_state.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

struct SpaceRig : Rig {
  SpaceRig() {
    set("flow.p", 0.5);
    set("flow.q", 0.8);
    set("flow.page", std::string("space"));
  }
  void addAt(double e, double w, double a) {
    REQUIRE(add(e, w));
    const auto last = editor.document().at("flow.points").size() - 1;
    set("flow.points[" + std::to_string(last) + "].a", a);
  }
  /// A parallel projection along w: e to the right, a up.
  void lookAlongW() {
    set("flow.space.perspective", false);
    REQUIRE(run("flow.space.view-w"));
  }
  const render::Scene3& picture(const render::Scene& drawn) const {
    const render::Layer* const found = layer(drawn, "space");
    REQUIRE(found);
    return *std::get<render::Solid>(found->items.front()).scene;
  }
  std::size_t surfaces(const std::string& off) {
    set(off, false);
    const std::size_t count = picture(settle()).surfaces.size();
    set(off, true);
    settle();
    return count;
  }
  /// Position of a place of space in the window.
  render::Point placeOf(const render::Scene& drawn, const render::Point3& data) const {
    const auto page = render::toPage(picture(drawn), data);
    REQUIRE(page);
    return {page->x + area.min.x, page->y + area.min.y};
  }
};

}  // namespace

TEST_CASE("A drag across the Airy surface changes the named limit, in one undo step", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.lookAlongW();
  const render::Scene& scene = rig.settle();
  REQUIRE(rig.text("flow.points[0].space.kind") == "local-min");
  CHECK(rig.number("flow.points[0].space.distance") == Approx(0.6 - markov::unboundedSurfaceE(-1)));
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.drag(rig.at(scene, 0.6, -1), rig.at(scene, 0.8, -1));
  CHECK(rig.number("flow.points[0].e") == Approx(0.8).margin(0.002));
  CHECK(rig.number("flow.points[0].w") == 0.4);
  CHECK(rig.number("flow.points[0].a") == Approx(-1).margin(0.002));
  CHECK(rig.text("flow.points[0].space.kind") == "global-min");
  CHECK(rig.text("flow.points[0].space.theory") == "global-min");
  CHECK(rig.text("flow.points[0].space.planekind") == "local-min");
  CHECK(rig.number("flow.points[0].space.limit.loss") == Approx(rig.number("flow.entropy.rate")).margin(1e-9));
  CHECK(rig.number("flow.points[0].space.drift.energy") < 1e-8);
  CHECK(rig.number("flow.points[0].space.drift.angle") < 1e-8);
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  REQUIRE(rig.editor.history.undo());
  rig.frame();
  CHECK(rig.number("flow.points[0].e") == 0.6);
  CHECK(rig.text("flow.points[0].space.kind") == "local-min");
}

TEST_CASE("An arrow moves the point along its axis only, Shift snaps, and Escape restores the point", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.63, 0.41, -0.87);
  const render::Scene& scene = rig.settle();
  const render::Point3 at{0.63, 0.41, -0.87};
  // The end of the arrow: the front marker in the direction +a.
  const render::Scene3& picture = rig.picture(scene);
  const auto end = std::find_if(picture.markers.begin(), picture.markers.end(), [&](const render::Marker3& marker) {
    return marker.inFront && std::abs(marker.at.x - at.x) < 1e-9 && std::abs(marker.at.y - at.y) < 1e-9 &&
           marker.at.z > at.z + 0.05;
  });
  REQUIRE(end != picture.markers.end());
  const render::Point from = rig.placeOf(scene, end->at);
  const double up = end->at.z - at.z;
  render::Point3 target = end->at;
  target.z += 0.5;
  const render::Point to = rig.placeOf(scene, target);
  rig.frame({Rig::move(from)});
  CHECK(rig.cursor == Cursor::Hand);
  rig.drag(from, to);
  CHECK(rig.number("flow.points[0].e") == 0.63);
  CHECK(rig.number("flow.points[0].w") == 0.41);
  CHECK(rig.number("flow.points[0].a") == Approx(-0.37).margin(0.01));
  REQUIRE(up > 0);
  const render::Scene& now = rig.settle();
  const render::Point point = rig.placeOf(now, {0.63, 0.41, rig.number("flow.points[0].a")});
  rig.frame({Rig::move(point)});
  rig.frame({Rig::press(point, true, true)});
  rig.frame({Rig::move({point.x + 40, point.y - 30}, true)});
  for (const char* key : {"e", "w", "a"}) {
    const double value = rig.number(std::string("flow.points[0].") + key);
    CHECK(std::abs(value / 0.5 - std::round(value / 0.5)) < 1e-9);
  }
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK(rig.number("flow.points[0].e") == 0.63);
  rig.frame({Rig::press(point, false)});
  CHECK(rig.number("flow.points[0].e") == 0.63);
}

TEST_CASE("Keys move the point along every axis, and turn the view if no point is selected", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.settle();
  for (const Key key : {Key::Right, Key::Up, Key::PageUp}) {
    rig.frame({KeyPressed{key, true, {}}});
    rig.frame({KeyPressed{key, false, {}}});
  }
  CHECK(rig.number("flow.points[0].e") == Approx(0.62));
  CHECK(rig.number("flow.points[0].w") == Approx(0.42));
  CHECK(rig.number("flow.points[0].a") == Approx(-0.98));
  rig.set("flow.selected", -1.0);
  const double yaw = rig.number("flow.space.yaw");
  rig.frame({KeyPressed{Key::Right, true, {}}});
  CHECK(rig.number("flow.space.yaw") != yaw);
  CHECK(rig.number("flow.points[0].e") == Approx(0.62));
}

TEST_CASE("Orbit, pan, wheel and double click move the camera without an undo step", "[flow][space]") {
  SpaceRig rig;
  rig.settle();
  const std::size_t steps = rig.editor.history.undoSteps();
  const render::Point empty{300, 420};
  rig.drag(empty, {360, 400});
  CHECK(rig.number("flow.space.yaw") == Approx(-62).margin(0.01));
  CHECK(rig.number("flow.space.pitch") == Approx(10).margin(0.01));
  rig.drag(empty, {360, 400}, true);
  CHECK(rig.number("flow.space.yaw") == Approx(-62).margin(0.01));
  CHECK(rig.number("flow.space.target.a") != 0);
  rig.frame({Rig::move(empty)});
  rig.frame({Scrolled{0, 2, {}}});
  CHECK(rig.number("flow.space.distance") < 5.5);
  CHECK(rig.editor.history.undoSteps() == steps);
  rig.click(empty);
  rig.click(empty);
  CHECK(rig.number("flow.space.distance") == 5.5);
  CHECK(rig.number("flow.space.yaw") == -32);
}

TEST_CASE("Surfaces, curves, paths and limits are in the scene, and each has a switch", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.addAt(1.2, -0.5, 0.7);
  const render::Scene3 all = rig.picture(rig.settle());
  // Theta*, two halves of e = 0, the unbounded surface, the slice.
  CHECK(all.surfaces.size() == 5);
  CHECK(rig.surfaces("flow.space.show.theta_star") == 4);
  CHECK(rig.surfaces("flow.space.show.minima") == 3);
  CHECK(rig.surfaces("flow.space.show.separatrix") == 4);
  CHECK(rig.surfaces("flow.space.slice.show") == 4);
  rig.set("flow.space.show.energy", true);
  CHECK(rig.picture(rig.settle()).surfaces.size() == 6);
  const auto lit = [](const render::Scene3& scene) {
    return std::count_if(scene.tubes.begin(), scene.tubes.end(), [](const render::Tube& tube) { return tube.lit; });
  };
  CHECK(lit(all) == 4);  // two paths, two stationary curves
  rig.set("flow.space.show.paths", false);
  CHECK(lit(rig.picture(rig.settle())) == 2);
  rig.set("flow.space.clip.w.keep", std::string("above"));
  rig.set("flow.space.clip.w.at", 0.25);
  const render::Scene3 cut = rig.picture(rig.settle());
  REQUIRE(cut.clips.size() == 1);
  CHECK(cut.clips[0].normal == render::Point3{0, 1, 0});
  CHECK(cut.clips[0].offset == 0.25);
  // p + q < 1: no unbounded orbits.
  rig.set("flow.p", 0.2);
  rig.set("flow.q", 0.3);
  rig.set("flow.space.show.energy", false);
  CHECK(rig.picture(rig.settle()).surfaces.size() == 4);
  for (const char* name : {"space.axes", "space.section", "space.legend", "space.readout", "space.gizmo"}) {
    INFO(name);
    CHECK(Rig::layer(rig.settle(), name) != nullptr);
  }
}

TEST_CASE("The text about a point ends above the section, even in a low pane", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(-0.5, -1.2, 0);
  rig.set("flow.selected", 0.0);
  for (const double width : {660.0, 689.0, 738.0, 1000.0})
    for (const double height : {420.0, 470.0, 500.0, 640.0}) {
      CAPTURE(width, height);
      rig.area = {{0, 0}, {width, height}};
      const render::Scene& drawn = rig.settle();
      const render::Layer* const section = Rig::layer(drawn, "space.section");
      const render::Layer* const words = Rig::layer(drawn, "space.readout");
      REQUIRE(words);
      if (!section || section->items.empty()) continue;
      const auto box = [](const render::Layer& layer) {
        render::Rect around{{1e9, 1e9}, {-1e9, -1e9}};
        for (const render::Point& at : std::get<render::Fill>(layer.items.front()).points) {
          around.min = {std::min(around.min.x, at.x), std::min(around.min.y, at.y)};
          around.max = {std::max(around.max.x, at.x), std::max(around.max.y, at.y)};
        }
        return around;
      };
      const render::Rect said = box(*words), plane = box(*section);
      CHECK((said.max.y <= plane.min.y || said.max.x <= plane.min.x));
    }
}

TEST_CASE("The legend of the space folds at a click and stays where it is dragged", "[flow][space]") {
  SpaceRig rig;
  const auto boxOf = [](const render::Scene& scene) {
    const auto& outline = std::get<render::Fill>(Rig::layer(scene, "space.legend")->items.front()).points;
    render::Rect box{outline.front(), outline.front()};
    for (const render::Point& p : outline)
      box = {{std::min(box.min.x, p.x), std::min(box.min.y, p.y)},
             {std::max(box.max.x, p.x), std::max(box.max.y, p.y)}};
    return box;
  };
  const auto words = [](const render::Scene& scene) {
    std::string all;
    for (const render::Item& item : Rig::layer(scene, "space.legend")->items)
      if (const auto* label = std::get_if<render::Label>(&item)) all += label->text + "\n";
    return all;
  };
  const render::Rect open = boxOf(rig.settle());
  CHECK(words(rig.frame()).find("unbounded orbits") != std::string::npos);
  const double yaw = rig.number("flow.space.yaw");
  const render::Point inside{rig.area.min.x + open.min.x + 30, rig.area.min.y + open.min.y + 8};
  rig.click(inside);
  CHECK(rig.text("flow.space.legend.fold") == "folded");
  CHECK(words(rig.frame()).find("unbounded orbits") == std::string::npos);
  CHECK(words(rig.frame()).find("p + q") != std::string::npos);
  rig.click(inside);
  CHECK(rig.text("flow.space.legend.fold") == "open");
  CHECK(boxOf(rig.settle()) == open);
  // A drag moves the legend and does not turn the view.
  rig.drag(inside, {inside.x + 150, inside.y + 120});
  const render::Rect moved = boxOf(rig.settle());
  CHECK(moved.min.x == Approx(open.min.x + 150).margin(2));
  CHECK(moved.min.y == Approx(open.min.y + 120).margin(2));
  CHECK(rig.number("flow.space.yaw") == yaw);
  CHECK(rig.editor.document().has("flow.space.legend.x"));
}

TEST_CASE("In a low pane the text about a point is beside the cube", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(-0.5, -1.2, 0);
  rig.set("flow.selected", 0.0);
  rig.theme = "projector";
  rig.area = {{0, 0}, {640, 320}};
  const render::Scene& drawn = rig.settle();
  const render::Layer* const words = Rig::layer(drawn, "space.readout");
  REQUIRE(words);
  double left = 1e9, right = 0;
  for (const render::Point& at : std::get<render::Fill>(words->items.front()).points)
    left = std::min(left, at.x);
  for (const render::Item& item : Rig::layer(drawn, "space.axes")->items)
    if (const auto* label = std::get_if<render::Label>(&item)) right = std::max(right, label->at.x);
  CHECK(left >= right);
  CHECK(right > 0.35 * 640);
}

TEST_CASE("A wide and low page names the surfaces of the space", "[flow][space]") {
  SpaceRig rig;
  rig.area.max = {rig.area.min.x + 1200, rig.area.min.y + 300};
  bool named = false;
  for (const render::Item& item : Rig::layer(rig.settle(), "space.legend")->items)
    if (const auto* label = std::get_if<render::Label>(&item))
      named = named || label->text.find("unbounded orbits") != std::string::npos;
  CHECK(named);
}

TEST_CASE("The page Space draws nothing again in a frame without changes", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.settle();
  std::vector<std::uint64_t> before;
  for (const render::Layer& layer : rig.frame().layers)
    before.push_back(layer.revision);
  std::vector<std::uint64_t> after;
  for (const render::Layer& layer : rig.frame().layers)
    after.push_back(layer.revision);
  CHECK(before == after);
}

TEST_CASE("The slice plane is moved by commands and turned, and its basins by theory and by integration agree",
          "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.settle();
  REQUIRE(rig.run("flow.space.slice-here"));
  CHECK(rig.number("flow.space.slice.at") == -1);
  const double theory = [&] {
    rig.settle();
    return rig.number("flow.space.slice.share.local-min");
  }();
  CHECK(theory > 0.02);
  rig.set("flow.space.slice.method", std::string("integrate"));
  rig.settle();
  CHECK(rig.number("flow.space.slice.disagreements") == 0);
  CHECK(rig.number("flow.space.slice.share.local-min") == Approx(theory).margin(0.01));  // computed with fewer pixels
  REQUIRE(rig.run("flow.space.slice-next"));
  CHECK(rig.text("flow.space.slice.axis") == "e");
  CHECK(rig.number("flow.space.slice.at") == 0.6);
  rig.settle();
  CHECK(rig.number("flow.space.slice.disagreements") == 0);
  rig.set("flow.space.slice.axis", std::string("w"));
  rig.settle();
  CHECK(rig.number("flow.space.slice.disagreements") == 0);
}

TEST_CASE("Dragging a point in the section changes only its two coordinates", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  const render::Scene& scene = rig.settle();
  // The glyph of the point in the inset is the marker of size 12 in the section.
  std::optional<render::Point> glyph;
  for (const render::Item& item : Rig::layer(scene, "space.section")->items)
    if (const auto* marker = std::get_if<render::Marker>(&item))
      if (marker->size == 12) glyph = marker->at;
  REQUIRE(glyph);
  const render::Point from{glyph->x + rig.area.min.x, glyph->y + rig.area.min.y};
  rig.drag(from, {from.x + 30, from.y});
  CHECK(rig.number("flow.points[0].e") > 0.7);
  CHECK(rig.number("flow.points[0].w") == Approx(0.4).margin(0.02));
  CHECK(rig.number("flow.points[0].a") == -1);
}

TEST_CASE("A point moved onto the unbounded surface has an unbounded orbit, with the reason as text", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(-0.6, -0.4, -1);
  rig.settle();
  REQUIRE(rig.run("flow.space.onto-surface"));
  rig.settle();
  CHECK(rig.number("flow.points[0].e") == Approx(-0.689443330325249).epsilon(1e-14));
  CHECK(rig.text("flow.points[0].space.status") == "unbounded");
  CHECK(rig.text("flow.points[0].space.kind") == "undecided");
  CHECK(rig.text("flow.points[0].space.reason").find("never comes to rest") != std::string::npos);
  CHECK(rig.text("flow.points[0].space.limit.loss") == "none");
}

TEST_CASE("Points on the axes, huge numbers, p + q = 1 and an inverted box are handled", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0, 0.4, -1);
  rig.addAt(0.7, 0, 0.2);
  rig.addAt(1e9, -1e9, 1e9);
  rig.addAt(1e-300, 1e-300, 0);
  rig.addAt(0, 0, 0);
  rig.addAt(1, -std::sqrt(0.5), -1);
  rig.set("flow.space.show.energy", true);
  for (int i = 0; i < 6; ++i) {
    rig.set("flow.selected", static_cast<double>(i));
    rig.settle();
    CHECK(rig.exhibit->complete());
  }
  CHECK(rig.text("flow.points[0].space.reason").find("critical point") != std::string::npos);
  CHECK(rig.text("flow.points[0].space.kind") == "local-min");
  CHECK(rig.text("flow.points[1].space.energy") == "none");
  CHECK_FALSE(rig.exhibit->caption().empty());
  rig.set("flow.q", 0.5);
  rig.settle();
  CHECK(rig.text("flow.points[1].space.status") == "degenerate");
  CHECK(rig.text("flow.points[1].space.reason").find("p + q = 1") != std::string::npos);
  CHECK_FALSE(rig.editor.set("flow.space.box.e.low", 3.0, {}));
  CHECK(rig.number("flow.space.box.e.low") == -2);
  REQUIRE(rig.run("flow.space.fit"));
  rig.settle();
  CHECK(rig.exhibit->complete());
}

TEST_CASE("Backward paths lead uphill and conserve the invariants", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.set("flow.show.backward", true);
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  const auto back = std::find_if(numbers.tables.begin(), numbers.tables.end(),
                                 [](const Table& table) { return table.name == "ways_back"; });
  REQUIRE(back != numbers.tables.end());
  const auto column = [&](const char* name) { return std::get<std::vector<double>>(back->find(name)->values); };
  const std::vector<double> t = column("t"), loss = column("loss"), energy = column("energy");
  REQUIRE(t.size() > 10);
  CHECK(t[0] == 0);
  CHECK(t[5] < 0);
  CHECK(loss[5] > loss[0]);
  CHECK(energy[5] == Approx(energy[0]).epsilon(1e-8));
}

TEST_CASE("The exported numbers have points, paths, curves and the section", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  rig.addAt(1.2, -0.5, 0.7);
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE(numbers.tables.size() == 4);
  const Table& points = numbers.tables[0];
  CHECK(points.rows() == 2);
  CHECK(std::get<std::vector<std::string>>(points.find("kind")->values)[0] == "local-min");
  const Table& paths = numbers.tables[1];
  const auto column = [](const Table& table, const char* name) {
    return std::get<std::vector<double>>(table.find(name)->values);
  };
  const std::vector<double> energy = column(paths, "energy"), angle = column(paths, "airy_angle");
  REQUIRE(energy.size() > 20);
  CHECK(energy[0] == Approx(energy[10]).epsilon(1e-8));
  CHECK(angle[0] == Approx(angle[10]).epsilon(1e-8));
  CHECK(numbers.tables[2].name == "curves");
  CHECK(numbers.tables[3].name == "section");
  CHECK(numbers.grids.size() == 3);
}

TEST_CASE("Play moves the points along the paths and stops", "[flow][space]") {
  SpaceRig rig;
  rig.addAt(0.6, 0.4, -1);
  const std::size_t before = rig.picture(rig.settle()).markers.size();
  REQUIRE(rig.run("play.toggle"));
  rig.frame();
  CHECK(rig.exhibit->animating());
  CHECK(rig.picture(rig.frame()).markers.size() == before + 1);
  for (int i = 0; i < 700 && rig.exhibit->animating(); ++i)
    rig.frame();
  CHECK_FALSE(rig.exhibit->animating());
}

TEST_CASE("A figure has its legend beside or below the cube, and the cube fills the rest", "[flow][space]") {
  for (const auto& [width, height] : {std::pair{436.0, 400.0}, std::pair{910.0, 500.0}}) {
    INFO(width);
    SpaceRig rig;
    rig.figure = true;
    rig.theme = "light";
    rig.set("flow.space.slice.show", false);
    rig.area = {{0, 0}, {width, height}};
    rig.addAt(-0.5, -1.2, 0);
    const render::Scene& scene = rig.settle();
    CHECK(Rig::layer(scene, "space.readout") == nullptr);
    const render::Layer* const legend = Rig::layer(scene, "space.legend");
    REQUIRE(legend != nullptr);
    // The legend covers neither ticks nor letters of the axes.
    render::Rect rows{{1e9, 1e9}, {0, 0}};
    for (const render::Item& item : legend->items)
      if (const auto* const label = std::get_if<render::Label>(&item))
        rows = {{std::min(rows.min.x, label->at.x), std::min(rows.min.y, label->at.y - label->size / 2)},
                {std::max(rows.max.x, label->at.x), std::max(rows.max.y, label->at.y + label->size / 2)}};
    CHECK(rows.max.y <= height);
    std::string words;
    for (const render::Item& item : legend->items)
      if (const auto* const label = std::get_if<render::Label>(&item)) words += label->text + " ";
    CHECK(words.find("global minima") != std::string::npos);
    CHECK(words.find("stationary curves") != std::string::npos);
    CHECK((rows.min.x >= scene.plot.max.x || rows.min.y >= scene.plot.max.y));
    for (const render::Item& item : Rig::layer(scene, "space.axes")->items)
      if (const auto* const label = std::get_if<render::Label>(&item)) CHECK_FALSE(rows.contains(label->at));
    // The plot extends down to the legend or to the edge of the page.
    const double end = rows.min.y >= scene.plot.max.y ? rows.min.y : height;
    CHECK(end - scene.plot.max.y < 0.1 * height);
    rig.legend = false;
    CHECK(Rig::layer(rig.settle(), "space.legend") == nullptr);
  }
}

TEST_CASE("A page that is hidden in the frame in which points are added does not need their results", "[flow][space]") {
  SpaceRig rig;
  rig.settle();
  for (int i = 0; i < 3; ++i)
    rig.addAt(0.2 * i, 0.5, 0);
  rig.set("flow.page", std::string("plane"));
  rig.frame({Rig::move({300, 300})});
  CHECK(rig.layer("space") == nullptr);
  rig.set("flow.page", std::string("space"));
  rig.settle();
  CHECK(rig.number("flow.points.count") == 3);
}
