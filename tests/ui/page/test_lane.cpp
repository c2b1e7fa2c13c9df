// SPDX-License-Identifier: Apache-2.0
// A lane knows of its own latest request what has come of it, whatever else runs.
#include "ui/page/lane.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using sepx::Jobs;
using sepx::Result;
using sepx::ui::JobLanes;
using sepx::ui::Lane;
using IntLane = Lane<int, int>;
using Output = IntLane::Output;

/// Held back until it is let go; copies are of the same one.
class Gate {
 public:
  void open() const { open_->store(true); }
  void wait() const {
    while (!open_->load())
      std::this_thread::yield();
  }

 private:
  std::shared_ptr<std::atomic<bool>> open_ = std::make_shared<std::atomic<bool>>(false);
};

int twice(const int& request, Output&) {
  return 2 * request;
}

void untilCancelled(const int&, Output& output) {
  while (!output.cancelled())
    std::this_thread::yield();
}

/// Frames until the lane has nothing more to come.
void settle(const JobLanes& lanes, IntLane& lane) {
  while (lane.pending()) {
    lane.refresh(lanes);
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("a lane starts once for equal requests and hands over the result", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  CHECK(lane.complete());
  CHECK(lane.result() == nullptr);
  CHECK(lane.requested() == nullptr);
  CHECK(lane.request(jobs, 3, "three", twice));
  CHECK_FALSE(lane.request(jobs, 3, "three", twice));
  CHECK(lane.pending());
  CHECK_FALSE(lane.fresh());
  const std::uint64_t before = lane.revision();
  settle(jobs, lane);
  REQUIRE(lane.result() != nullptr);
  CHECK(*lane.result() == 6);
  CHECK(*lane.answered() == 3);
  CHECK(lane.fresh());
  CHECK(lane.revision() == before + 1);
  CHECK_FALSE(lane.request(jobs, 3, "three", twice));
  CHECK_FALSE(lane.refresh(jobs));
  CHECK_FALSE(lane.cancelled());
  CHECK_FALSE(lane.failed());
}

TEST_CASE("the latest request wins and results of before are dropped", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  lane.request(jobs, 1, "one", twice);
  settle(jobs, lane);
  const Gate gate;
  jobs.runToPublication();  // from here on jobs are paced
  // Has its result before it is replaced, and publishes regardless of the cancel.
  lane.request(jobs, 2, "two", [gate](const int&, Output& output) {
    output.publish(20);
    gate.wait();
    output.finish(21);
  });
  jobs.runToPublication();
  jobs.runFree();
  CHECK(lane.request(jobs, 5, "five", twice));
  CHECK_FALSE(lane.refresh(jobs));  // the 20 was not taken over before
  CHECK(*lane.result() == 2);
  CHECK(*lane.answered() == 1);
  CHECK_FALSE(lane.fresh());
  gate.open();
  settle(jobs, lane);
  CHECK(*lane.result() == 10);
  CHECK(*lane.requested() == 5);
  CHECK(lane.fresh());
}

TEST_CASE("a lane hands over coarse results before the last one", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  jobs.runToPublication();  // from here on jobs are paced
  lane.request(jobs, 0, "levels", [](const int&, Output& output) {
    output.progress(0.25);
    for (const int level : {1, 2, 3})
      if (!output.publish(level, level == 3)) return;
  });
  for (const int level : {1, 2, 3}) {
    REQUIRE(jobs.runToPublication());
    REQUIRE(lane.refresh(jobs));
    CHECK(*lane.result() == level);
    CHECK(lane.fresh());
    CHECK(lane.pending() == (level < 3));  // complete with the last one, though the paced job still waits for its end
    CHECK(lane.progress() == 0.25);
  }
  CHECK_FALSE(jobs.idle());
  jobs.finish();
}

TEST_CASE("a job that is cancelled from outside leaves its lane complete", "[lane]") {
  Jobs jobs;
  IntLane lane("a"), other("b");
  lane.request(jobs, 1, "one", [](const int& request, Output& output) {
    output.publish(1);
    untilCancelled(request, output);
    output.finish(2);
  });
  other.request(jobs, 1, "other", untilCancelled);
  while (!lane.refresh(jobs))
    std::this_thread::yield();
  jobs.cancel("a");
  settle(jobs, lane);
  CHECK(lane.cancelled());
  CHECK(*lane.result() == 1);  // what was published is all there will be
  CHECK_FALSE(jobs.idle());    // the other lane's work says nothing about this one
  other.refresh(jobs);
  CHECK(other.pending());
  CHECK_FALSE(lane.request(jobs, 1, "one", twice));  // it was asked for and given up
  CHECK(lane.request(jobs, 2, "two", twice));
  settle(jobs, lane);
  CHECK_FALSE(lane.cancelled());
  CHECK(*lane.result() == 4);

  // Cancelled before it began.
  const Gate gate;
  lane.start(jobs, 3, "three", [gate](const int&, Output&) { gate.wait(); });
  lane.start(jobs, 4, "four", twice);
  jobs.cancel("a");
  gate.open();
  settle(jobs, lane);
  CHECK(lane.cancelled());
  CHECK(*lane.result() == 4);
}

TEST_CASE("a lane's own cancel holds at once, and clear() forgets", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  lane.request(jobs, 1, "one", twice);
  settle(jobs, lane);
  lane.request(jobs, 2, "two", untilCancelled);
  lane.cancel();
  CHECK(lane.complete());
  CHECK(lane.cancelled());
  CHECK(*lane.result() == 2);
  const std::uint64_t before = lane.revision();
  CHECK(lane.clear());
  CHECK(lane.revision() == before + 1);
  CHECK(lane.result() == nullptr);
  CHECK(lane.requested() == nullptr);
  CHECK_FALSE(lane.cancelled());
  CHECK_FALSE(lane.clear());
  CHECK(lane.revision() == before + 1);
  CHECK(lane.request(jobs, 1, "one", twice));
  settle(jobs, lane);
  CHECK(*lane.result() == 2);
}

TEST_CASE("a lane says why its work failed", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  lane.request(jobs, 1, "one", [](const int&, Output&) -> Result<void> {
    return sepx::fail(sepx::ErrorKind::BadInput, "no such number");
  });
  settle(jobs, lane);
  CHECK(lane.failed());
  CHECK(lane.failure() == "no such number");
  lane.request(jobs, 2, "two", [](const int&, Output&) { throw std::runtime_error("out of luck"); });
  CHECK_FALSE(lane.failed());
  settle(jobs, lane);
  CHECK(lane.failure() == "out of luck");
  lane.request(jobs, 3, "three", twice);
  settle(jobs, lane);
  CHECK_FALSE(lane.failed());
  CHECK(lane.failure().empty());
}

TEST_CASE("a lane may go while its work runs, before or after the jobs", "[lane]") {
  const Gate begun;
  std::atomic<bool> ended{false};
  const auto work = [begun, &ended](const int&, Output& output) {
    begun.open();
    while (!output.cancelled())
      std::this_thread::yield();
    output.finish(1);
    ended = true;
  };
  {
    Jobs jobs;
    {
      IntLane lane("a");
      lane.request(jobs, 1, "one", work);
      begun.wait();
    }
    jobs.finish();  // the lane cancelled it
    CHECK(ended);
  }
  IntLane lane("a");
  {
    Jobs jobs;
    lane.request(jobs, 1, "one", untilCancelled);
  }
  lane.cancel();
  CHECK(lane.complete());
}

TEST_CASE("lanes of two panes do not replace each other", "[lane]") {
  Jobs jobs;
  const JobLanes first(jobs), second(jobs, 2);
  IntLane one("a"), two("a");
  const Gate gate;
  one.request(first, 1, "one", [gate](const int&, Output&) {
    gate.wait();
    return 1;
  });
  two.request(second, 2, "two", twice);
  settle(second, two);
  CHECK(*two.result() == 4);
  CHECK(one.pending());
  const auto list = jobs.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].lane == "a");
  CHECK(list[1].lane == "a@2");
  CHECK(list[1].name != "two");  // says which pane
  gate.open();
  settle(first, one);
  CHECK(*one.result() == 1);
}

TEST_CASE("what is in view waits for the lanes that are refreshed", "[lane]") {
  Jobs jobs;
  std::vector<sepx::JobHandle> awaited;
  const JobLanes lanes(jobs, 1, &awaited);
  IntLane shown("shown"), hidden("hidden");
  shown.request(lanes, 1, "shown", untilCancelled);
  hidden.request(lanes, 1, "hidden", untilCancelled);
  CHECK(awaited.size() == 2);
  awaited.clear();  // the next frame: the page with the other lane is left
  shown.refresh(lanes);
  REQUIRE(awaited.size() == 1);
  awaited.front().cancel();
  settle(lanes, shown);
  CHECK(shown.cancelled());
  hidden.refresh(lanes);
  CHECK(hidden.pending());
  awaited.clear();
  shown.refresh(lanes);
  CHECK(awaited.empty());
}
