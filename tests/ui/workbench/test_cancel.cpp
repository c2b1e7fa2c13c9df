// SPDX-License-Identifier: Apache-2.0
// The user cancels the work of the visible page, or all work.
#include <algorithm>

#include "bench.h"
#include "ui/page/exhibit.h"

using namespace sepx;
using namespace sepx::test;

namespace {

JobState stateOf(Bench& bench, const std::string& lane) {
  const auto jobs = bench.workbench().jobLanes().list();
  const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const JobStatus& job) { return job.lane == lane; });
  REQUIRE(found != jobs.end());
  return found->state;
}

bool active(Bench& bench, const std::string& lane) {
  const JobState state = stateOf(bench, lane);
  return state == JobState::Queued || state == JobState::Running;
}

/// A frame in which no paced job continues.
void tick(Bench& bench) {
  ui::HostFrame frame;
  bench.workbench().tick({960, 540}, frame);
}

/// Runs frames until the job of this lane is cancelled.
void end(Bench& bench, const std::string& lane) {
  while (active(bench, lane))
    tick(bench);
  CHECK(stateOf(bench, lane) == JobState::Cancelled);
  tick(bench);
}

}  // namespace

TEST_CASE("Ctrl+. cancels the work of the visible page and not that of other pages and panes", "[workbench][jobs]") {
  Bench bench({960, 540});
  bench.play("set panes.layout two\nwait settled\n");
  ui::Workbench& workbench = bench.workbench();
  CHECK_FALSE(workbench.run("jobs.cancel-page"));  // no job is running
  workbench.jobLanes().waitForPublications();      // paced from here on: a job waits after its first coarse picture
  for (const char* key : {"flow.basin.method", "flow@2.basin.method"})
    REQUIRE(errorOf(workbench.set(key, std::string("integrate"))).empty());
  tick(bench);
  REQUIRE(active(bench, "flow.basin"));
  REQUIRE(active(bench, "flow.basin@2"));

  SECTION("Only the active pane") {
    REQUIRE(errorOf(workbench.run("jobs.cancel-page")).empty());
    end(bench, "flow.basin");
    CHECK(workbench.exhibit(1).complete());  // the coarse result stays
    CHECK(active(bench, "flow.basin@2"));
    CHECK_FALSE(workbench.exhibit(2).complete());
    CHECK_FALSE(workbench.run("jobs.cancel-page"));
  }
  SECTION("Only the visible page") {
    REQUIRE(errorOf(workbench.set("flow.page", std::string("chain"))).empty());
    tick(bench);
    REQUIRE(active(bench, "flow.chain.curves"));
    REQUIRE(errorOf(workbench.run("jobs.cancel-page")).empty());
    end(bench, "flow.chain.curves");
    CHECK(active(bench, "flow.basin"));
  }
  SECTION("All work, with the other command") {
    REQUIRE(errorOf(workbench.run("jobs.cancel")).empty());
    end(bench, "flow.basin");
    end(bench, "flow.basin@2");
  }
  workbench.jobLanes().runFree();
  bench.settle();
}
