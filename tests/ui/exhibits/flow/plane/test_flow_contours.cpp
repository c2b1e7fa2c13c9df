// SPDX-License-Identifier: Apache-2.0
// Optional layers of the plane: they are shown when switched on, absent when switched off, and correct.
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/markov/common_region.h"
#include "engine/markov/convergence_time.h"
#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_limits.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const double kSaddleW = -std::sqrt(0.5);

std::string texts(const render::Layer& layer) {
  std::string all;
  for (const render::Item& item : layer.items)
    if (const auto* label = std::get_if<render::Label>(&item)) all += label->text + "\n";
  return all;
}

const Table* table(const Numbers& numbers, const std::string& name) {
  for (const Table& one : numbers.tables)
    if (one.name == name) return &one;
  return nullptr;
}

const std::vector<double>& column(const Table& table, const std::string& name) {
  for (const Column& one : table.columns)
    if (one.name == name) return std::get<std::vector<double>>(one.values);
  throw std::runtime_error("no column " + name);
}

bool hasGrid(const Numbers& numbers, const std::string& name) {
  for (const Grid& grid : numbers.grids)
    if (grid.name == name) return true;
  return false;
}

}  // namespace

TEST_CASE("Each layer is shown when it is switched on and absent when it is switched off", "[flow][contours]") {
  Rig rig;
  REQUIRE(rig.add(0.4, -0.3));
  const std::pair<const char*, std::vector<const char*>> layers[] = {
      {"flow.show.contours", {"contours", "contour of the selected point"}},
      {"flow.show.profile", {"energy profile"}},
      {"flow.show.nullclines", {"nullclines"}},
      {"flow.show.names", {"names of the sets"}},
      {"flow.show.common", {"common region", "common border"}},
      {"flow.guideline", {"guideline moves", "guideline"}}};
  for (const auto& [key, names] : layers) {
    INFO(key);
    for (const char* name : names)
      CHECK(Rig::layer(rig.settle(), name) == nullptr);
    rig.set(key, true);
    const render::Scene& scene = rig.settle();
    for (const char* name : names) {
      INFO(name);
      const render::Layer* layer = Rig::layer(scene, name);
      REQUIRE(layer != nullptr);
      CHECK_FALSE(layer->items.empty());
      const std::uint64_t revision = layer->revision;
      CHECK(Rig::layer(rig.frame(), name)->revision == revision);  // a layer is not redrawn without a change
    }
    rig.set(key, false);
    for (const char* name : names)
      CHECK(Rig::layer(rig.settle(), name) == nullptr);
  }
}

TEST_CASE("Another field has its own nullclines and none of the layers of the paper", "[flow][contours]") {
  Rig rig;
  for (const char* key : {"flow.show.contours", "flow.show.profile", "flow.show.nullclines", "flow.show.names",
                          "flow.show.common", "flow.guideline"})
    rig.set(key, true);
  rig.set("flow.show.basin", false);
  rig.set("flow.field", std::string("duffing"));
  const render::Scene& scene = rig.settle();
  CHECK(Rig::layer(scene, "nullclines") != nullptr);
  CHECK(texts(*Rig::layer(scene, "nullclines")).find("x′ = 0") != std::string::npos);
  for (const char* name : {"contours", "energy profile", "names of the sets", "common region", "guideline"})
    CHECK(Rig::layer(scene, name) == nullptr);
  CHECK(rig.exhibit->complete());
}

TEST_CASE("Exported contours have the energies of their points, and one of them belongs to the selected point",
          "[flow][contours]") {
  Rig rig;
  REQUIRE(rig.add(0.7, 0.35));
  rig.set("flow.show.contours", true);
  rig.settle();
  const double E = *markov::energy(markov::Model::EW, Eigen::Vector2d(0.7, 0.35));
  CHECK(rig.number("flow.energy.level") == Approx(E).epsilon(1e-14));
  CHECK(rig.number("flow.energy.above") == Approx(E - markov::saddleEnergy()));
  const Numbers numbers = rig.exhibit->numbers();
  const Table* contours = table(numbers, "contours");
  REQUIRE(contours != nullptr);
  const auto &energy = column(*contours, "energy"), &e = column(*contours, "e"), &w = column(*contours, "w");
  double worst = 0;
  bool own = false, saddle = false;
  for (std::size_t i = 0; i < e.size(); ++i) {
    own = own || energy[i] == E;
    saddle = saddle || energy[i] == markov::saddleEnergy();
    if (std::abs(w[i]) < 1e-200) continue;
    worst = std::max(worst, std::abs(*markov::energy(markov::Model::EW, Eigen::Vector2d(e[i], w[i])) - energy[i]));
  }
  CHECK(own);
  CHECK(saddle);
  CHECK(worst < 1e-8);
}

