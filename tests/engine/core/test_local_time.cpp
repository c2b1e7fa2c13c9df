// SPDX-License-Identifier: Apache-2.0
// Tests the times of records in the user's time zone.
#include "engine/core/local_time.h"

#include <cstdlib>
#include <ctime>

#include <catch2/catch.hpp>

using namespace sepx;

TEST_CASE("Times are read in UTC and shown in the local time zone", "[time]") {
  CHECK(secondsOf("1970-01-01T00:00:00Z") == 0);
  CHECK(secondsOf("2026-11-21T04:16:13Z") == 1795234573);
  CHECK_FALSE(secondsOf("2026-11-21 04:16:13"));
  CHECK_FALSE(secondsOf(""));
  ::setenv("TZ", "UTC-1", 1);  // one hour east of Greenwich
  ::tzset();
  CHECK(localTime(1795234573) == "2026-11-21 05:16:13");
  ::unsetenv("TZ");
  ::tzset();
}
