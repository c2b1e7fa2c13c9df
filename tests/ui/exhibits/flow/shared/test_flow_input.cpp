// SPDX-License-Identifier: Apache-2.0
// Gestures and commands: a dragged point ends in the other basin, every gesture is one undo step, and camera changes
// are none.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/markov/energy.h"
#include "tests/ui/exhibits/flow/flow_rig.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("A point dragged across the separatrix changes its limit, in one undo step", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, -0.3));
  const render::Scene& scene = rig.settle();
  REQUIRE(rig.text("flow.points[0].basin") == "local-min");
  const double far = std::sqrt(markov::separatrixSquared(-0.3)) + 0.5;
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.drag(rig.at(scene, 0.3, -0.3), rig.at(scene, far, -0.3));
  CHECK(rig.number("flow.points[0].e") == Approx(far).margin(1e-4));
  CHECK(rig.number("flow.points[0].w") == Approx(-0.3).margin(1e-9));
  CHECK(rig.text("flow.points[0].basin") == "global-min");
  CHECK(rig.number("flow.points[0].limit.loss") == Approx(rig.number("flow.entropy.rate")).margin(1e-9));
  CHECK(rig.text("flow.points[0].limit.words").find("entropy rate") != std::string::npos);
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  REQUIRE(rig.editor.history.undo());
  rig.frame();
  CHECK(rig.number("flow.points[0].e") == 0.3);
  CHECK(rig.text("flow.points[0].basin") == "local-min");
  CHECK(rig.number("flow.points[0].limit.loss") == Approx(rig.number("flow.entropy.marginal")).margin(1e-9));
}

TEST_CASE("The path of a dragged point follows in the same frame", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, -0.3));
  const render::Scene& scene = rig.settle();
  const render::Point from = rig.at(scene, 0.3, -0.3);
  rig.frame({Rig::move(from)});
  CHECK(rig.cursor == Cursor::Hand);
  rig.frame({Rig::press(from, true)});
  CHECK(rig.cursor == Cursor::Move);
  const render::Scene& moved = rig.frame({Rig::move({from.x + 50, from.y - 20})});
  const auto& path = std::get<render::Polyline>(Rig::layer(moved, "paths")->items.back());
  CHECK(path.points.front().x == Approx(rig.number("flow.points[0].e")).margin(1e-12));
  CHECK(path.points.front().y == Approx(rig.number("flow.points[0].w")).margin(1e-12));
  // Escape restores the point, and the release that follows does nothing.
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK(rig.number("flow.points[0].e") == 0.3);
  rig.frame({Rig::press({from.x + 50, from.y - 20}, false)});
  CHECK(rig.number("flow.points[0].e") == 0.3);
}

TEST_CASE("Deleting a point during its drag ends the drag", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(1.0, 0.8));
  REQUIRE(rig.add(0.3, -0.3));
  rig.set("flow.selected", 0.0);
  const render::Scene& scene = rig.settle();
  const render::Point from = rig.at(scene, 1.0, 0.8);
  rig.frame({Rig::move(from)});
  rig.frame({Rig::press(from, true)});
  rig.frame({Rig::move({from.x + 50, from.y})});
  REQUIRE(rig.run("flow.delete-point"));
  rig.frame({Rig::move({from.x + 60, from.y + 30})});
  rig.frame({Rig::press({from.x + 60, from.y + 30}, false)});
  CHECK(rig.number("flow.points.count") == 1);
  CHECK(rig.number("flow.points[0].e") == 0.3);
  CHECK(rig.number("flow.points[0].w") == -0.3);
  // The same holds if another document is opened.
  const render::Point at = rig.at(scene, 0.3, -0.3);
  rig.frame({Rig::press(at, true)});
  rig.frame({Rig::move({at.x + 50, at.y})});
  rig.editor.history.reset(rig.editor.document().with("flow.points[0].e", -1.0));
  rig.frame({Rig::move({at.x + 70, at.y})});
  CHECK(rig.number("flow.points[0].e") == -1);
}

