// SPDX-License-Identifier: Apache-2.0
// Jobs: the latest wins, cancellation, pacing, failure. No test sleeps for a result. Each waits for the event it needs.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "engine/core/exchange.h"
#include "engine/core/job.h"
#include "engine/core/resource_limits.h"
#include "tests/engine/core/no_threads.h"

using sepx::JobContext;
using sepx::Jobs;
using sepx::JobState;
using sepx::Result;

namespace {

void waitFor(const std::atomic<bool>& flag) {
  while (!flag.load())
    std::this_thread::yield();
}

}  // namespace

TEST_CASE("A job runs, reports progress and ends") {
  std::atomic<int> wakes{0};
  Jobs jobs([&wakes] { ++wakes; });
  CHECK(jobs.idle());
  CHECK(jobs.list().empty());
  sepx::Exchange<int> exchange;
  jobs.start("map", "Basin map", [&exchange](JobContext& context) -> Result<void> {
    context.progress(0.5);
    exchange.slot() = 7;
    exchange.publish();
    context.published();
    return {};
  });
  jobs.finish();
  CHECK(jobs.idle());
  CHECK(exchange.refresh());
  CHECK(exchange.latest() == 7);
  const auto list = jobs.list();
  REQUIRE(list.size() == 1);
  CHECK(list[0].lane == "map");
  CHECK(list[0].name == "Basin map");
  CHECK(list[0].state == JobState::Done);
  CHECK(list[0].share == 1);
  CHECK_FALSE(list[0].secondsLeft.has_value());
  CHECK(wakes >= 1);
}

TEST_CASE("The latest job of a lane wins") {
  Jobs jobs;
  std::atomic<bool> running{false}, thirdWaits{false}, sawCancel{false}, skippedRan{false}, lastRan{false};
  jobs.start("lane", "first", [&](JobContext& context) -> Result<void> {
    running = true;
    while (!thirdWaits)  // otherwise the second job may begin before the third replaces it
      std::this_thread::yield();
    sawCancel = context.cancelled();
    return {};
  });
  waitFor(running);
  CHECK_FALSE(jobs.idle());
  CHECK(jobs.list()[0].state == JobState::Running);
  auto captured = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = captured;
  jobs.start("lane", "second", [&skippedRan, captured](JobContext& context) -> Result<void> {
    skippedRan = !context.cancelled();
    return {};
  });
  captured.reset();
  jobs.start("lane", "third", [&lastRan](JobContext&) -> Result<void> {
    lastRan = true;
    return {};
  });
  thirdWaits = true;
  jobs.finish();
  CHECK(sawCancel);
  CHECK_FALSE(skippedRan);
  CHECK(lastRan);
  REQUIRE(jobs.list().size() == 1);
  CHECK(jobs.list()[0].name == "third");
  CHECK(jobs.list()[0].state == JobState::Done);
  jobs.start("lane", "fourth", [](JobContext&) -> Result<void> { return {}; });
  jobs.finish();
  CHECK(watched.expired());
}

TEST_CASE("Lanes run in parallel, and cancelling affects one lane") {
  Jobs jobs;
  std::atomic<bool> release{false};
  const auto untilReleased = [&release](JobContext& context) -> Result<void> {
    while (!release && !context.cancelled())
      std::this_thread::yield();
    return {};
  };
  jobs.start("a", "a", untilReleased);
  jobs.start("b", "b", untilReleased);
  jobs.cancel("a");
  jobs.cancel("unknown");
  while (jobs.list()[0].state != JobState::Cancelled)
    std::this_thread::yield();
  CHECK_FALSE(jobs.idle());
  release = true;
  jobs.finish();
  CHECK(jobs.list()[0].state == JobState::Cancelled);
  CHECK(jobs.list()[1].state == JobState::Done);
}

TEST_CASE("All lanes are cancelled at once without waiting") {
  Jobs jobs;
  jobs.cancelAll();
  for (const char* const lane : {"a", "b"})
    jobs.start(lane, lane, [](JobContext& context) -> Result<void> {
      while (!context.cancelled())
        std::this_thread::yield();
      return {};
    });
  jobs.cancelAll();
  jobs.finish();
  for (const sepx::JobStatus& job : jobs.list())
    CHECK(job.state == JobState::Cancelled);
}

TEST_CASE("Failures and exceptions become a message") {
  Jobs jobs;
  jobs.start("a", "a", [](JobContext&) -> Result<void> {
    return sepx::fail(sepx::ErrorKind::BadInput, "x.json: no points; add one");
  });
  jobs.start("b", "b", [](JobContext&) -> Result<void> { throw std::runtime_error("out of luck"); });
  jobs.start("c", "c", [](JobContext&) -> Result<void> { return sepx::fail(sepx::ErrorKind::Interrupted, "stopped"); });
  jobs.finish();
  const auto list = jobs.list();
  CHECK(list[0].state == JobState::Failed);
  CHECK(list[0].failure == "x.json: no points; add one");
  CHECK(list[1].failure == "out of luck");
  CHECK(list[2].state == JobState::Cancelled);
}

