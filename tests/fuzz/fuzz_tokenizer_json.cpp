// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json: read, then a text of every kind of character encoded and its tokens decoded.
#include <cstdlib>

#include "engine/tokenizer/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  const auto opened = tokenizer::readTokenizerJson({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!opened) {
    if (opened.error().message.empty()) std::abort();
    return 0;
  }
  const auto tokens = (*opened)->encode("a\xC3\xA9 \xE4\xBD\xA0 <s> 12,\n\xF0\x9F\x98\x80\xCC\x81");
  if (!tokens) return 0;
  std::vector<std::uint32_t> ids;
  for (const tokenizer::Token& token : *tokens) {
    if (token.begin > token.end || token.end > 22) std::abort();
    ids.push_back(token.id);
  }
  (void)(*opened)->decode(ids);
  return 0;
}
