// SPDX-License-Identifier: Apache-2.0
// Runs of a window: scripts wait for them, and frames receive their results.
#include <atomic>
#include <filesystem>

#include "engine/train/run_store.h"
#include "tests/engine/train/small_runs.h"
#include "tests/patience.h"
#include "tests/ui/workbench/bench.h"
#include "ui/page/exhibit_context.h"
#include "ui/runs/runs.h"

using namespace sepx;
using namespace sepx::test;

namespace {

ui::RunPointer startedIn(Bench& bench, std::int64_t steps, bool paused = false) {
  train::RunConfig config = smallMarkov();
  config.schedule.steps = steps;
  const auto run = bench.workbench().runs().start(config, paused);
  INFO((run ? "" : run.error().message));
  REQUIRE(run);
  return *run;
}

}  // namespace

TEST_CASE("A script waits for training steps and for the end of runs") {
  Bench bench;
  CHECK(errorOf(bench.run("wait steps 5")).find("there is no run") != std::string::npos);
  CHECK(errorOf(bench.run("wait run ended")).find("there is no run") != std::string::npos);
  const ui::RunPointer run = startedIn(bench, 400);
  bench.play("wait steps 100");
  // A frame has eight training steps; the first two frames of a script precede its first line.
  CHECK(run->step() >= 100);
  CHECK(run->step() <= 136);
  CHECK(run->step() % 8 == 0);
  const std::int64_t at = run->step();
  bench.play("wait settled");  // this does not wait for the run
  CHECK(run->step() < at + 200);
  CHECK(run->trains());
  bench.play("wait run ended");
  CHECK(run->state() == train::RunState::Finished);
  CHECK(run->step() == 400);
  CHECK(errorOf(bench.run("wait steps 5")).find("no run is training") != std::string::npos);
  bench.play("wait run ended");
  bench.settle();
}

TEST_CASE("A drag on the plane of Flow starts a real transformer there while other runs train") {
  Bench bench;
  const ui::RunPointer other = startedIn(bench, 100000);
  bench.play(
      "exhibit flow\nset flow.show.real true\nset flow.real.steps 200\nadd point 0.2,0.2\n"
      "drag 0.2,0.2 -> 0.6,-0.9 in 0.2\nwait flow.real.step >= 200 within 60\n"
      "expect flow.real.start.e == 0.6 +- 0.05\nexpect flow.real.start.w == -0.9 +- 0.05\n"
      "expect flow.real.distance > 0");
  CHECK(other->trains());  // a run of another kind continues
  CHECK(bench.workbench().runs().all().size() == 2);
  bench.play("undo");
  bench.play("wait frames 60");
  CHECK(bench.workbench().runs().all().size() == 2);  // undoing the drag starts no run
}

TEST_CASE("A script does not wait for a paused run") {
  Bench bench;
  const ui::RunPointer run = startedIn(bench, 400, true);
  bench.play("wait frames 2\nwait run ended");
  CHECK(run->state() == train::RunState::Paused);
  CHECK(errorOf(bench.run("wait steps 5")).find("no run is training") != std::string::npos);
  bench.settle();
}

TEST_CASE("The runs of a script are removed with its window, unless it has an output folder") {
  std::string folder;
  {
    Bench bench;
    folder = startedIn(bench, 40)->folder();
    bench.play("wait run ended");
    CHECK(std::filesystem::exists(folder + "/run.sqlite"));
  }
  CHECK_FALSE(std::filesystem::exists(folder));
  const RunFolder kept;
  {
    app::Options options;
    options.size = {320, 200};
    options.outDir = kept.path();
    auto host = app::Headless::create(options);
    REQUIRE(host);
    const auto run = (*host)->workbench().runs().start(smallMarkov());
    REQUIRE(run);
    CHECK((*run)->folder() == kept / "runs/small");
    REQUIRE(errorOf((*host)->frame()) == "");
    CHECK((*run)->step() == 8);
  }
  CHECK(train::RunReader::open(kept / "runs/small"));
}

TEST_CASE("A window without a script asks for a frame when a run has news, and settles while the run trains") {
  ui::WorkbenchOptions options;
  const RunFolder folder;
  options.runsFolder = folder.path();
  std::atomic<int> woken{0};
  options.wake = [&woken] { ++woken; };
  ui::Workbench workbench(std::move(options));
  ui::HostFrame host;
  const auto frames = [&](int count) {
    for (int i = 0; i < count; ++i) {
      host.seconds += 1.0 / 60;
      workbench.tick({320, 200}, host);
    }
  };
  train::RunConfig config = smallMarkov();
  config.schedule.steps = 100'000'000;
  const auto run = workbench.runs().start(config);
  REQUIRE(run);
  REQUIRE(tests::eventually([&] {
    frames(1);
    return (*run)->step() >= 10;
  }));
  CHECK(woken > 0);
  // News of the run alone asks for a frame.
  CHECK(tests::eventually([&] { return workbench.needsFrame(); }));
  CHECK(tests::eventually([&] {
    frames(1);
    return workbench.settled();
  }));
  CHECK((*run)->trains());
}