TEST_CASE("A paced job advances by exactly one publication per call") {
  Jobs jobs;
  sepx::Exchange<int> exchange;
  const auto counting = [&exchange](JobContext& context) -> Result<void> {
    for (int i = 1; i <= 5 && !context.cancelled(); ++i) {
      exchange.slot() = i;
      exchange.publish();
      context.published();
    }
    return {};
  };
  jobs.waitForPublications();  // returns at once, because no job runs
  jobs.start("a", "a", counting);
  for (int i = 1; i <= 5; ++i) {
    jobs.waitForPublications();
    CHECK(exchange.refresh());
    CHECK(exchange.latest() == i);
    CHECK_FALSE(jobs.idle());
  }
  jobs.waitForPublications();
  CHECK(jobs.idle());

  jobs.start("a", "again", counting);
  jobs.waitForPublications();
  jobs.runFree();
  while (!jobs.idle())
    std::this_thread::yield();
  CHECK(exchange.refresh());
  CHECK(exchange.latest() == 5);

  jobs.waitForPublications();
  jobs.start("a", "replaced", counting);  // waits after its first publication
  jobs.waitForPublications();
  jobs.start("a", "latest", counting);
  jobs.waitForPublications();
  jobs.finish();
  CHECK(jobs.list()[0].name == "latest");
  CHECK(jobs.list()[0].state == JobState::Done);
}

TEST_CASE("A thread that waited for a publication or an end sees the effect of the wake callback") {
  std::atomic<int> woken{0};
  Jobs jobs([&woken] {
    std::this_thread::sleep_for(std::chrono::milliseconds(
        20));  // simulates a slow host: a waiting thread must not continue before the callback ends
    ++woken;
  });
  const auto once = [](JobContext& context) -> Result<void> {
    context.published();
    return {};
  };
  jobs.waitForPublications();  // from here on jobs are paced
  jobs.start("a", "a", once);
  jobs.waitForPublications();
  CHECK(woken == 1);
  jobs.waitForPublications();
  CHECK(woken == 2);
  CHECK(jobs.idle());
  jobs.start("a", "a", once);
  jobs.finish();
  CHECK(woken == 4);
}

TEST_CASE("Waiting for a publication has a timeout and returns whether it was met") {
  Jobs jobs;
  std::atomic<bool> release{false};
  CHECK(jobs.waitForPublications(0));  // no job runs
  jobs.start("silent", "s", [&release](JobContext& context) -> Result<void> {
    while (!release)
      std::this_thread::yield();
    context.published();
    return {};
  });
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(jobs.waitForPublications(0.05));
  const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  CHECK(waited >= 0.05);
  CHECK(jobs.list()[0].state == JobState::Running);
  release = true;
  CHECK(jobs.waitForPublications(60));
  CHECK(jobs.waitForPublications());
  CHECK(jobs.idle());
}

TEST_CASE("The destructor stops a waiting job and a running job") {
  std::atomic<bool> running{false};
  {
    Jobs jobs;
    jobs.waitForPublications();
    jobs.start("paced", "p", [](JobContext& context) -> Result<void> {
      while (!context.cancelled())
        context.published();
      return {};
    });
    jobs.start("busy", "b", [&running](JobContext& context) -> Result<void> {
      running = true;
      while (!context.cancelled())
        std::this_thread::yield();
      return {};
    });
    jobs.start("busy", "queued", [](JobContext&) -> Result<void> { return {}; });
  }
  SUCCEED("returned");
}

TEST_CASE("After thousands of replacements the last job completes") {
  Jobs jobs;
  std::atomic<int> last{-1};
  constexpr int kStarts = 5000;
  for (int i = 0; i < kStarts; ++i)
    jobs.start("drag", "d", [&last, i](JobContext& context) -> Result<void> {
      for (int k = 0; k < 50 && !context.cancelled(); ++k)
        std::this_thread::yield();
      if (!context.cancelled()) last = i;
      return {};
    });
  jobs.finish();
  CHECK(last == kStarts - 1);
}

TEST_CASE("A job whose thread cannot be started fails with a message, and the lane tries again for its next job") {
  std::atomic<int> wakes{0}, done{0};
  Jobs jobs([&wakes] { ++wakes; });
  const auto work = [&done](JobContext&) -> Result<void> {
    ++done;
    return {};
  };
  jobs.start("known", "has its thread", work);
  jobs.finish();
  {
    const sepx::test::NoThreads none;
    if (!none.holds()) {
      WARN("skipped: nothing holds this program to a limit of memory");
      return;
    }
    const int before = wakes;
    sepx::JobHandle refused;
    REQUIRE_NOTHROW(refused = jobs.start("new", "has none", work));
    CHECK(refused.state() == JobState::Failed);
    CHECK(refused.ended());
    CHECK(refused.failure() == sepx::noThread());
    CHECK(refused.failure().find("(ulimit -v)") != std::string::npos);
    CHECK(sepx::outOfMemory().find("(ulimit -v)") != std::string::npos);
    CHECK(wakes == before + 1);  // the failed job itself requests the frame that shows it
    CHECK(jobs.refused());
    CHECK(jobs.idle());
    REQUIRE(jobs.list().size() == 2);
    CHECK(jobs.list()[1].failure == sepx::noThread());
    jobs.cancel("new");
    jobs.finish();
    CHECK_THROWS_AS(jobs.waitForPublications(),
                    std::system_error);  // otherwise a script would continue without the job
    // Lanes that already have a thread continue.
    jobs.start("known", "again", work);
    jobs.finish();
    CHECK(done == 2);
  }
  CHECK(jobs.start("new", "has one", work).state() != JobState::Failed);
  CHECK_FALSE(jobs.refused());
  jobs.finish();
  CHECK(done == 3);
  CHECK(jobs.list()[1].state == JobState::Done);
  CHECK_FALSE(sepx::addressSpaceLeft());
}

TEST_CASE("Lanes without a thread do not block the destructor") {
  {
    Jobs jobs;
    const sepx::test::NoThreads none;
    jobs.start("refused", "r", [](JobContext&) -> Result<void> { return {}; });
    jobs.start("refused", "again", [](JobContext&) -> Result<void> { return {}; });
  }
  SUCCEED("returned");
}
