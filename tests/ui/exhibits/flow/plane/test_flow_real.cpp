// SPDX-License-Identifier: Apache-2.0
// A real transformer beside the flow: it starts where a moved point is released, its path and distances are those of
// the run, and the next drag stops it.
#include <cmath>
#include <memory>

#include <catch2/catch.hpp>

#include "engine/markov/flow.h"
#include "tests/temporary_folder.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/page/words_apart.h"
#include "ui/runs/runs.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class RealRig : private tests::TemporaryFolder, public Rig {
 public:
  RealRig() {
    RunsOptions options;
    options.folder = (path / "runs").string();
    options.threads = 1;
    runs = std::make_unique<Runs>(std::move(options));
    runs->setPaced(true);
    set("flow.show.real", true);
    set("flow.real.steps", 60.0);
    set("flow.real.d", 4.0);
  }
  const render::Scene& frame(std::vector<InputEvent> events = {}) override {
    runs->update();
    seconds += 1.0 / 60;
    return Rig::frame(std::move(events));
  }
  ExhibitContext context() override {
    ExhibitContext made = Rig::context();
    made.runs = runs.get();
    return made;
  }
  void wait(int frames) {
    for (int i = 0; i < frames; ++i)
      frame();
  }
  std::string folder() const {
    const Json& value = editor.document().at("flow.real.folder");
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  /// Drags the point between two places of the plane.
  void dragPoint(render::Point from, render::Point to) { drag(at(*scene, from.x, from.y), at(*scene, to.x, to.y)); }

  std::unique_ptr<Runs> runs;
};

}  // namespace

TEST_CASE("flow: releasing a dragged point starts a real transformer there", "[flow][real]") {
  RealRig rig;
  rig.set("flow.p", 0.3);
  rig.set("flow.q", 0.9);
  REQUIRE(rig.add(0.2, 0.2));
  rig.settle();
  CHECK(rig.folder().empty());  // adding a point starts no run
  rig.dragPoint({0.2, 0.2}, {0.6, -0.9});
  rig.wait(4);
  CHECK(rig.folder().empty());  // the run starts only after a short delay
  rig.wait(40);
  REQUIRE_FALSE(rig.folder().empty());
  const RunPointer run = rig.runs->open(rig.folder());
  REQUIRE(run->config());
  CHECK(run->config()->data.p == 0.3);
  CHECK(run->config()->data.q == 0.9);
  CHECK(run->config()->model.d_model == 4);
  CHECK(run->config()->optimisation.rule.rule == nn::Rule::Sgd);
  CHECK(run->config()->initial.e == Approx(rig.number("flow.points[0].e")));
  rig.wait(40);
  CHECK(rig.text("flow.real.state") == "finished");
  CHECK(rig.number("flow.real.step") == 60);
  CHECK(rig.number("flow.real.start.w") == Approx(-0.9).margin(0.02));
  CHECK(rig.number("flow.real.time") == Approx(60 * 0.01));

  // The read-outs equal the metrics of the run, and the distances are those between the two paths.
  const double e = run->seriesOf("canonical_e").front()->values.back(),
               w = run->seriesOf("canonical_w").front()->values.back();
  CHECK(rig.number("flow.real.e") == e);
  CHECK(rig.number("flow.real.w") == w);
  const Eigen::Vector2d start(run->config()->initial.e, run->config()->initial.w);
  const auto flow = markov::flowFrom({0.3, 0.9}, markov::Model::EW, start, {.points = 20000});
  REQUIRE(flow);
  double nearest = 1e9;
  for (const markov::State& theta : flow->path.theta)
    nearest = std::min(nearest, std::hypot(theta[0] - e, theta[1] - w));
  CHECK(rig.number("flow.real.distance") == Approx(nearest).margin(2e-4));
  const auto then = markov::flowAt({0.3, 0.9}, markov::Model::EW, start, {0.6});
  REQUIRE(then);
  CHECK(rig.number("flow.real.time_distance") ==
        Approx(std::hypot(then->theta.back()[0] - e, then->theta.back()[1] - w)).margin(2e-4));
  CHECK(rig.number("flow.real.distance") <= rig.number("flow.real.time_distance"));
  CHECK(rig.layer("real path"));
  CHECK(rig.texts("real path").find("from theory") != std::string::npos);
  // In every theme and window its name does not overlap that of the point.
  for (const std::string& theme : themeKeys()) {
    rig.theme = theme;
    for (const auto& [size, scale] : kPageWindows) {
      rig.area = {{0, 0}, size};
      rig.scale = scale;
      const std::vector<Word> names = namesOf(rig.frame(), {"real path", "handles"});
      for (std::size_t i = 1; i < names.size(); ++i) {
        const render::Rect &one = names[0].box, &other = names[i].box;
        INFO(theme << ", " << size.x << " x " << size.y << ": " << names[0].text << " | " << names[i].text);
        CHECK_FALSE((one.min.x + 1 < other.max.x && other.min.x + 1 < one.max.x && one.min.y + 1 < other.max.y &&
                     other.min.y + 1 < one.max.y));
      }
    }
  }
}

