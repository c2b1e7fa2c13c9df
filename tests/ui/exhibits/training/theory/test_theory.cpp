// SPDX-License-Identifier: Apache-2.0
// Theory against practice: a drag in the plane starts a real transformer there, and its projected path is drawn.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/canvas/camera.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("theory: the end of a drag starts a real transformer at that point", "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("theory"));
  rig.settle();
  CHECK(rig.layer("training.theory.plane"));
  const auto place = [&rig](double e, double w) { return render::toPage(*rig.scene, {e, w}); };
  rig.drag(place(0.2, 0.2), place(0.6, -0.9));
  for (int i = 0; i < 30; ++i)
    rig.frame();
  CHECK(rig.text("training.page") == "theory");
  REQUIRE(rig.number("training.runs.count") == 1);
  CHECK(rig.number("training.theory.e") == Approx(0.6).margin(0.02));
  rig.set("training.step", 0.0);
  rig.frame();
  rig.frame();
  CHECK(rig.number("training.runs[0].canonical.e") == Approx(rig.number("training.theory.e")).margin(1e-3));
  CHECK(rig.number("training.runs[0].canonical.w") == Approx(rig.number("training.theory.w")).margin(1e-3));
  CHECK(rig.number("training.runs[0].canonical.residual") < 1e-3);
  CHECK(rig.texts("training.theory.paths").find("(0.60, -0.90)") != std::string::npos);
  REQUIRE(rig.run("training.theory-start"));  // one more beside it
  rig.frame();
  rig.frame();
  CHECK(rig.number("training.runs.count") == 2);
}

TEST_CASE("theory: runs without a projection leave the plane as it is", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  rig.set("training.page", std::string("theory"));
  rig.settle();
  CHECK(rig.layer("training.theory.plane"));
  CHECK(rig.items<render::Polyline>("training.theory.paths").empty());
  CHECK(std::isnan(rig.number("training.runs[0].canonical.e")));
}
