// SPDX-License-Identifier: Apache-2.0
// Theory against practice: a drag in the plane starts a real transformer there, and its projected path is drawn.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/canvas/camera.h"
#include "ui/exhibits/training/theory/theory_verdict.h"

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
  CHECK(rig.texts("training.theory.paths").find("(0.60, −0.90)") != std::string::npos);
  CHECK(rig.folderOf(0).ends_with("/0.60-minus-0.90"));
  REQUIRE(rig.run("training.theory-start"));  // a second run beside it
  rig.frame();
  rig.frame();
  CHECK(rig.number("training.runs.count") == 2);
}

TEST_CASE("theory: runs without a projection do not change the plane", "[training]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  rig.set("training.page", std::string("theory"));
  rig.settle();
  CHECK(rig.layer("training.theory.plane"));
  CHECK(rig.items<render::Polyline>("training.theory.paths").empty());
  CHECK(std::isnan(rig.number("training.runs[0].canonical.e")));
}

TEST_CASE("theory: the nearest stationary curve of a point and its distance are found", "[training]") {
  const markov::Chain chain{0.5, 0.8};  // p + q > 1: local minima on e = 0 above the saddle, local maxima below
  CHECK(nearestCurve(chain, 0.1, 1).kind == dynamics::LimitKind::LocalMin);
  CHECK(nearestCurve(chain, 0.1, 1).distance == Approx(0.1).margin(1e-6));
  CHECK(nearestCurve(chain, -0.02, -1.5).kind == dynamics::LimitKind::LocalMax);
  const markov::CriticalSets sets = markov::criticalSets(chain, -4, 4, -4, 4);
  for (const markov::Curve& curve : sets.curves) {
    if (curve.kind != dynamics::LimitKind::GlobalMin) continue;
    const markov::PlanePoint& on = curve.points[curve.points.size() / 2];
    CHECK(nearestCurve(chain, on.e, on.w).kind == dynamics::LimitKind::GlobalMin);
    CHECK(nearestCurve(chain, on.e, on.w).distance < 1e-6);
  }
}

TEST_CASE("theory: the verdict on a finished run is shown on the page and in the inspector", "[training]") {
  TrainingRig rig;
  rig.area = {{0, 0}, {1600, 800}};  // room for a title beside the tabs
  rig.set("training.page", std::string("theory"));
  rig.settle();
  // Without a path there are no title and no transport bar of a race.
  CHECK(rig.texts("strip").find("Theory against practice") != std::string::npos);
  CHECK(rig.layer("training.transport") == nullptr);
  rig.set("training.theory.e", 0.6);
  rig.set("training.theory.w", -0.9);
  REQUIRE(rig.run("training.theory-start"));
  for (int i = 0; i < 60; ++i)
    rig.frame();
  REQUIRE(rig.number("training.runs.count") == 1);
  CHECK(rig.texts("strip").find("Theory against practice") == std::string::npos);
  CHECK(rig.layer("training.transport") != nullptr);
  const std::string words = rig.text("training.runs[0].canonical.verdict");
  INFO(words);
  CHECK(words.find("from the curve of global minima") != std::string::npos);
  CHECK(words.find("loss ") != std::string::npos);
  CHECK(words.find("the entropy rate H(x′|x)") != std::string::npos);
  CHECK(words.find("Gradient flow from the same point ends in a global minimum.") != std::string::npos);
  CHECK(rig.texts("training.theory.verdict").find("(0.60, \u22120.90)") != std::string::npos);
}

TEST_CASE("theory: the verdicts on four runs are below the plane, in a shorter form if necessary, but never cut",
          "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("theory"));
  const std::vector<std::pair<double, double>> starts{{0.6, -0.9}, {0.2, 0.4}, {-0.5, 0.8}, {1.1, -0.3}};
  for (const auto& [e, w] : starts) {
    rig.set("training.theory.e", e);
    rig.set("training.theory.w", w);
    REQUIRE(rig.run("training.theory-start"));
    for (int i = 0; i < 20; ++i)
      rig.frame();
  }
  rig.settle();
  REQUIRE(rig.number("training.runs.count") == 4);
  bool whole = false, shortened = false;
  for (const render::Point size : {render::Point{980, 640}, {980, 480}, {1900, 1000}, {640, 560}}) {
    rig.area = {{0, 0}, size};
    rig.settle();
    const std::string words = rig.texts("training.theory.verdict");
    CAPTURE(size.x, size.y, words);
    for (const char* const name : {"(0.60, −0.90)", "(0.20, 0.40)", "(−0.50, 0.80)", "(1.10, −0.30)"})
      CHECK(words.find(name) != std::string::npos);
    CHECK(words.find("…") == std::string::npos);
    CHECK(words.ends_with(".\n"));
    const bool flow = words.find("Gradient flow") != std::string::npos;
    whole |= flow;
    shortened |= !flow;
  }
  CHECK(whole);
  CHECK(shortened);
  rig.area = {{0, 0}, {460, 280}};
  rig.settle();
  CHECK(rig.texts("training.theory.verdict").find("The panel shows") != std::string::npos);
}
