// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/compare.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace sepx;
using namespace sepx::ui;

namespace {

bool yes(const Value& found, std::string_view op, std::string_view expected, double tolerance = 0) {
  const Result<bool> result = holds(found, op, expected, tolerance);
  if (!result) FAIL(result.error().message);
  return *result;
}

}  // namespace

TEST_CASE("Numbers are compared as numbers") {
  CHECK(yes(0.5, "==", "0.5"));
  CHECK(yes(0.5, "==", "5e-1"));
  CHECK(yes(10.0, ">", "9"));
  CHECK(yes(10.0, ">=", "10"));
  CHECK_FALSE(yes(10.0, "<", "10"));
  CHECK(yes(10.0, "<=", "10"));
  CHECK(yes(10.0, "!=", "9"));
  CHECK_FALSE(yes(0.5, "==", "0.5000001"));
  CHECK(yes(0.5, "==", "0.5000001", 1e-6));
  CHECK_FALSE(yes(0.5, "!=", "0.5000001", 1e-6));
  CHECK_FALSE(yes(0.5, "==", "0.5000001", 1e-9));
}

TEST_CASE("The operator ~ compares within the tolerance, or within one part in a million") {
  CHECK(yes(1000.0, "~", "1000.0005"));
  CHECK_FALSE(yes(1000.0, "~", "1000.01"));
  CHECK(yes(1000.0, "~", "1000.01", 0.1));
  CHECK_FALSE(yes(1000.0, "~", "1000.0005", 1e-6));
  CHECK(yes(0.0, "~", "0"));
  CHECK_FALSE(yes(1e-12, "~", "0"));
}

TEST_CASE("NaN equals nothing, and infinity equals only itself") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  CHECK_FALSE(yes(nan, "==", "nan"));
  CHECK_FALSE(yes(nan, "~", "0.5", 1));
  CHECK_FALSE(yes(0.5, "==", "nan", 1));
  CHECK_FALSE(yes(nan, "<", "1"));
  CHECK(yes(nan, "!=", "1"));
  CHECK(yes(infinity, "==", "inf"));
  CHECK(yes(infinity, ">", "1e308"));
}

TEST_CASE("Texts, truth values and missing values are compared") {
  CHECK(yes("local-min", "==", "local-min"));
  CHECK(yes("local-min", "!=", "global-min"));
  CHECK(yes("ends in a local minimum", "has", "local"));
  CHECK_FALSE(yes("ends in a local minimum", "has", "global"));
  CHECK(yes(0.625, "has", ".62"));
  CHECK(yes(true, "==", "true"));
  CHECK(yes(true, "==", "on"));
  CHECK(yes(false, "==", "false"));
  CHECK(yes(false, "!=", "on"));
  CHECK(yes(Value(), "==", "none"));
  CHECK(yes(Value(), "!=", "0"));
  CHECK_FALSE(yes(Value(), "==", "0"));
  CHECK_FALSE(yes(Value(), "<", "3"));
  CHECK_FALSE(yes(0.5, "==", "half"));
}

TEST_CASE("Ordering values that have no order is refused") {
  for (const char* op : {"<", "<=", ">", ">=", "~"}) {
    const Result<bool> result = holds("local-min", op, "3");
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::Usage);
    CHECK_THAT(result.error().message, Catch::Contains("local-min"));
    CHECK_FALSE(holds(0.5, op, "half"));
    CHECK_FALSE(holds(true, op, "true"));
  }
}