TEST_CASE("The energy profile crosses e = 0 as often as Lemma 12 states, and its box does not cover points",
          "[flow][contours]") {
  Rig rig;
  rig.set("flow.show.profile", true);
  REQUIRE(rig.add(0.2, -0.4));  // below the energy of the saddle
  const render::Scene& scene = rig.settle();
  CHECK(rig.number("flow.energy.crossings") == 3);
  rig.set("flow.points[0].e", 1.4);
  rig.settle();
  CHECK(rig.number("flow.energy.crossings") == 1);
  rig.set("flow.points[0].w", 0.0);
  rig.settle();
  CHECK(std::isnan(rig.number("flow.energy.crossings")));
  rig.set("flow.points[0].w", -0.4);

  // If a point is in the corner of the box, the box moves elsewhere.
  const auto boxOf = [&] {
    const render::Layer* layer = Rig::layer(rig.settle(), "energy profile");
    REQUIRE(layer != nullptr);
    return std::get<render::Fill>(layer->items.front()).points.front();
  };
  const render::Point before = boxOf();
  const render::Point corner = render::toData(scene, {scene.plot.max.x - 60, scene.plot.max.y - 60});
  REQUIRE(rig.add(corner.x, corner.y));
  const render::Point after = boxOf();
  CHECK(std::hypot(after.x - before.x, after.y - before.y) > 50);
  CHECK(table(rig.exhibit->numbers(), "profile") != nullptr);
}

TEST_CASE("Names of contours are drawn over the contour of the selected point", "[flow][contours]") {
  Rig rig;
  rig.set("flow.show.contours", true);
  REQUIRE(rig.add(0.6, -0.9));
  const render::Scene& scene = rig.settle();
  const render::Layer* const names = Rig::layer(scene, "contour names");
  const render::Layer* const contour = Rig::layer(scene, "contour of the selected point");
  REQUIRE(names);
  REQUIRE(contour);
  CHECK(names > contour);
}

TEST_CASE("The pointer shows energy, time and gradient at its place", "[flow][contours]") {
  Rig rig;
  rig.set("flow.show.contours", true);
  const render::Scene& scene = rig.settle();
  const render::Point at = rig.at(scene, 0.9, -0.5);
  const render::Scene& hovered = rig.frame({Rig::move(at)});
  REQUIRE(Rig::layer(hovered, "contour under the pointer") != nullptr);
  const double e = rig.number("flow.hover.e"), w = rig.number("flow.hover.w");
  const Eigen::Vector2d theta(e, w);
  CHECK(rig.number("flow.hover.energy") == Approx(*markov::energy(markov::Model::EW, theta)));
  const markov::Chain chain{0.5, 0.8};
  CHECK(rig.number("flow.hover.time") ==
        Approx(*markov::convergenceTime(chain, markov::Model::EW, theta)).epsilon(1e-3));
  CHECK(rig.number("flow.hover.gradient") == Approx(markov::gradient(chain, markov::Model::EW, theta).norm()));
  rig.figure = true;
  CHECK(Rig::layer(rig.frame(), "contour under the pointer") == nullptr);
}

TEST_CASE("For the region that is good for every chain, theory and integration agree on both sides of p + q = 1",
          "[flow][contours]") {
  Rig rig;
  rig.set("flow.show.common", true);
  rig.set("flow.basin.method", std::string("both"));
  rig.settle();
  CHECK(rig.number("flow.common.disagreements") <= 2);
  const double share = rig.number("flow.common.share");
  CHECK(share > 0.1);
  CHECK(share < 0.5);
  const Numbers numbers = rig.exhibit->numbers();
  CHECK(hasGrid(numbers, "common"));
  CHECK(hasGrid(numbers, "common_integrated"));
  CHECK(texts(*Rig::layer(rig.frame(), "legend")).find("disagree") != std::string::npos);
  // The region is the same for every chain.
  rig.set("flow.p", 0.2);
  rig.set("flow.q", 0.3);
  rig.settle();
  CHECK(rig.number("flow.common.share") == share);
  CHECK(rig.number("flow.common.disagreements") <= 2);
  rig.set("flow.q", 0.8);  // p + q = 1
  rig.settle();
  CHECK(rig.number("flow.common.share") == share);
  CHECK(rig.number("flow.common.disagreements") <= 2);
}

