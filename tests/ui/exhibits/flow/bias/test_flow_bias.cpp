// SPDX-License-Identifier: Apache-2.0
// The page of the free bias: the numbers of erratum 16, the text about the paper's claim, and that the text follows the
// picture.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/ui/exhibits/flow/page_checks.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

void open(Rig& rig) {
  rig.set("flow.page", std::string("bias"));
}

std::string wordsOf(const render::Scene& scene) {
  std::string all;
  if (const render::Layer* const words = Rig::layer(scene, "flow.bias.words"))
    for (const render::Item& item : words->items)
      if (const auto* label = std::get_if<render::Label>(&item)) all += label->text + " ";
  return all;
}

}  // namespace

TEST_CASE("bias: the page shows the numbers of erratum 16", "[bias]") {
  Rig rig;
  open(rig);
  REQUIRE(rig.add(0.6, -0.9));
  rig.set("flow.bias.steps", 4000.0);  // long enough that the path with one bias step has converged too
  const render::Scene& scene = rig.settle();
  CHECK(rig.exhibit->complete());
  for (const char* name : {"basins", "paths", "names", "energy", "offset", "distance", "words"}) {
    INFO(name);
    CHECK(Rig::layer(scene, std::string("flow.bias.") + name) != nullptr);
  }
  CHECK(rig.number("flow.bias.free.energy") == Approx(-1.024 + 0.555).margin(1e-3));
  CHECK(rig.number("flow.bias.free.distance") == Approx(std::hypot(0.718 - 0.848, 1.358 - 1.210)).margin(2e-3));
  CHECK(std::abs(rig.number("flow.bias.exact.energy")) < 0.02);
  CHECK(rig.number("flow.bias.exact.offset") == 0);
  CHECK(rig.number("flow.bias.m1.farthest") > rig.number("flow.bias.m2.farthest"));
  CHECK(rig.number("flow.bias.m2.farthest") > rig.number("flow.bias.m5.farthest"));
  CHECK(rig.text("flow.bias.theory.end") == "global-min");
  const std::string words = wordsOf(scene);
  CHECK(words.find("not conserved") != std::string::npos);
  CHECK(words.find("usually sufficient” (m = 2)") != std::string::npos);
  CHECK(rig.number("flow.bias.m1.distance") == Approx(0.195).margin(1e-3));
  CHECK(rig.number("flow.bias.m2.distance") == Approx(0.112).margin(1e-3));
  CHECK(rig.exhibit->caption().find("not conserved") != std::string::npos);
}

TEST_CASE("bias: the page reports where the paper's claim fails", "[bias]") {
  // Inside the theoretical basin of local minima, but not in that of the free flow.
  Rig rig;
  open(rig);
  rig.set("flow.p", 0.2);
  rig.set("flow.q", 0.3);
  REQUIRE(rig.add(0.73, -1.3));
  rig.set("flow.bias.steps", 4000.0);
  const render::Scene& scene = rig.settle();
  CHECK(rig.text("flow.bias.theory.end") == "local-min");
  CHECK(rig.text("flow.bias.exact.end") == "local-min");
  CHECK(rig.text("flow.bias.m1.end") == "global-min");
  CHECK(rig.text("flow.bias.m2.end") == "global-min");
  CHECK(rig.text("flow.bias.free.end") == "global-min");
  CHECK(wordsOf(scene).find("fails here") != std::string::npos);
}

TEST_CASE("bias: one additional bias step (m = 2) reaches the theoretical limit where a single step does not",
          "[bias]") {
  Rig rig;
  open(rig);
  rig.set("flow.p", 0.2);
  rig.set("flow.q", 0.3);
  REQUIRE(rig.add(0.686, -1.3));
  rig.set("flow.bias.steps", 4000.0);
  const render::Scene& scene = rig.settle();
  CHECK(rig.text("flow.bias.theory.end") == "local-min");
  CHECK(rig.text("flow.bias.m1.end") == "global-min");
  CHECK(rig.text("flow.bias.m2.end") == "local-min");
  CHECK(wordsOf(scene).find("fails here") == std::string::npos);
}

TEST_CASE("bias: many initial points are counted for the free and for the exact bias", "[bias]") {
  Rig rig;
  open(rig);
  rig.set("flow.p", 0.2);
  rig.set("flow.q", 0.3);
  REQUIRE(rig.add(0.6, -0.9));
  rig.set("flow.bias.survey", true);
  rig.set("flow.gauss.sigma", 1.0);
  rig.set("flow.bias.starts", 600.0);
  rig.set("flow.bias.steps", 4000.0);
  rig.settle();
  CHECK(rig.number("flow.bias.many.other") > rig.number("flow.bias.many.other-exact"));
  CHECK(rig.number("flow.bias.many.distance") > 0.02);
  CHECK(rig.exhibit->caption().find("600 initial points") != std::string::npos);
}

TEST_CASE("bias: the page supports attention and a custom number of steps, and asks for an initial point", "[bias]") {
  Rig rig;
  open(rig);
  const render::Scene* scene = &rig.settle();
  CHECK(wordsOf(*scene).find("needs an initial point") != std::string::npos);
  REQUIRE(rig.add(0.6, -0.9));
  rig.set("flow.points[0].a", 0.2);
  rig.set("flow.bias.model", std::string("ewab"));
  rig.set("flow.bias.show.own", true);
  rig.set("flow.bias.m", 50.0);
  rig.settle();
  CHECK(rig.number("flow.bias.own.farthest") < rig.number("flow.bias.m5.farthest"));
  CHECK(std::abs(rig.number("flow.bias.free.energy")) > 0.05);
  REQUIRE(rig.run("play.toggle"));
  CHECK(rig.exhibit->animating());
  for (int i = 0; i < 5; ++i)
    scene = &rig.frame();
  CHECK(Rig::layer(*scene, "flow.bias.over") != nullptr);
}

TEST_CASE("bias: the page is drawn in small panes, for distant initial points and at p + q = 1", "[bias]") {
  checkExtremes("bias", "flow.bias.steps");
}