TEST_CASE("Escape during a drag leaves neither a change nor an undo step", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, -0.3));
  const render::Scene& scene = rig.settle();
  const Document before = rig.editor.document();
  const std::size_t steps = rig.editor.history.undoSteps();
  const render::Point from = rig.at(scene, 0.3, -0.3);
  rig.frame({Rig::press(from, true)});
  rig.frame({Rig::move({from.x + 50, from.y - 20})});
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  SECTION("Without other changes") {
    rig.frame({KeyPressed{Key::Escape, true, {}}});
    CHECK(rig.editor.document() == before);
  }
  SECTION("With a zoom during the drag, which is kept") {
    rig.frame({Scrolled{0, 2, {}}});
    rig.frame({KeyPressed{Key::Escape, true, {}}});
    CHECK(rig.number("flow.points[0].e") == 0.3);
    CHECK(rig.editor.document().has("flow.view"));
  }
  rig.frame({Rig::press({from.x + 50, from.y - 20}, false)});
  CHECK(rig.editor.history.undoSteps() == steps);
}

TEST_CASE("Escape restores p and q", "[flow][input]") {
  Rig rig;
  const render::Scene& scene = rig.settle();
  const Document before = rig.editor.document();
  // The dot of the square is the last marker of its layer.
  const auto dot = std::get<render::Marker>(Rig::layer(scene, "square")->items.back());
  rig.frame({Rig::press(dot.at, true)});
  rig.frame({Rig::move({dot.at.x - 20, dot.at.y + 10})});
  CHECK(rig.number("flow.p") != 0.5);
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK(rig.editor.document() == before);
  CHECK(rig.editor.history.undoSteps() == 0);
}

TEST_CASE("A gesture ends only with the button that began it", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, -0.3));
  const render::Scene& scene = rig.settle();
  const render::Point from = rig.at(scene, 0.3, -0.3);
  rig.frame({Rig::press(from, true)});
  rig.frame({Rig::move({from.x + 20, from.y})});
  rig.frame({PointerPressed{Button::Right, true, from.x + 20, from.y, {}}});
  rig.frame({PointerPressed{Button::Right, false, from.x + 20, from.y, {}}});
  rig.frame({Rig::move(rig.at(scene, 1.2, -0.3))});
  CHECK(rig.number("flow.points[0].e") == Approx(1.2).margin(1e-3));
  rig.frame({Rig::press(rig.at(scene, 1.2, -0.3), false)});
  rig.frame({Rig::move(rig.at(scene, -1.2, -0.3))});
  CHECK(rig.number("flow.points[0].e") == Approx(1.2).margin(1e-3));
}

TEST_CASE("Two drags are two undo steps, even of the same point", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.3));
  const render::Scene& scene = rig.settle();
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.drag(rig.at(scene, 0.3, 0.3), rig.at(scene, 0.8, 0.5));
  rig.seconds += 2;
  rig.drag(rig.at(scene, 0.8, 0.5), rig.at(scene, -0.8, 0.5));
  CHECK(rig.editor.history.undoSteps() == steps + 2);
  REQUIRE(rig.editor.history.undo());
  CHECK(rig.number("flow.points[0].e") == Approx(0.8).margin(1e-9));
}

TEST_CASE("With Shift a dragged point snaps to the grid", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.3));
  const render::Scene& scene = rig.settle();
  rig.drag(rig.at(scene, 0.3, 0.3), rig.at(scene, 0.93, 0.57), true);
  const double e = rig.number("flow.points[0].e"), w = rig.number("flow.points[0].w");
  CHECK(std::abs(e * 10 - std::round(e * 10)) < 1e-9);
  CHECK(std::abs(w * 10 - std::round(w * 10)) < 1e-9);
  CHECK(e != Approx(0.93).margin(1e-6));
}

TEST_CASE("Arrow keys move the selected point by a decimal step, with Shift by ten, in one undo step",
          "[flow][input]") {
  // The numbers are the same in every window.
  const render::Rect area = GENERATE(render::Rect{{0, 0}, {980, 640}}, render::Rect{{0, 0}, {611, 433}});
  Rig rig;
  rig.area = area;
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  rig.set("flow.view.xMin", -1.5);
  rig.set("flow.view.xMax", 1.5);
  rig.set("flow.view.yMin", -2.0);
  rig.set("flow.view.yMax", 2.0);
  const std::size_t steps = rig.editor.history.undoSteps();
  for (int i = 0; i < 3; ++i)
    rig.frame({KeyPressed{Key::Right, true, {}}});
  rig.frame({KeyPressed{Key::Right, false, {}}});
  CHECK(rig.number("flow.points[0].e") == 0.33);
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  rig.frame({KeyPressed{Key::Down, true, Modifiers{.shift = true}}});
  rig.frame({KeyPressed{Key::Down, false, {}}});
  CHECK(rig.number("flow.points[0].w") == 0);
  CHECK(rig.number("flow.points[0].e") == 0.33);
  CHECK(rig.editor.history.undoSteps() == steps + 2);
}

