// SPDX-License-Identifier: Apache-2.0
#include "engine/core/utf8.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace sepx;

TEST_CASE("The first byte that is not valid UTF-8 is found") {
  CHECK_FALSE(findInvalidUtf8(""));
  CHECK_FALSE(findInvalidUtf8("naïve π → 𝄞"));
  CHECK(findInvalidUtf8("ab\xFF") == 2);
  CHECK(findInvalidUtf8("\xC0\x80") == 0);          // overlong NUL
  CHECK(findInvalidUtf8("\xE0\x80\x80") == 0);      // overlong
  CHECK(findInvalidUtf8("\xED\xA0\x80") == 0);      // surrogate
  CHECK(findInvalidUtf8("\xF4\x90\x80\x80") == 0);  // above U+10FFFF
  CHECK(findInvalidUtf8("a\xE2\x82") == 1);         // truncated
  CHECK(findInvalidUtf8("a\xE2(\xA1") == 1);
}

TEST_CASE("UTF-8 is decoded, and invalid bytes become the replacement character", "[font]") {
  CHECK((decodeUtf8("aβ∈𝄞") == std::vector<char32_t>{U'a', U'β', U'∈', U'𝄞'}));
  CHECK((decodeUtf8("\xC3") == std::vector<char32_t>{U'\uFFFD'}));
  CHECK((decodeUtf8("a\x80z") == std::vector<char32_t>{U'a', U'\uFFFD', U'z'}));
  CHECK((decodeUtf8("\xE2\x88") == std::vector<char32_t>{U'\uFFFD', U'\uFFFD'}));
  CHECK((decodeUtf8("\xC0\xAF") == std::vector<char32_t>{U'\uFFFD', U'\uFFFD'}));  // overlong
  CHECK((decodeUtf8("\xED\xA0\x80").front() == U'\uFFFD'));                        // surrogate
  CHECK((decodeUtf8("\xF4\x90\x80\x80").front() == U'\uFFFD'));                    // above U+10FFFF
}

TEST_CASE("Every code point survives the round trip through UTF-8", "[utf8]") {
  for (char32_t code = 1; code <= 0x10FFFF; code += code < 0x1000 ? 1 : 251) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    appendUtf8(text, code);
    if (decodeUtf8(text) != std::vector<char32_t>{code} || findInvalidUtf8(text))
      FAIL_CHECK(static_cast<unsigned>(code));
  }
  for (const char32_t none : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}}) {
    std::string text;
    appendUtf8(text, none);
    CHECK(text == "\xEF\xBF\xBD");
  }
}
