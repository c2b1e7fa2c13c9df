// SPDX-License-Identifier: Apache-2.0
#include "engine/core/replace_all.h"

#include <catch2/catch.hpp>

using sepx::replaceAll;

namespace {

std::string replaced(std::string text, const char* from, const char* to) {
  replaceAll(text, from, to);
  return text;
}

}  // namespace

TEST_CASE("Every occurrence is replaced once, from left to right") {
  CHECK(replaced("a-b-c", "-", "+") == "a+b+c");
  CHECK(replaced("aaa", "a", "aa") == "aaaaaa");
  CHECK(replaced("aaa", "aa", "b") == "ba");
  CHECK(replaced("-x-", "-", "") == "x");
  CHECK(replaced("", "a", "b").empty());
  CHECK(replaced("abc", "", "x") == "abc");
  CHECK(replaced("abc", "d", "x") == "abc");
}
