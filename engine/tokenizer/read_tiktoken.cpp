// SPDX-License-Identifier: Apache-2.0
// Reads tiktoken's ranks: lines of base64 and a number, which is id and rank. The expression that splits a text and the
// special tokens are not in the file but in programs; here the number of ranks selects them. Kimi reserves ids after
// the ranks, and tokenizer_config.json beside the file names some of them.
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/patterns_known.h"
#include "engine/tokenizer/ranked_tokens.h"
#include "engine/tokenizer/readers.h"

namespace sepx::tokenizer {

namespace {

struct KnownRanks {
  const char* name;
  std::size_t ranks;
  const char* expression;
  const char* first;  ///< put before a text; null: none
  std::array<std::pair<const char*, std::uint32_t>, 5> specials;
  std::uint32_t reserved = 0;  ///< ids after the ranks, named by their number or by the files beside
};

constexpr std::array<KnownRanks, 6> kKnownRanks = {
    {{"GPT-2's", 50256, kGpt2Words, nullptr, {{{"<|endoftext|>", 50256}}}},
     {"cl100k's", 100256, kLlama3Words, nullptr, {{{"<|endoftext|>", 100257}}}},
     {"LLaMA 3's",
      128000,
      kLlama3Words,
      "<|begin_of_text|>",
      {{{"<|begin_of_text|>", 128000},
        {"<|end_of_text|>", 128001},
        {"<|start_header_id|>", 128006},
        {"<|end_header_id|>", 128007},
        {"<|eot_id|>", 128009}}}},
     {"Qwen's",
      151643,
      kQwen2Words,
      nullptr,
      {{{"<|endoftext|>", 151643}, {"<|im_start|>", 151644}, {"<|im_end|>", 151645}}}},
     {"o200k's", 199998, kO200kWords, nullptr, {{{"<|endoftext|>", 199999}}}},
     {"Kimi's", 163584, kKimiWords, nullptr, {}, 256}}};

Result<void> addRank(std::string_view line, std::size_t number, RankedTokens& tokens) {
  const std::size_t blank = line.find(' ');
  std::uint64_t rank = 0;
  const std::string_view digits = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
    return fail(ErrorKind::BadInput, fmt::format("line {}: is not base64 and a rank", number + 1));
  auto added = tokens.add(line.substr(0, blank), rank);
  if (!added) return fail(ErrorKind::BadInput, fmt::format("line {}: {}", number + 1, added.error().message));
  return {};
}

/// The special tokens for known ranks; the files beside give the names of reserved ones.
Result<std::vector<AddedToken>> specialsOf(const KnownRanks& known, const std::string& path) {
  std::vector<AddedToken> added;
  for (const auto& [content, id] : known.specials)
    if (content) added.push_back({content, id, true, false});
  if (known.reserved == 0) return added;
  SEPX_ASSIGN(const SiblingFiles beside, readSiblingFiles(path));
  const auto first = static_cast<std::uint32_t>(known.ranks);
  for (std::uint32_t id = first; id < first + known.reserved; ++id)
    added.push_back({fmt::format("<|reserved_token_{}|>", id), id, true, false});
  for (const AddedToken& named : beside.added)
    if (named.id >= first && named.id < first + known.reserved)
      added[named.id - first] = {named.content, named.id, named.special, false};
  return added;
}

Result<std::unique_ptr<Parts>> partsOfTiktoken(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  RankedTokens tokens;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) SEPX_TRY(addRank(line, number, tokens));
    at = end + 1;
  }
  const auto known = std::find_if(kKnownRanks.begin(), kKnownRanks.end(),
                                  [&](const KnownRanks& one) { return one.ranks == tokens.count(); });
  if (known == kKnownRanks.end())
    return fail(ErrorKind::BadInput,
                fmt::format("the file of {} ranks does not say how a text is split, and no supported tokenizer has "
                            "that many",
                            tokens.count()));
  SEPX_ASSIGN(std::vector<AddedToken> added, specialsOf(*known, path));
  SEPX_ASSIGN(auto parts, std::move(tokens).parts("tiktoken", known->expression, std::move(added)));
  if (known->first) parts->around.before.push_back(parts->added.byContent(known->first)->id);
  parts->notes.push_back(fmt::format(
      "the file does not say how a text is split: from the number of ranks, it is assumed to be {}", known->name));
  return parts;
}

}  // namespace

Result<Opened> readTiktoken(const std::string& path) {
  return openedFrom(path, partsOfTiktoken(path));
}

}  // namespace sepx::tokenizer
