// SPDX-License-Identifier: Apache-2.0
#include "engine/core/nearest_name.h"

#include <catch2/catch.hpp>
#include <vector>

using sepx::nearestName;

TEST_CASE("The nearest name is the first of those with the fewest edits") {
  const std::vector<std::string> names{"text", "title", "comment_text"};
  CHECK(nearestName("txt", names) == "text");
  CHECK(nearestName("coment_txt", names) == "comment_text");
  CHECK(nearestName("titel", names) == "title");
  CHECK(nearestName("", names) == "text");
  CHECK(nearestName(std::string(1 << 20, 'x'), names) == "text");  // 59 edits, as for comment_text; found at once
  CHECK(nearestName("a", std::vector<std::string>{"b", "c"}) == "b");
  CHECK(nearestName("a", {}).empty());
  CHECK(nearestName("txt", names, 1) == "text");
  CHECK(nearestName("weather", names, 2).empty());
}
