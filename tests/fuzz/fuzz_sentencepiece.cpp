// SPDX-License-Identifier: Apache-2.0
// Files of tokenizers other than tokenizer.json: the first byte chooses SentencePiece's model, llama2.c's tok.bin,
// vocab.txt or tekken.json.
#include <array>
#include <cstdlib>

#include "engine/tokenizer/tokenizer.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  if (size == 0) return 0;
  constexpr std::array kNames{"tokenizer.model", "tok512.bin", "vocab.txt", "tekken.json"};
  const std::string name = kNames[data[0] % kNames.size()];
  const auto opened = tokenizer::openTokenizer(fuzz::lay(name, {data + 1, size - 1}));
  if (!opened && opened.error().message.empty()) std::abort();
  if (opened) {
    const auto tokens = (*opened)->encode("a\xC3\xA9 \xE4\xBD\xA0 <s> 12,\n\xF0\x9F\x98\x80\xCC\x81");
    std::vector<std::uint32_t> ids;
    if (tokens)
      for (const tokenizer::Token& token : *tokens)
        ids.push_back(token.id);
    (void)(*opened)->decode(ids);
  }
  fuzz::clear(name);
  return 0;
}
