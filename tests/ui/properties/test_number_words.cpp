// SPDX-License-Identifier: Apache-2.0
// Numbers as they are shown: minus signs, powers of ten, probabilities near 0 and 1.
#include <catch2/catch.hpp>

#include "ui/properties/number_words.h"

using namespace sepx::ui;

TEST_CASE("Numbers have a real minus sign") {
  CHECK(shownFixed(-0.6, 3) == "\u22120.600");
  CHECK(shownFixed(0.6, 3) == "0.600");
  CHECK(withMinus("1e-9") == "1e\u22129");
}

TEST_CASE("Numbers of five or more digits are grouped in threes") {
  CHECK(grouped("107456") == "107,456");
  CHECK(grouped("10000") == "10,000");
  CHECK(grouped("9999") == "9999");
  CHECK(grouped("\u22121234567.25") == "\u22121,234,567.25");
  CHECK(grouped("0.123456") == "0.123456");
  for (const char* const text : {"", "12.6 M", "1234567·10⁹", "abc 12345", "12345 s", "undefined"}) {
    INFO(text);
    CHECK(grouped(text) == text);
  }
}

TEST_CASE("A probability close to 1 is shown as 1 minus a small number") {
  CHECK(shownProbability(0.7812, 3) == "0.781");
  CHECK(shownProbability(1 - 3.7e-9, 6) == "1 \u2212 3.7\u00b710\u207b\u2079");
  CHECK(shownProbability(1, 6) == "1.000000");
  CHECK(shownProbability(4e-9, 6) == "4.0\u00b710\u207b\u2079");
  CHECK(shownProbability(0, 6) == "0.000000");
  CHECK(shownShare(1 - 3.7e-9) == "all but 3.7\u00b710\u207b\u2079");
  CHECK(shownShare(1) == "100.0 %");
  CHECK(shownShare(0.394) == "39.4 %");
}

TEST_CASE("A mantissa that rounds up to ten increases the exponent") {
  CHECK(shownPower(9.99e-10) == "1.0\u00b710\u207b\u2079");
  CHECK(shownPower(1.2e11) == "1.2\u00b710\u00b9\u00b9");
}

TEST_CASE("Numbers in a sentence of the engine have the same format as all others") {
  CHECK(withShownNumbers("-0.0625") == "\u22120.0625");
  CHECK(withShownNumbers("bound \u2264 -5, mean -0.318 (-1 ... 1)") ==
        "bound \u2264 \u22125, mean \u22120.318 (\u22121 ... 1)");
  CHECK(withShownNumbers("2.22e-16") == "2.22\u00b710\u207b\u00b9\u2076");
  CHECK(withShownNumbers("bound < 1e-12, AdamW at 3e-04") ==
        "bound < 10\u207b\u00b9\u00b2, AdamW at 3\u00b710\u207b\u2074");
  CHECK(withShownNumbers("1.23e+04") == "1.23\u00b710\u2074");
  CHECK(withShownNumbers("11e-3") == "11\u00b710\u207b\u00b3");
  CHECK(withShownNumbers("ViT-6, seeds 0-2, 3-fold, the-x e-fold") == "ViT-6, seeds 0-2, 3-fold, the-x e-fold");
  CHECK(withShownNumbers("").empty());
}
