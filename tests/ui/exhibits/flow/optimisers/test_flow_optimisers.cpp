// SPDX-License-Identifier: Apache-2.0
// The page of optimisers: the paths belong to the selected initial point and options, leaving the basin is marked, a
// drag of the initial point is one undo step, and hidden optimisers have no numbers.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/ui/exhibits/flow/page_checks.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

void open(Rig& rig) {
  rig.set("flow.page", std::string("optimisers"));
}

std::size_t count(const render::Layer* layer, render::Shape shape) {
  std::size_t found = 0;
  if (layer)
    for (const render::Item& item : layer->items)
      if (const auto* marker = std::get_if<render::Marker>(&item)) found += marker->shape == shape ? 1 : 0;
  return found;
}

bool says(const render::Scene& scene, const std::string& layer, const std::string& words) {
  const render::Layer* const found = Rig::layer(scene, "flow.optimisers." + layer);
  if (!found) return false;
  std::vector<render::Label> labels;
  for (const render::Item& item : found->items)
    if (const auto* label = std::get_if<render::Label>(&item)) labels.push_back(*label);
  return readLabels(labels).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("optimisers: the page draws every path, the chart and the table", "[optimisers]") {
  Rig rig;
  open(rig);
  REQUIRE(rig.add(0.6, -0.9));
  const render::Scene& scene = rig.settle();
  CHECK(rig.exhibit->complete());
  for (const char* name : {"basins", "grid", "critical", "paths", "names", "points", "axes", "chart", "table"}) {
    INFO(name);
    CHECK(Rig::layer(scene, std::string("flow.optimisers.") + name) != nullptr);
  }
  for (const char* name : {"flow", "GD", "SGD", "momentum", "AdamW"}) {
    CHECK(says(scene, "names", name));
    CHECK(says(scene, "table", name));
  }
  CHECK(rig.text("flow.optimisers.basin") == "global-min");
  CHECK(rig.number("flow.optimisers.flow.farthest") < 1e-4);
  CHECK(rig.number("flow.optimisers.gd.behind") > 1e-4);
  CHECK(std::isnan(rig.number("flow.optimisers.flow.left")));
}

TEST_CASE("optimisers: title, legend and table are complete beside the plane in a window of 1280 by 720",
          "[optimisers]") {
  Rig rig;
  open(rig);
  rig.area = {{0, 0}, {738, 648}};
  REQUIRE(rig.add(0.6, -0.9));
  const render::Scene& scene = rig.settle();
  for (const char* name : {"chart", "table"}) {
    INFO(name << ":\n" << rig.texts(std::string("flow.optimisers.") + name));
    CHECK_FALSE(says(scene, name, "…"));
  }
  CHECK(says(scene, "chart", "Loss above H(x_n+1|x_n), nats"));
  CHECK(says(scene, "table", "momentum 0.1"));
}

TEST_CASE("optimisers: a jump across the separatrix is marked at its step", "[optimisers]") {
  Rig rig;
  open(rig);
  rig.set("flow.optimisers.adamw.rate", 0.2);
  REQUIRE(rig.add(0.3, -0.4));
  const render::Scene& scene = rig.settle();
  const double step = rig.number("flow.optimisers.adamw.left");
  REQUIRE(step >= 1);
  CHECK(rig.text("flow.optimisers.basin") == "local-min");
  CHECK(Rig::layer(scene, "flow.optimisers.separatrix") != nullptr);
  CHECK(count(Rig::layer(scene, "flow.optimisers.paths"), render::Shape::Cross) >= 2);
  CHECK(says(scene, "names", "AdamW: leaves at step " + std::to_string(static_cast<int>(step))));
  // The numbers and the caption contain it too.
  bool found = false;
  for (const Table& table : rig.exhibit->numbers().tables)
    found = found || table.name == "ends";
  CHECK(found);
  CHECK(rig.exhibit->caption().find("leaves the basin") != std::string::npos);
}

TEST_CASE("optimisers: dragging the initial point changes the paths and is one undo step", "[optimisers]") {
  Rig rig;
  open(rig);
  REQUIRE(rig.add(0.6, -0.9));
  const render::Scene* scene = &rig.settle();
  const double before = rig.number("flow.optimisers.gd.loss");
  const std::size_t undo = rig.editor.history.undoSteps();
  rig.drag(rig.at(*scene, 0.6, -0.9), rig.at(*scene, 0.4, 0.5));
  scene = &rig.settle();
  CHECK(rig.editor.history.undoSteps() == undo + 1);
  CHECK(rig.number("flow.points[0].w") == Approx(0.5).margin(0.05));
  CHECK(rig.number("flow.optimisers.gd.loss") != before);
  CHECK(rig.text("flow.optimisers.basin") == "local-min");
}

TEST_CASE("optimisers: new batches are drawn by one command and change only stochastic optimisers", "[optimisers]") {
  Rig rig;
  open(rig);
  REQUIRE(rig.add(0.6, -0.9));
  rig.settle();
  const double sgd = rig.number("flow.optimisers.sgd.farthest"), gd = rig.number("flow.optimisers.gd.farthest");
  REQUIRE(rig.run("flow.optimisers.reseed"));
  rig.settle();
  CHECK(rig.number("flow.optimisers.seed") == 1);
  CHECK(rig.number("flow.optimisers.sgd.farthest") != sgd);
  CHECK(rig.number("flow.optimisers.gd.farthest") == gd);
}

TEST_CASE("optimisers: an optimiser that is switched off does not run", "[optimisers]") {
  Rig rig;
  open(rig);
  REQUIRE(rig.add(0.6, -0.9));
  for (const char* name : {"flow", "sgd", "momentum", "adamw"})
    rig.set(std::string("flow.optimisers.") + name + ".show", false);
  const render::Scene* scene = &rig.settle();
  CHECK(std::isnan(rig.number("flow.optimisers.sgd.loss")));
  CHECK(rig.number("flow.optimisers.gd.loss") > 0);
  CHECK_FALSE(says(*scene, "table", "SGD"));
  rig.set("flow.optimisers.gd.show", false);
  scene = &rig.settle();
  CHECK(Rig::layer(*scene, "flow.optimisers.paths") == nullptr);
  CHECK(Rig::layer(*scene, "flow.optimisers.words") != nullptr);
}

TEST_CASE("optimisers: without a point the page asks for one, and a frame without changes draws nothing again",
          "[optimisers]") {
  Rig rig;
  open(rig);
  const render::Scene* scene = &rig.settle();
  CHECK(Rig::layer(*scene, "flow.optimisers.words") != nullptr);
  REQUIRE(rig.add(0.6, -0.9));
  scene = &rig.settle();
  CHECK(Rig::layer(*scene, "flow.optimisers.words") == nullptr);
  std::vector<std::uint64_t> revisions;
  for (const render::Layer& layer : scene->layers)
    revisions.push_back(layer.revision);
  scene = &rig.frame();
  REQUIRE(scene->layers.size() == revisions.size());
  for (std::size_t i = 0; i < revisions.size(); ++i)
    CHECK(scene->layers[i].revision == revisions[i]);
  CHECK_FALSE(rig.exhibit->animating());
}

TEST_CASE("optimisers: play moves a marker along every path and stops at the end", "[optimisers]") {
  Rig rig;
  open(rig);
  REQUIRE(rig.add(0.6, -0.9));
  rig.settle();
  REQUIRE(rig.run("play.toggle"));
  CHECK(rig.exhibit->animating());
  CHECK(std::get<bool>(rig.read("flow.play.active")));
  const render::Scene* scene = &rig.frame();
  for (int i = 0; i < 30; ++i)
    scene = &rig.frame();
  CHECK(count(Rig::layer(*scene, "flow.optimisers.over"), render::Shape::Circle) >= 5);
  for (int i = 0; i < 600 && rig.exhibit->animating(); ++i)
    rig.frame();
  CHECK_FALSE(rig.exhibit->animating());
  CHECK_FALSE(std::get<bool>(rig.read("flow.play.active")));
}

TEST_CASE("optimisers: the page is drawn in small panes, for distant initial points and at p + q = 1", "[optimisers]") {
  checkExtremes("optimisers", "flow.optimisers.steps");
}
