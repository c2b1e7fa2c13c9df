// SPDX-License-Identifier: Apache-2.0
// Colours as text: valid and invalid texts, and a round trip for every byte.
#include <catch2/catch.hpp>

#include "ui/properties/color_text.h"
#include "ui/properties/registry.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("A colour is # and six hexadecimal digits", "[color]") {
  CHECK(rgbOf("#ff0080") == Rgb{1, 0, 128.0f / 255});
  CHECK(rgbOf("#FF0080") == rgbOf("#ff0080"));
  for (const char* bad : {"", "#", "ff0080", "#ff008", "#ff00800", "#gg0080", " #ff0080", "#ff 080", "red", "#-10000"})
    CHECK_FALSE(rgbOf(bad));
  for (int byte = 0; byte < 256; ++byte) {
    const float part = static_cast<float>(byte) / 255;
    const Rgb color{part, 1 - part, 0};
    CHECK(rgbOf(colorText(color)) == rgbOf(colorText(*rgbOf(colorText(color)))));
    CHECK((*rgbOf(colorText(color)))[0] == part);
  }
  CHECK(colorText({-1, 0.5f, 2}) == "#0080ff");
}

TEST_CASE("A colour property accepts a colour or an empty text, and stores lower-case digits", "[color]") {
  Property color;
  color.key = "x.color";
  color.label = "Colour";
  color.kind = Kind::Text;
  color.color = true;
  color.fallback = std::string();
  CHECK(accept(color, std::string("#AbCdEf")).value() == Value(std::string("#abcdef")));
  CHECK(accept(color, std::string()).value() == Value(std::string()));
  for (const Value& bad : {Value(std::string("blue")), Value(1.0), Value(true)}) {
    const Result<Value> refused = accept(color, bad, "x.color");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Usage);
    CHECK_THAT(refused.error().message, Catch::Contains("x.color"));
  }
}
