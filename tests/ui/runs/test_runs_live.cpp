// SPDX-License-Identifier: Apache-2.0
// Two windows and one trainer: its reports in the training window reach the other window in the next frame, and both
// windows have every number of the store.
#include "tests/ui/runs/runs_rig.h"

using namespace sepx;
using namespace sepx::test;
using ui::RunPointer;

namespace {

/// One frame of the training window, and one frame of the window that follows it.
void frameOfBoth(Service& trains, const RunPointer& run, Service& follows) {
  trains.runs->update();
  trains.runs->see(*run);
  follows.runs->follow(trains.runs->live());
  follows.runs->update();
}

}  // namespace

TEST_CASE("Reports of a trainer in one window reach the following window in the next frame") {
  Service trains(true), follows(true);
  const RunPointer run = trains.start(smallMarkov());
  const RunPointer copy = follows.runs->open(run->folder());
  frameOfBoth(trains, run, follows);
  REQUIRE(tests::eventually([&] {
    frameOfBoth(trains, run, follows);
    return run->step() >= 8;
  }));
  REQUIRE(run->trains());
  CHECK(copy->followed());
  CHECK(copy->reported());
  CHECK_FALSE(copy->here());
  CHECK(copy->step() == run->step());
  CHECK(copy->live().loss == run->live().loss);
  CHECK(copy->state() == run->state());
  REQUIRE(copy->series("loss"));
  CHECK(copy->series("loss")->steps == run->series("loss")->steps);
  CHECK(tests::eventually([&] {  // the config is read from the folder in the background
    frameOfBoth(trains, run, follows);
    return copy->config().has_value();
  }));
  CHECK_FALSE(follows.runs->send(*copy, {CommandKind::Pause}));  // the run belongs to the other window
  REQUIRE(tests::eventually([&] {
    frameOfBoth(trains, run, follows);
    return run->state() == RunState::Finished && copy->state() == RunState::Finished && !copy->followed();
  }));
  CHECK(shown(*copy) == numbers(run->folder()));
  CHECK(copy->savedSteps() == run->savedSteps());
  CHECK(copy->failure().empty());
}

TEST_CASE("A window that rarely follows another one reads the missed numbers from the store") {
  Service trains, follows;
  RunConfig config = smallMarkov();
  config.schedule.steps = 2500;  // three metrics per step: more than the capacity of a snapshot before the second frame
  config.schedule.saveEvery = 0;
  config.schedule.evaluateEvery = 0;
  const RunPointer run = trains.start(config);
  const RunPointer copy = follows.runs->open(run->folder());
  trains.until([&] { return run->step() > 0; });
  frameOfBoth(trains, run, follows);
  CHECK(copy->followed());
  trains.until([&] { return run->step() > 1600 || !run->trains(); });
  frameOfBoth(trains, run, follows);
  trains.until([&] { return run->state() == RunState::Finished && !trains.runs->busy(); });
  REQUIRE(tests::eventually([&] {
    frameOfBoth(trains, run, follows);
    return copy->state() == RunState::Finished && !follows.runs->busy();
  }));
  CHECK(shown(*copy) == numbers(run->folder()));
}

TEST_CASE("Only runs in view are passed on, with the matrices that the page watches") {
  Service trains(true), follows(true);
  const RunPointer run = trains.start(smallMarkov());
  trains.until([&] { return run->step() >= 8; });
  CHECK(trains.runs->live().empty());
  const std::string name = "layers.0.attention.W_Q.weight";
  REQUIRE(trains.runs->send(*run, {CommandKind::Watch, 0, {name}}));
  trains.until([&] { return !run->live().matrices.empty(); });
  const RunPointer copy = follows.runs->open(run->folder());
  trains.runs->see(*run);
  const auto live = trains.runs->live();
  REQUIRE(live.size() == 1);
  CHECK(trains.runs->live() == live);  // without changes the pointers are the same
  follows.runs->follow(live);
  REQUIRE(copy->live().matrices.size() == 1);
  CHECK(copy->live().matrices.front().values == run->live().matrices.front().values);
  follows.runs->follow({});
  CHECK_FALSE(copy->followed());
  CHECK(copy->live().matrices.empty());
}
