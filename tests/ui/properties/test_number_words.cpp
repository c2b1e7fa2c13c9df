// SPDX-License-Identifier: Apache-2.0
// Numbers for people: signs, powers of ten, probabilities near 0 and 1.
#include <catch2/catch.hpp>

#include "ui/properties/number_words.h"

using namespace sepx::ui;

TEST_CASE("numbers carry a real minus sign") {
  CHECK(shownFixed(-0.6, 3) == "\u22120.600");
  CHECK(shownFixed(0.6, 3) == "0.600");
  CHECK(withMinus("1e-9") == "1e\u22129");
}

TEST_CASE("a probability that is nearly 1 says what is missing") {
  CHECK(shownProbability(0.7812, 3) == "0.781");
  CHECK(shownProbability(1 - 3.7e-9, 6) == "1 \u2212 3.7\u00b710\u207b\u2079");
  CHECK(shownProbability(1, 6) == "1.000000");
  CHECK(shownProbability(4e-9, 6) == "4.0\u00b710\u207b\u2079");
  CHECK(shownProbability(0, 6) == "0.000000");
  CHECK(shownShare(1 - 3.7e-9) == "all but 3.7\u00b710\u207b\u2079");
  CHECK(shownShare(1) == "100.0 %");
  CHECK(shownShare(0.394) == "39.4 %");
}

TEST_CASE("a mantissa that rounds up to ten takes the next power") {
  CHECK(shownPower(9.99e-10) == "1.0\u00b710\u207b\u2079");
  CHECK(shownPower(1.2e11) == "1.2\u00b710\u00b9\u00b9");
}
