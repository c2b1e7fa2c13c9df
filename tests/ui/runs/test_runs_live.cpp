// SPDX-License-Identifier: Apache-2.0
// Two windows and one trainer: what it reports in the window that it trains in is in the other one in the next frame,
// and both have every number of the store.
#include "tests/ui/runs/runs_rig.h"

using namespace sepx;
using namespace sepx::test;
using ui::RunPointer;

namespace {

/// A frame of the window that trains, and one of the window that follows it.
void frameOfBoth(Service& trains, const RunPointer& run, Service& follows) {
  trains.runs->update();
  trains.runs->see(*run);
  follows.runs->follow(trains.runs->live());
  follows.runs->update();
}

}  // namespace

TEST_CASE("What a trainer reports in one window is in the one that follows it with the next frame") {
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
  CHECK(tests::eventually([&] {  // it is read from the folder in the background
    frameOfBoth(trains, run, follows);
    return copy->config().has_value();
  }));
  CHECK_FALSE(follows.runs->send(*copy, {CommandKind::Pause}));  // it is not this window's
  REQUIRE(tests::eventually([&] {
    frameOfBoth(trains, run, follows);
    return run->state() == RunState::Finished && copy->state() == RunState::Finished && !copy->followed();
  }));
  CHECK(shown(*copy) == numbers(run->folder()));
  CHECK(copy->savedSteps() == run->savedSteps());
  CHECK(copy->failure().empty());
}

TEST_CASE("A window that follows another seldom reads what it missed") {
  Service trains, follows;
  RunConfig config = smallMarkov();
  config.schedule.steps = 2500;  // three metrics a step: more than a snapshot holds before the second look
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

TEST_CASE("Only runs in sight are handed on, with the matrices that the page watches") {
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
  CHECK(trains.runs->live() == live);  // nothing new: the same pointers
  follows.runs->follow(live);
  REQUIRE(copy->live().matrices.size() == 1);
  CHECK(copy->live().matrices.front().values == run->live().matrices.front().values);
  follows.runs->follow({});
  CHECK_FALSE(copy->followed());
  CHECK(copy->live().matrices.empty());
}
