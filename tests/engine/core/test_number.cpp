// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <limits>

#include "engine/core/number.h"
#include "engine/core/random.h"

using sepx::formatFixed;
using sepx::formatShortest;
using sepx::parseNumber;

TEST_CASE("The shortest text of a double reads back to the same double in any locale") {
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before ? before : "C";
  for (const char* locale : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {
    std::setlocale(LC_ALL, locale);  // has no effect if the locale is not installed
    sepx::RandomStream random(11);
    for (int i = 0; i < 2000; ++i) {
      const double value = std::bit_cast<double>(random.next64());
      if (!std::isfinite(value)) continue;
      const auto back = parseNumber(formatShortest(value));
      REQUIRE(back.has_value());
      REQUIRE(std::bit_cast<std::uint64_t>(*back) == std::bit_cast<std::uint64_t>(value));
    }
    CHECK(formatShortest(0.5) == "0.5");
    CHECK(formatFixed(1234.5, 2) == "1234.50");
    CHECK(parseNumber("0.25") == 0.25);
  }
  std::setlocale(LC_ALL, saved.c_str());
}

TEST_CASE("Numbers are formatted with fixed decimals or in scientific notation") {
  CHECK(formatFixed(0.1304, 4) == "0.1304");
  CHECK(formatFixed(0.00009, 3) == "9.000e-05");
  CHECK(formatFixed(0.0001, 4) == "0.0001");
  CHECK(formatFixed(1e6, 2) == "1.00e+06");
  CHECK(formatFixed(-999999.5, 1) == "-999999.5");
  CHECK(formatFixed(0, 3) == "0.000");
  CHECK(formatFixed(-0.0, 3) == "0.000");
  CHECK(formatFixed(-0.0004, 2) == "0.00");
  CHECK(formatFixed(-1.5, 0) == "-2");
  CHECK(formatFixed(std::numeric_limits<double>::quiet_NaN(), 3) == "nan");
  CHECK(formatFixed(-std::numeric_limits<double>::infinity(), 3) == "-inf");
  CHECK(formatFixed(1e300, 40).size() > 40);
}

TEST_CASE("Parsing accepts only a complete number") {
  CHECK(parseNumber(" 1.5\t") == 1.5);
  CHECK(parseNumber("+2") == 2.0);
  CHECK(parseNumber("-1e-200") == -1e-200);
  CHECK(parseNumber("inf") == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(parseNumber("nan").value_or(0)));
  for (const char* bad : {"", " ", "+", "+-1", "1,5", "1.5x", "1 2", "0x10", "--1", "e5", "1e999"}) {
    INFO(bad);
    CHECK_FALSE(parseNumber(bad).has_value());
  }
}
