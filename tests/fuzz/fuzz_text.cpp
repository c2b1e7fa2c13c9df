// SPDX-License-Identifier: Apache-2.0
// Training texts: the first byte selects the suffix and the tokens, the other bytes are the file. An accepted text is
// tokenised and decoded again, and a window of it is drawn at random.
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/data/text_file.h"
#include "engine/data/text_source.h"
#include "engine/data/tokeniser.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sepx;
  if (size == 0) return 0;
  constexpr std::array kNames{"text.txt", "text.csv", "text.jsonl", "text.tsv"};
  const std::size_t kind = bytes[0] % kNames.size();
  data::SourceConfig config;
  config.kind = data::SourceKind::Text;
  config.tokens = static_cast<data::Tokens>(bytes[0] / 4 % 3);
  config.vocabulary = config.tokens == data::Tokens::BytePairs ? 300 : 0;
  const std::string path = fuzz::lay(kNames[kind], {bytes + 1, size - 1});
  const auto text = data::readText(path, kind == 0 ? "" : "text", std::size_t{1} << 22);
  fuzz::clear(kNames[kind]);
  if (!text) {
    fuzz::checkSentence(text.error());
    return 0;
  }
  if (const auto tokeniser = data::makeTokeniser(config.tokens, 300, *text, text->size())) {
    const auto tokens = (*tokeniser)->encode(*text);
    if (!tokens || (*tokeniser)->decode(*tokens) != *text) std::abort();
  }
  const auto source = data::makeTextSource(*text, config, path);
  if (!source) {
    fuzz::checkSentence(source.error());
    return 0;
  }
  std::vector<std::int32_t> window(16);
  for (const auto split : {data::Split::Train, data::Split::Validation})
    for (std::uint64_t index = 0; index < 4; ++index) {
      if ((*source)->sequence(split, index, 16, window) < 2) std::abort();
      for (const std::int32_t token : window)
        if (token < 0 || token >= (*source)->vocabulary()) std::abort();
    }
  return 0;
}
