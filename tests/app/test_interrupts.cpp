// SPDX-License-Identifier: Apache-2.0
// The first Ctrl-C is noted, even if it is delivered twice, and a second press ends the program.
#include "app/interrupts.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace sepx;

TEST_CASE("One press that is delivered twice stops work in order") {
  const app::Interrupts interrupts;
  CHECK_FALSE(interrupts.seen());
  ::raise(SIGINT);
  CHECK(interrupts.seen());
  ::raise(SIGINT);  // would end the test if it counted as a second press
  ::raise(SIGTERM);
  ::raise(SIGTERM);
  CHECK(interrupts.seen());
}

TEST_CASE("New work begins with a first press") {
  {
    const app::Interrupts interrupts;
    ::raise(SIGINT);
  }
  const app::Interrupts interrupts;
  CHECK_FALSE(interrupts.seen());
  ::raise(SIGINT);
  CHECK(interrupts.seen());
}

TEST_CASE("A second press ends the program as by default") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const app::Interrupts interrupts;
    ::raise(SIGINT);
    ::usleep(600'000);
    ::raise(SIGINT);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}
