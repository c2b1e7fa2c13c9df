// SPDX-License-Identifier: Apache-2.0
// Character classes as the tokenizers library defines them (Unicode 14), iteration over UTF-8, and GPT-2's byte
// alphabet. Private to engine/tokenizer; pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sepx::tokenizer {

struct Character {  ///< a character of UTF-8
  char32_t code = 0;
  std::size_t length = 1;  ///< bytes
};

/// The character that begins at byte `at`; the text must be UTF-8.
Character characterAt(std::string_view text, std::size_t at);

bool isBlank(char32_t code);           ///< White_Space
bool isWord(char32_t code);            ///< \w of Unicode's rules for patterns
bool isNumber(char32_t code);          ///< N*
bool isPunctuation(char32_t code);     ///< P*, and the symbols of ASCII
bool isMark(char32_t code);            ///< M*
bool isNonspacingMark(char32_t code);  ///< Mn
bool isControl(char32_t code);         ///< Cc, Cf, Co; not tab, newline, carriage return
bool isChinese(char32_t code);         ///< characters that BERT surrounds with spaces
bool mayJoinPrevious(char32_t code);   ///< normalisation may combine it with, or reorder it among, those before it
/// Whether a grapheme cluster ends between the two, by utf8proc. `state` must be 0 before the first pair of a text.
bool breaksGrapheme(char32_t before, char32_t after, std::int32_t& state);
/// Appends the lower-case form, one or two characters.
void appendLower(std::string& text, char32_t code);

/// The character that GPT-2 writes for a byte: itself for printable Latin-1, otherwise one from U+0100 on.
std::string_view byteCharacter(unsigned char byte);
/// The inverse for a whole token; nothing when a character represents no byte.
std::optional<std::string> bytesOfCharacters(std::string_view token);
/// The byte that a token such as "<0x0A>" represents.
std::optional<char> byteOfName(std::string_view token);
/// The name of a byte: "<0x0A>".
std::string nameOfByte(unsigned char byte);
/// Replaces every maximal incomplete beginning of a character by U+FFFD, as the reference's decoder does.
std::string replaceBroken(std::string_view bytes);

}  // namespace sepx::tokenizer
