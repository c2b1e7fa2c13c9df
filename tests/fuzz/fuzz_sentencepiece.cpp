// SPDX-License-Identifier: Apache-2.0
// Files of tokenizers other than tokenizer.json. The first byte selects the format and the other files of its folder.
// The contents of those files come first, each ended by a NUL; an empty file does not exist.
#include <algorithm>
#include <array>
#include <span>

#include "tests/engine/tokenizer/look_at_tokenizer.h"
#include "tests/fuzz/look.h"

namespace {

struct Kind {
  const char* name;
  std::array<const char*, 3> beside{};  ///< null: none
};
constexpr const char* kConfig = "tokenizer_config.json";
// tiktoken files are recognised by their number of ranks, which no input of a fuzzer has. So only their lines are read.
constexpr std::array<Kind, 8> kKinds{{{"tokenizer.model"},
                                      {"tok512.bin"},
                                      {"vocab.txt"},
                                      {"tekken.json"},
                                      {"vocab.json", {kConfig, "added_tokens.json", "merges.txt"}},
                                      {"vocab.txt", {kConfig, "added_tokens.json"}},
                                      {"tokenizer.model", {kConfig}},
                                      {"ranks.tiktoken"}}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  if (size == 0) return 0;
  const Kind& kind = kKinds[data[0] % kKinds.size()];
  std::span<const std::uint8_t> rest(data + 1, size - 1);
  for (const char* const name : kind.beside) {
    if (!name) break;
    const auto end = static_cast<std::size_t>(std::find(rest.begin(), rest.end(), 0) - rest.begin());
    if (end > 0) fuzz::lay(name, rest.first(end));
    rest = rest.subspan(std::min(end + 1, rest.size()));
  }
  const auto opened = tokenizer::openTokenizer(fuzz::lay(kind.name, rest));
  if (opened)
    fuzz::lookAtTokenizer(**opened);
  else
    fuzz::checkSentence(opened.error());
  fuzz::clear(kind.name);
  for (const char* const name : kind.beside)
    if (name) fuzz::clear(name);
  return 0;
}
