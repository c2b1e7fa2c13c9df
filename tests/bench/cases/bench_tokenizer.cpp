// SPDX-License-Identifier: Apache-2.0
// Benchmark of a tokenizer of Gemma's size: 262,144 pieces in the style of SentencePiece with the merges that form
// them, in a tokenizer.json like Gemma's (one value per line, about 33 MB), with thousands of added tokens. Measured
// are the time from the file to the tokenizer, and from 1 MB of text to tokens, once with spaces between words and once
// without.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/text.h"
#include "engine/core/random.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/bench/cases/bench.h"

namespace sepx::app::cli {
namespace {

constexpr std::size_t kPieces = 262'144, kMerges = 514'000, kUnused = 6'242, kTextBytes = 1'000'000;
constexpr const char* kBlank = "\u2581";

/// Pieces in the order of their ids: control pieces, bytes, letters, and the results of merges.
struct Pieces {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> merges;
  std::size_t firstLetter = 0;
};

void addLetters(Pieces& pieces) {
  pieces.names = {"<unk>", "<bos>", "<eos>"};
  for (std::size_t i = 0; i < kUnused; ++i)
    pieces.names.push_back(fmt::format("<unused{}>", i));
  for (int byte = 0; byte < 256; ++byte)
    pieces.names.push_back(fmt::format("<0x{:02X}>", byte));
  pieces.firstLetter = pieces.names.size();
  pieces.names.emplace_back(kBlank);
  for (char letter = 'a'; letter <= 'z'; ++letter)
    pieces.names.emplace_back(1, letter);
  for (const char32_t first : {U'A', U'\u00E0', U'\u0430', U'\u4E00'})
    for (char32_t i = 0; i < 24; ++i)
      appendUtf8(pieces.names.emplace_back(), first + i);
}

/// Whether a byte begins a UTF-8 character.
bool begins(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

Pieces makePieces() {
  Pieces pieces;
  addLetters(pieces);
  std::unordered_set<std::string> known(pieces.names.begin() + static_cast<std::ptrdiff_t>(pieces.firstLetter),
                                        pieces.names.end());
  RandomStream random(1);
  // Early pieces are short and are part of many others, as in a trained vocabulary.
  const auto earlier = [&]() -> const std::string& {
    const double share = random.uniform();
    const auto count = static_cast<double>(pieces.names.size() - pieces.firstLetter);
    return pieces.names[pieces.firstLetter + static_cast<std::size_t>(share * share * share * count)];
  };
  while (pieces.names.size() < kPieces) {
    const std::string left = earlier(), right = earlier(), whole = left + right;
    if (whole.size() > 16 || right.starts_with(kBlank) || !known.insert(whole).second) continue;
    pieces.merges.emplace_back(left, right);
    // Every other pair of known pieces that forms this piece is also a merge.
    for (std::size_t at = 1; at < whole.size() && pieces.merges.size() < kMerges; ++at)
      if (at != left.size() && begins(whole[at]) && known.contains(whole.substr(0, at)) &&
          known.contains(whole.substr(at)))
        pieces.merges.emplace_back(whole.substr(0, at), whole.substr(at));
    pieces.names.push_back(whole);
  }
  return pieces;
}

std::string tokenizerJson(const Pieces& pieces) {
  std::string json = "{\n  \"version\": \"1.0\",\n  \"added_tokens\": [\n";
  for (std::size_t id = 0; id < 3 + kUnused; ++id)
    json += fmt::format(
        "{}    {{\n      \"id\": {},\n      \"content\": \"{}\",\n      \"single_word\": false,\n      \"lstrip\": "
        "false,\n      \"rstrip\": false,\n      \"normalized\": false,\n      \"special\": {}\n    }}",
        id == 0 ? "" : ",\n", id, pieces.names[id], id < 3);
  json += R"(
  ],
  "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
  "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": false},
  "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<bos>", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}}], "special_tokens": {"<bos>": {"id": "<bos>", "ids": [1]}}},
  "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "ByteFallback"}, {"type": "Fuse"}]},
  "model": {
    "type": "BPE",
    "unk_token": "<unk>",
    "fuse_unk": true,
    "byte_fallback": true,
    "vocab": {
)";
  for (std::size_t id = 0; id < pieces.names.size(); ++id)
    json += fmt::format("{}      \"{}\": {}", id == 0 ? "" : ",\n", pieces.names[id], id);
  json += "\n    },\n    \"merges\": [\n";
  for (std::size_t i = 0; i < pieces.merges.size(); ++i)
    json += fmt::format("{}      [\n        \"{}\",\n        \"{}\"\n      ]", i == 0 ? "" : ",\n",
                        pieces.merges[i].first, pieces.merges[i].second);
  return json + "\n    ]\n  }\n}\n";
}

/// Random pieces in sequence. With `blanks`, a space precedes every piece that begins a word and a third of the others.
std::string someText(const Pieces& pieces, bool blanks) {
  RandomStream random(2);
  std::string text;
  while (text.size() < kTextBytes) {
    std::string piece = pieces.names[pieces.firstLetter + random.below(pieces.names.size() - pieces.firstLetter)];
    const bool word = piece.starts_with(kBlank);
    if (word) piece.erase(0, std::string_view(kBlank).size());
    if (blanks && (word || random.below(3) == 0)) text += ' ';
    text += piece;
  }
  return text;
}

}  // namespace

Result<BenchResult> benchTokenizer(const Options&) {
  const Pieces pieces = makePieces();
  const std::string json = tokenizerJson(pieces);
  BenchResult result{"tokenizer"};
  Measurement loaded{"load",
                     trf(N_("a tokenizer.json of {} MB, {} tokens, {} merges"), json.size() / 1'000'000,
                         pieces.names.size(), pieces.merges.size()),
                     {}};
  tokenizer::Opened opened;
  SEPX_TRY(measure(loaded, {9, 1}, [&]() -> Result<void> {
    opened.reset();
    SEPX_ASSIGN(opened, tokenizer::readTokenizerJson(json, "bench"));
    return {};
  }));
  result.measurements.push_back(std::move(loaded));
  for (const bool blanks : {true, false}) {
    const std::string text = someText(pieces, blanks);
    Measurement split{
        blanks ? "words" : "one-word",
        blanks ? tr(N_("1 MB of text with spaces to tokens")) : tr(N_("1 MB of text without spaces to tokens")),
        {}};
    SEPX_TRY(measure(split, {5, 1}, [&]() -> Result<void> {
      SEPX_TRY(opened->encode(text));
      return {};
    }));
    result.measurements.push_back(std::move(split));
  }
  return result;
}

}  // namespace sepx::app::cli