TEST_CASE("flow: at its start, w of the network moves an eighth as fast as w of the flow", "[flow][real]") {
  RealRig rig;
  rig.set("flow.real.rate", 1e-3);
  rig.set("flow.real.steps", 40.0);
  REQUIRE(rig.add(0.6, -0.9));
  rig.settle();
  REQUIRE(rig.run("flow.real-start"));
  rig.wait(40);
  REQUIRE(rig.number("flow.real.step") == 40);
  const double moved = rig.number("flow.real.w") + 0.9;
  const auto then = markov::flowAt({0.5, 0.8}, markov::Model::EW, Eigen::Vector2d(0.6, -0.9), {0.04});
  REQUIRE(then);
  // The data are a sample of 40 x 16 sequences, so the agreement is not exact.
  CHECK(moved / (then->theta.back()[1] + 0.9) == Approx(0.125).epsilon(0.2));
}

TEST_CASE("flow: a new drag stops the previous run and keeps it, and undo leaves the run unchanged", "[flow][real]") {
  RealRig rig;
  rig.set("flow.real.steps", 100000.0);
  REQUIRE(rig.add(0.2, 0.2));
  rig.settle();
  rig.dragPoint({0.2, 0.2}, {0.6, -0.9});
  rig.wait(40);
  const std::string first = rig.folder();
  REQUIRE_FALSE(first.empty());
  CHECK(rig.text("flow.real.state") == "running");
  rig.dragPoint({rig.number("flow.points[0].e"), rig.number("flow.points[0].w")}, {1, 1});
  rig.wait(60);
  REQUIRE(rig.folder() != first);
  const RunPointer before = rig.runs->open(first);
  CHECK(before->state() == train::RunState::Stopped);
  CHECK(before->step() > 0);
  CHECK(rig.number("flow.real.start.e") == Approx(1).margin(0.03));
  const std::string second = rig.folder();
  rig.editor.history.setCarriedPaths({"flow.view", "flow.selected", "flow.real.folder"});
  rig.editor.history.undo();
  rig.wait(60);
  CHECK(rig.folder() == second);  // undoing a drag neither starts nor stops a run
  REQUIRE(rig.run("flow.real-stop"));
  rig.wait(10);
  CHECK(rig.text("flow.real.state") == "stopped");
}

TEST_CASE("flow: Escape, a click, or a disabled switch starts no transformer", "[flow][real]") {
  RealRig rig;
  REQUIRE(rig.add(0.2, 0.2));
  rig.settle();
  const render::Point from = rig.at(*rig.scene, 0.2, 0.2), to = rig.at(*rig.scene, 0.6, -0.9);
  rig.frame({Rig::move(from)});
  rig.frame({Rig::press(from, true)});
  rig.frame({Rig::move(to)});
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  rig.frame({Rig::press(to, false)});
  rig.wait(60);
  CHECK(rig.folder().empty());
  rig.click(from);
  rig.wait(60);
  CHECK(rig.folder().empty());
  rig.set("flow.show.real", false);
  rig.drag(from, to);
  rig.wait(60);
  CHECK(rig.folder().empty());
}
