// SPDX-License-Identifier: Apache-2.0
// Used by the fuzzers of tokenizers: encodes and decodes a short text and a long one with a tokenizer read from a file.
// An offset outside the text, or an error whose message is not a sentence of one line, is a finding. Without Catch2.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/core/utf8.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/fuzz/look.h"

namespace sepx::fuzz {

/// About 5 KB: runs of one letter, and characters of every script.
inline std::string longText() {
  std::string text;
  for (const std::size_t run : {1, 2, 3, 7, 64, 300})
    text.append(run, 'a').append(1, ' ');
  for (char32_t code = 0x20; code < 0x20000; code += 89)
    appendUtf8(text, code);
  return text;
}

inline void lookAtTokenizer(const tokenizer::Tokenizer& opened) {
  static const std::array<std::string, 2> kTexts{"a\xC3\xA9 \xE4\xBD\xA0 <s> 12,\n\xF0\x9F\x98\x80\xCC\x81",
                                                 longText()};
  for (const std::string& text : kTexts) {
    const auto tokens = opened.encode(text);
    if (!tokens) checkSentence(tokens.error());
    std::vector<std::uint32_t> ids;
    if (tokens) {
      for (const tokenizer::Token& token : *tokens) {
        if (token.begin > token.end || token.end > text.size()) finding("place of a token", std::to_string(token.id));
        ids.push_back(token.id);
      }
    }
    if (const auto back = opened.decode(ids); !back) checkSentence(back.error());
  }
}

}  // namespace sepx::fuzz
