// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "ui/properties/interval_ends.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const IntervalEnds kEdges{"a.xMin", "a.xMax", -2, 2};

Result<Document> set(const Document& before, const char* key, double value) {
  return withOrderedEnds(kEdges, 1e9, before, before.with(key, value));
}
double end(const Document& document, const char* key) {
  return document.at(key).get<double>();
}

}  // namespace

TEST_CASE("If one end of an interval passes the other end, the other end moves too") {
  const Document none;
  CHECK(*set(none, "a.xMin", -1.0) == none.with("a.xMin", -1.0));
  CHECK(end(*set(none, "a.xMin", 5.0), "a.xMax") == 9);
  CHECK(end(*set(none, "a.xMax", -3.0), "a.xMin") == -7);
  // The order of two set steps does not matter.
  const Document first = *set(*set(none, "a.xMin", 5.0), "a.xMax", 6.0),
                 second = *set(*set(none, "a.xMax", 6.0), "a.xMin", 5.0);
  for (const Document& ends : {first, second}) {
    CHECK(end(ends, "a.xMin") == 5);
    CHECK(end(ends, "a.xMax") == 6);
  }
  CHECK(end(*set(first, "a.xMin", 6.0), "a.xMax") == 7);
  // Ends that are already crossed in a file are reported where it is opened; here nothing was set.
  const Document crossed = Document().with("a.xMin", 3.0).with("a.xMax", 1.0);
  CHECK(*withOrderedEnds(kEdges, 1e9, crossed, crossed) == crossed);
}

TEST_CASE("An interval that is too narrow for doubles, or too far out, is refused") {
  const Document narrow = Document().with("a.xMin", 0.0).with("a.xMax", 1e-9);
  for (const auto& refused :
       {set(narrow, "a.xMin", 1e8), set(Document(), "a.xMin", 1e9), set(Document(), "a.xMax", -1e9)}) {
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Usage);
    CHECK(refused.error().message == "a.xMin must be below a.xMax; set the other one first");
  }
}
