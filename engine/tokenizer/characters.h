// SPDX-License-Identifier: Apache-2.0
// Classes of characters as the tokenizers library sees them (Unicode 14), walks over UTF-8, and GPT-2's alphabet of
// bytes. Private to engine/tokenizer; pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sepx::tokenizer {

struct Character {  ///< of UTF-8
  char32_t code = 0;
  std::size_t length = 1;  ///< bytes
};

/// The character that begins at `at`; the text is UTF-8.
Character characterAt(std::string_view text, std::size_t at);

bool isBlank(char32_t code);           ///< White_Space
bool isWord(char32_t code);            ///< \w of Unicode's rules for patterns
bool isNumber(char32_t code);          ///< N*
bool isPunctuation(char32_t code);     ///< P*, and the signs of ASCII
bool isMark(char32_t code);            ///< M*
bool isNonspacingMark(char32_t code);  ///< Mn
bool isControl(char32_t code);         ///< Cc, Cf, Co; not tab, newline, carriage return
bool isChinese(char32_t code);         ///< what BERT puts blanks around
bool mayJoinPrevious(char32_t code);   ///< a normal form may join it to, or order it among, what is before it
/// Whether a grapheme cluster ends between the two, by utf8proc. `state` is 0 before the first pair of a text.
bool breaksGrapheme(char32_t before, char32_t after, std::int32_t& state);
/// The small letter, one or two characters, appended.
void appendLower(std::string& text, char32_t code);

/// Bytes as GPT-2 writes them: printable ones of Latin-1 as themselves, the others from U+0100 on.
std::string_view byteCharacter(unsigned char byte);
/// The other way, of a whole token; nothing when a character stands for no byte.
std::optional<std::string> bytesOfCharacters(std::string_view token);
/// "<0x0A>" as the byte it stands for.
std::optional<char> byteOfName(std::string_view token);
/// "<0x0A>"
std::string nameOfByte(unsigned char byte);
/// U+FFFD for every longest beginning of a character that does not go on, as the reference's decoder does.
std::string replaceBroken(std::string_view bytes);

}  // namespace sepx::tokenizer