TEST_CASE("After the guideline no point ends in a local minimum", "[flow][contours]") {
  Rig rig;
  rig.set("flow.guideline", true);
  CHECK(std::get<bool>(rig.value("flow.show.cloud")));  // the guideline also shows the cloud
  rig.settle();
  CHECK(rig.number("flow.guideline.before") == rig.number("flow.gauss.measured"));
  CHECK(rig.number("flow.guideline.before") > 0.9);
  CHECK(rig.number("flow.guideline.after") == 0);
  CHECK(rig.number("flow.guideline.common") < 0.1);
  const Numbers numbers = rig.exhibit->numbers();
  const Table* moved = table(numbers, "guideline");
  REQUIRE(moved != nullptr);
  const auto &e = column(*moved, "e_after"), &w = column(*moved, "w_after");
  REQUIRE(e.size() == 1000);
  for (const markov::Chain& chain : {markov::Chain{0.5, 0.8}, markov::Chain{0.2, 0.3}})
    for (std::size_t i = 0; i < e.size(); ++i)
      REQUIRE(markov::basinLabel(chain, e[i], w[i]) == markov::LimitKind::GlobalMin);
  REQUIRE(rig.add(0.3, 0.2));
  REQUIRE(rig.run("flow.follow-guideline"));
  rig.settle();
  CHECK(rig.number("flow.points[0].e") == 0.5);
  CHECK(rig.number("flow.points[0].w") == -1);
  CHECK(rig.text("flow.points[0].basin") == "global-min");
}

TEST_CASE("The plane is coloured by the selected quantity, and each quantity has its own scale and lock",
          "[flow][contours]") {
  Rig rig;
  rig.area = {{0, 0}, {400, 300}};
  rig.set("flow.show.loss", false);
  rig.set("flow.color", std::string("time"));
  CHECK(std::get<bool>(rig.value("flow.show.loss")));
  const auto heat = [&]() -> const render::Heatmap& {
    const render::Layer* layer = Rig::layer(rig.settle(), "loss");
    REQUIRE(layer != nullptr);
    return std::get<render::Heatmap>(layer->items.front());
  };
  const std::vector<float> times = *heat().values;
  const double low = rig.number("flow.scale.low"), high = rig.number("flow.scale.high");
  CHECK(low > 0);
  CHECK(high > 5 * low);
  CHECK(texts(*Rig::layer(rig.frame(), "axes")).find("time") != std::string::npos);
  CHECK(hasGrid(rig.exhibit->numbers(), "time"));
  CHECK_FALSE(rig.exhibit->ownLimits().has_value());

  rig.set("flow.limits.time.mode", std::string("locked"));
  CHECK(rig.number("flow.limits.time.low") == low);
  rig.set("flow.limits.time.high", 2 * high);
  rig.settle();
  CHECK(rig.number("flow.scale.high") == 2 * high);
  CHECK_FALSE(rig.editor.set("flow.limits.time.low", 0.0, {}));
  CHECK_FALSE(rig.editor.set("flow.limits.time.low", 3 * high, {}));

  rig.set("flow.color", std::string("gradient"));
  const std::vector<float> gradients = *heat().values;
  CHECK(gradients != times);
  CHECK(rig.number("flow.scale.high") != 2 * high);  // the lock of the other quantity does not apply
  CHECK(texts(*Rig::layer(rig.frame(), "axes")).find("∇L") != std::string::npos);

  rig.set("flow.color", std::string("basin"));
  CHECK(Rig::layer(rig.settle(), "loss") == nullptr);
  CHECK(Rig::layer(rig.frame(), "basin") != nullptr);
  CHECK(std::isnan(rig.number("flow.scale.high")));

  rig.set("flow.color", std::string("time"));
  rig.settle();
  CHECK(rig.number("flow.scale.high") == 2 * high);
  rig.set("flow.color", std::string("loss"));
  heat();
  CHECK(rig.number("flow.scale.low") == Approx(markov::Chain{0.5, 0.8}.entropyRate()));
  // The ends of the colour bar can also be dragged on a logarithmic scale.
  const ColorScale scale({0.01, 100}, true);
  CHECK(scale.place(1) == Approx(0.5));
  CHECK(scale.valueAt(0.75) == Approx(10));
}

