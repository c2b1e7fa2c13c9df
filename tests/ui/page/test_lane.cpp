// SPDX-License-Identifier: Apache-2.0
// A lane knows the state of its own latest request, whatever else runs.
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

/// Blocks wait() until open() is called; copies share the state.
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

/// Runs frames until the lane has nothing pending.
void settle(const JobLanes& lanes, IntLane& lane) {
  while (lane.pending()) {
    lane.refresh(lanes);
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("A lane starts one job for equal requests and returns its result", "[lane]") {
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

TEST_CASE("The latest request wins, and results of earlier requests are dropped", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  lane.request(jobs, 1, "one", twice);
  settle(jobs, lane);
  const Gate gate;
  jobs.waitForPublications();  // jobs are paced from here on
  // Publishes a result before it is replaced, and finishes although it is cancelled.
  lane.request(jobs, 2, "two", [gate](const int&, Output& output) {
    output.publish(20);
    gate.wait();
    output.finish(21);
  });
  jobs.waitForPublications();
  jobs.runFree();
  CHECK(lane.request(jobs, 5, "five", twice));
  CHECK_FALSE(lane.refresh(jobs));  // the 20 was not fetched before the new request
  CHECK(*lane.result() == 2);
  CHECK(*lane.answered() == 1);
  CHECK_FALSE(lane.fresh());
  gate.open();
  settle(jobs, lane);
  CHECK(*lane.result() == 10);
  CHECK(*lane.requested() == 5);
  CHECK(lane.fresh());
}

TEST_CASE("A lane returns coarse results before the final one", "[lane]") {
  Jobs jobs;
  IntLane lane("a");
  jobs.waitForPublications();  // jobs are paced from here on
  lane.request(jobs, 0, "levels", [](const int&, Output& output) {
    output.progress(0.25);
    for (const int level : {1, 2, 3})
      if (!output.publish(level, level == 3)) return;
  });
  for (const int level : {1, 2, 3}) {
    REQUIRE(jobs.waitForPublications());
    REQUIRE(lane.refresh(jobs));
    CHECK(*lane.result() == level);
    CHECK(lane.fresh());
    CHECK(lane.pending() == (level < 3));  // complete with the last result, although the paced job has not ended
    CHECK(lane.progress() == 0.25);
  }
  CHECK_FALSE(jobs.idle());
  jobs.finish();
}

TEST_CASE("A job that is cancelled from outside leaves its lane complete", "[lane]") {
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
  CHECK(*lane.result() == 1);  // the published result stays
  CHECK_FALSE(jobs.idle());    // the job of the other lane still runs
  other.refresh(jobs);
  CHECK(other.pending());
  CHECK_FALSE(lane.request(jobs, 1, "one", twice));  // this request was cancelled and is not repeated
  CHECK(lane.request(jobs, 2, "two", twice));
  settle(jobs, lane);
  CHECK_FALSE(lane.cancelled());
  CHECK(*lane.result() == 4);

  // The job is cancelled before it starts.
  const Gate gate;
  lane.start(jobs, 3, "three", [gate](const int&, Output&) { gate.wait(); });
  lane.start(jobs, 4, "four", twice);
  jobs.cancel("a");
  gate.open();
  settle(jobs, lane);
  CHECK(lane.cancelled());
  CHECK(*lane.result() == 4);
}

TEST_CASE("cancel() of a lane takes effect at once, and clear() removes result and request", "[lane]") {
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

TEST_CASE("A lane gives the reason why its job failed", "[lane]") {
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

TEST_CASE("A lane may be destroyed while its job runs, before or after the jobs", "[lane]") {
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
    jobs.finish();  // the destructor of the lane cancelled it
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

TEST_CASE("Lanes of two panes do not replace each other", "[lane]") {
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
  CHECK(list[1].name != "two");  // the name contains the pane
  gate.open();
  settle(first, one);
  CHECK(*one.result() == 1);
}

TEST_CASE("Only the lanes that were refreshed in the frame are awaited", "[lane]") {
  Jobs jobs;
  std::vector<sepx::JobHandle> awaited;
  const JobLanes lanes(jobs, 1, &awaited);
  IntLane shown("shown"), hidden("hidden");
  shown.request(lanes, 1, "shown", untilCancelled);
  hidden.request(lanes, 1, "hidden", untilCancelled);
  CHECK(awaited.size() == 2);
  awaited.clear();  // the next frame, in which the page with the other lane is not visible
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