TEST_CASE("A double click adds a point, a click on nothing deselects, Delete removes, and undo restores",
          "[flow][input]") {
  Rig rig;
  const render::Scene& scene = rig.settle();
  const render::Point at = rig.at(scene, -0.5, 0.5);
  rig.click(at);
  CHECK(rig.number("flow.points.count") == 0);
  rig.click(at);
  CHECK(rig.number("flow.points.count") == 1);
  CHECK(rig.number("flow.points[0].e") == Approx(-0.5).margin(1e-9));
  CHECK(rig.text("flow.points[0].name") == "A");
  CHECK(rig.number("flow.selected") == 0);
  rig.seconds += 2;
  rig.click(rig.at(scene, 1.0, 0.2));
  CHECK(rig.number("flow.selected") == -1);
  rig.click(at);
  CHECK(rig.number("flow.selected") == 0);
  REQUIRE(rig.run("flow.delete-point"));
  rig.frame();
  CHECK(rig.number("flow.points.count") == 0);
  REQUIRE(rig.editor.history.undo());
  rig.frame();
  CHECK(rig.number("flow.points.count") == 1);
  CHECK(rig.text("flow.points[0].basin") == "local-min");
}

TEST_CASE("The wheel zooms about the pointer, a drag on nothing pans, R resets, and none of this is undone",
          "[flow][input]") {
  Rig rig;
  const render::Scene& first = rig.settle();
  const render::Rect home = first.window;
  const std::size_t steps = rig.editor.history.undoSteps();
  const render::Point at = rig.at(first, 0.7, -0.4);
  rig.frame({Rig::move(at)});
  const render::Scene& zoomedScene = rig.frame({Scrolled{0, 3, {}}});
  CHECK(zoomedScene.window.width() == Approx(home.width() / std::pow(1.2, 3)));
  const render::Point still = render::toData(zoomedScene, at);
  CHECK(still.x == Approx(0.7));
  CHECK(still.y == Approx(-0.4));
  rig.drag(at, {at.x + 60, at.y + 30});
  const render::Scene& pannedScene = rig.frame();
  const render::Point moved = render::toData(pannedScene, {at.x + 60, at.y + 30});
  CHECK(moved.x == Approx(0.7));
  CHECK(moved.y == Approx(-0.4));
  CHECK(rig.editor.history.undoSteps() == steps);
  REQUIRE(rig.run("view.reset"));
  CHECK(rig.frame().window == home);
  REQUIRE(rig.run("view.zoom-in"));
  CHECK(rig.frame().window.width() < home.width());
  // A double click outside the axes shows the whole plane again.
  const render::Point beside{20, 630};
  rig.click(beside);
  rig.click(beside);
  CHECK(rig.frame().window == home);
}

TEST_CASE("The dot in the square moves p and q in one undo step, and a flip flashes", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  const render::Scene& scene = rig.settle();
  const render::Layer* square = Rig::layer(scene, "square");
  REQUIRE(square != nullptr);
  const auto& dot = std::get<render::Marker>(square->items.back());
  const std::size_t items = square->items.size(), steps = rig.editor.history.undoSteps();
  const render::Point from{dot.at.x, dot.at.y};
  rig.frame({Rig::move(from)});
  CHECK(rig.cursor == Cursor::Hand);
  rig.drag(from, {from.x - 30, from.y + 60});
  CHECK(rig.number("flow.p") < 0.5);
  CHECK(rig.number("flow.q") < 0.5);
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  CHECK(rig.text("flow.points[0].basin") == "global-min");  // p + q < 1 and w > -1/sqrt 2
  CHECK(rig.exhibit->animating());
  CHECK(Rig::layer(rig.frame(), "square")->items.size() == items + 1);
  for (int i = 0; i < 60; ++i)
    rig.frame();
  CHECK_FALSE(rig.exhibit->animating());
  CHECK(Rig::layer(rig.frame(), "square")->items.size() == items);
  REQUIRE(rig.editor.history.undo());
  CHECK(rig.number("flow.p") == 0.5);
  CHECK(rig.number("flow.q") == 0.8);
}