TEST_CASE("The times in the picture are the convergence times of the flow", "[flow][contours]") {
  Rig rig;
  rig.area = {{0, 0}, {400, 300}};
  rig.set("flow.color", std::string("time"));
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  const Grid* times = nullptr;
  std::vector<double> es, ws;
  for (const Grid& grid : numbers.grids) {
    if (grid.name == "time") times = &grid;
    if (grid.name == "time_e") es = std::get<std::vector<double>>(grid.values);
    if (grid.name == "time_w") ws = std::get<std::vector<double>>(grid.values);
  }
  REQUIRE(times != nullptr);
  const auto& values = std::get<std::vector<double>>(times->values);
  REQUIRE(values.size() == es.size() * ws.size());
  for (std::size_t i = 0; i < values.size(); i += values.size() / 23) {
    const double e = es[i % es.size()], w = ws[i / es.size()];
    const auto exact = markov::convergenceTime({0.5, 0.8}, markov::Model::EW, Eigen::Vector2d(e, w));
    REQUIRE(exact.has_value());
    INFO(e << " " << w);
    CHECK(values[i] == Approx(*exact).epsilon(1e-3));
  }
}

TEST_CASE("Names are placed inside their regions", "[flow][contours]") {
  Rig rig;
  rig.set("flow.show.names", true);
  rig.set("flow.show.common", true);
  for (const double p : {0.5, 0.1}) {
    rig.set("flow.p", p);
    const render::Scene& scene = rig.settle();
    const std::string words = texts(*Rig::layer(scene, "names of the sets"));
    for (const char* name : {"∗", "min", "sad", "max"})
      CHECK(words.find(name) != std::string::npos);
    CHECK(texts(*Rig::layer(scene, "common name")).find("common") != std::string::npos);
    // the anchor of "common" lies in the region
    const render::Layer* border = Rig::layer(scene, "common name");
    for (const render::Item& item : border->items)
      if (const auto* label = std::get_if<render::Label>(&item)) {
        const render::Point at = render::toData(scene, label->at);
        CHECK(markov::inCommon(at.x, at.y));
      }
  }
}

TEST_CASE("Small panes, distant windows and extreme points give valid layers", "[flow][contours]") {
  Rig rig;
  for (const char* key : {"flow.show.contours", "flow.show.profile", "flow.show.nullclines", "flow.show.names",
                          "flow.show.common", "flow.guideline"})
    rig.set(key, true);
  rig.set("flow.color", std::string("time"));
  REQUIRE(rig.add(0, 0));
  REQUIRE(rig.add(1e9, -1e9));
  REQUIRE(rig.add(0, kSaddleW));
  const auto finite = [](const render::Scene& scene) {
    for (const render::Layer& layer : scene.layers)
      for (const render::Item& item : layer.items)
        if (const auto* line = std::get_if<render::Polyline>(&item))
          for (const render::Point p : line->points)
            if (!std::isfinite(p.x) || !std::isfinite(p.y)) return layer.name;
    return std::string();
  };
  for (const render::Rect& area : {render::Rect{{0, 0}, {980, 640}}, {{0, 0}, {480, 360}}, {{0, 0}, {120, 80}}}) {
    rig.area = area;
    CHECK(finite(rig.settle()).empty());
    for (const char* selected : {"0", "1", "2"}) {
      rig.set("flow.selected", std::stod(selected));
      CHECK(finite(rig.settle()).empty());
    }
  }
  for (const auto& [low, high] : {std::pair{-1e-6, 1e-6}, {1e6, 1e7}, {-3e8, -2e8}}) {
    rig.set("flow.view.xMin", low);
    rig.set("flow.view.xMax", high);
    rig.set("flow.view.yMin", low);
    rig.set("flow.view.yMax", high);
    INFO(low);
    CHECK(finite(rig.settle()).empty());
  }
}
