// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json: it is read, then texts with all kinds of characters are encoded and their tokens decoded.
#include "tests/engine/tokenizer/look_at_tokenizer.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  const auto opened = tokenizer::readTokenizerJson({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (opened)
    fuzz::lookAtTokenizer(**opened);
  else
    fuzz::checkSentence(opened.error());
  return 0;
}