TEST_CASE("The pointer shows loss and basin", "[flow][input]") {
  Rig rig;
  const render::Scene& scene = rig.settle();
  CHECK(std::isnan(rig.number("flow.hover.e")));
  rig.frame({Rig::move(rig.at(scene, 1.1, -0.6))});
  CHECK(rig.number("flow.hover.e") == Approx(1.1).margin(1e-9));
  CHECK(rig.number("flow.hover.w") == Approx(-0.6).margin(1e-9));
  dynamics::State theta(2);
  theta << 1.1, -0.6;
  CHECK(rig.number("flow.hover.loss") == Approx(markov::loss({0.5, 0.8}, markov::Model::EW, theta)).margin(1e-9));
  CHECK(rig.text("flow.hover.basin") == "global-min");
  CHECK(rig.exhibit->status().find("L=") != std::string::npos);
  rig.frame({PointerLeft{}});
  CHECK(std::isnan(rig.number("flow.hover.e")));
}

TEST_CASE("Commands add a point at the pointer and select points, and an unknown command is refused", "[flow][input]") {
  Rig rig;
  const render::Scene& scene = rig.settle();
  rig.frame({Rig::move(rig.at(scene, 0.25, 0.5))});
  REQUIRE(rig.run("flow.add-point"));
  CHECK(rig.number("flow.points[0].e") == Approx(0.25).margin(1e-9));
  REQUIRE(rig.add(1, 1));
  CHECK(rig.number("flow.selected") == 1);
  REQUIRE(rig.run("flow.select-next"));
  CHECK(rig.number("flow.selected") == 0);
  CHECK_FALSE(rig.run("flow.no-such-command"));
  CHECK(rig.exhibit->commands(rig.editor.document()).size() >= 7);
  CHECK_FALSE(rig.add(std::nan(""), 0));
  CHECK_FALSE(rig.add(1e12, 0));
  CHECK(rig.number("flow.points.count") == 2);
}

TEST_CASE("A value out of range is refused, and the document does not change", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  const std::uint64_t before = rig.editor.document().hash();
  for (const double bad : {0.0, 1.0, -0.1, 1.5, std::nan(""), HUGE_VAL})
    CHECK_FALSE(rig.editor.set("flow.p", bad, {}));
  CHECK_FALSE(rig.editor.set("flow.points[0].e", std::nan(""), {}));
  CHECK_FALSE(rig.editor.set("flow.points[0].e", 1e10, {}));
  CHECK_FALSE(rig.editor.set("flow.points[7].e", 0.1, {}));
  CHECK_FALSE(rig.editor.set("flow.field", std::string("ewab"), {}));
  CHECK_FALSE(rig.editor.set("flow.basin.method", std::string("guess"), {}));
  CHECK(rig.editor.document().hash() == before);
}

TEST_CASE("Three example points end in both kinds of minima and are one undo step", "[flow][input]") {
  Rig rig;
  rig.frame();
  REQUIRE(rig.run("flow.examples"));
  rig.settle();
  CHECK(rig.number("flow.points.count") == 3);
  CHECK(rig.text("flow.points[0].basin") == "local-min");
  CHECK(rig.text("flow.points[1].basin") == "global-min");
  CHECK(rig.text("flow.points[2].basin") == "global-min");
  CHECK(rig.text("flow.points[2].name") == "C");
  CHECK(markov::basinLabel({0.5, 0.8}, -0.9, -0.15) == markov::LimitKind::LocalMin);  // slightly above it
  CHECK(rig.editor.history.undoSteps() == 1);
  CHECK(rig.editor.history.undoLabel() == "add example points");
}

TEST_CASE("Undo steps name their point", "[flow][input]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  CHECK(rig.editor.history.undoLabel() == "add point A");
  const render::Scene& scene = rig.settle();
  rig.drag(rig.at(scene, 0.3, 0.2), rig.at(scene, 0.6, 0.4));
  CHECK(rig.editor.history.undoLabel() == "move point A");
  REQUIRE(rig.run("flow.delete-point"));
  CHECK(rig.editor.history.undoLabel() == "delete point A");
}
