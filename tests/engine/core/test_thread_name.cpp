// SPDX-License-Identifier: Apache-2.0
// Tests the names of threads and how the system shortens long names.
#include <pthread.h>

#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/core/job.h"
#include "engine/core/thread_name.h"

using namespace sepx;

namespace {
std::string ownName() {
  char name[64] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  return name;
}
}  // namespace

TEST_CASE("The system shows the last parts of a long thread name") {
  CHECK(shownThreadName("pool") == "pool");
  CHECK(shownThreadName("fifteen.letters") == "fifteen.letters");
  CHECK(shownThreadName("flow.basin.exact") == "basin.exact");
  CHECK(shownThreadName("training.library.sweep@2") == "library.sweep@2");
  CHECK(shownThreadName("training.library.sweep.picture") == "sweep.picture");
  CHECK(shownThreadName("a name without any part") == "ithout any part");
  CHECK(shownThreadName("").empty());
}

TEST_CASE("A thread has its given name, and the thread of a lane has the name of its jobs") {
  const std::string before = ownName();
  std::string named, lane;
  std::thread([&] {
    nameThread("training.library.work");
    named = ownName();
  }).join();
  CHECK(named == "library.work");
  Jobs jobs;
  jobs.start("flow.basin.exact@2", "", [&](JobContext&) -> Result<void> {
    lane = ownName();
    return {};
  });
  jobs.finish();
  CHECK(lane == "basin.exact@2");
  CHECK(ownName() == before);
}
