// SPDX-License-Identifier: Apache-2.0
// Reads Mistral's tekken.json: the expression that splits a text, tokens by rank, and special tokens, whose ids come
// before those of the ranked ones. Texts are not searched for special tokens.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/ranked_tokens.h"
#include "engine/tokenizer/readers.h"

namespace sepx::tokenizer {

namespace {

/// The special tokens of files that list none (versions v1 to v7).
constexpr std::array<const char*, 20> kEarlySpecials = {"<unk>",
                                                        "<s>",
                                                        "</s>",
                                                        "[INST]",
                                                        "[/INST]",
                                                        "[AVAILABLE_TOOLS]",
                                                        "[/AVAILABLE_TOOLS]",
                                                        "[TOOL_RESULTS]",
                                                        "[/TOOL_RESULTS]",
                                                        "[TOOL_CALLS]",
                                                        "[IMG]",
                                                        "<pad>",
                                                        "[IMG_BREAK]",
                                                        "[IMG_END]",
                                                        "[PREFIX]",
                                                        "[MIDDLE]",
                                                        "[SUFFIX]",
                                                        "[SYSTEM_PROMPT]",
                                                        "[/SYSTEM_PROMPT]",
                                                        "[TOOL_CONTENT]"};
constexpr std::array<const char*, 4> kEarlyVersions = {"v1", "v2", "v3", "v7"};

AddedToken specialOf(std::string content, std::size_t id) {
  AddedToken token{std::move(content), static_cast<std::uint32_t>(id), true, false};
  token.searched = false;
  return token;
}

/// Special tokens by id; those that the file omits are named by their number.
Result<std::vector<AddedToken>> specialsOfTekken(const Json& json, const Fields& config, std::size_t count) {
  std::vector<AddedToken> specials;
  if (const auto named = json.find("special_tokens"); named != json.end() && !named->is_null()) {
    if (!named->is_array()) return fail(ErrorKind::BadInput, "\"special_tokens\" is not a list");
    for (const Json& one : *named) {
      SEPX_ASSIGN(const Fields fields, Fields::of("special token", one));
      SEPX_ASSIGN(const std::uint64_t rank, fields.number("rank", std::nullopt, kMostTokens - 1));
      SEPX_ASSIGN(std::string content, fields.text("token_str"));
      if (rank != specials.size())
        return fail(ErrorKind::BadInput, fmt::format("the rank {} of {} is out of order", rank, inQuotes(content)));
      specials.push_back(specialOf(std::move(content), rank));
    }
  } else {
    SEPX_ASSIGN(const std::string version, config.text("version"));
    if (std::ranges::find(kEarlyVersions, version) == kEarlyVersions.end())
      return fail(ErrorKind::BadInput,
                  fmt::format("it names no special tokens, as files of version {} have to", inQuotes(version)));
    for (const char* const content : kEarlySpecials)
      specials.push_back(specialOf(content, specials.size()));
  }
  if (specials.size() > count)
    return fail(ErrorKind::BadInput,
                fmt::format("it has {} special tokens where it says that there are {}", specials.size(), count));
  while (specials.size() < count)
    specials.push_back(specialOf(fmt::format("<SPECIAL_{}>", specials.size()), specials.size()));
  return specials;
}

Result<std::unique_ptr<Parts>> partsOfTekken(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  SEPX_ASSIGN(const Json json, parseJson<Json>(text));
  if (!json.is_object() || !json.contains("config") || !json.contains("vocab"))
    return fail(ErrorKind::BadInput, "it has no \"config\" and \"vocab\", as tekken.json has");
  SEPX_ASSIGN(const Fields config, Fields::of("config", json["config"]));
  SEPX_ASSIGN(const std::string expression, config.text("pattern"));
  SEPX_ASSIGN(const std::uint64_t all, config.number("default_vocab_size", std::nullopt, kMostTokens));
  SEPX_ASSIGN(const std::uint64_t special, config.number("default_num_special_tokens", std::nullopt, kMostAdded));
  const Json& vocab = json["vocab"];
  if (!vocab.is_array() || all <= special || vocab.size() < all - special)
    return fail(ErrorKind::BadInput, fmt::format("it has {} tokens and should have {} after {} special ones",
                                                 vocab.is_array() ? vocab.size() : 0, all, special));
  RankedTokens tokens(static_cast<std::uint32_t>(special));
  for (std::size_t i = 0; i < all - special; ++i) {
    SEPX_ASSIGN(const Fields fields, Fields::of("token", vocab[i]));
    SEPX_ASSIGN(const std::uint64_t rank, fields.number("rank", std::nullopt, kMostTokens));
    SEPX_ASSIGN(const std::string bytes, fields.text("token_bytes"));
    SEPX_TRY(tokens.add(bytes, rank));
  }
  SEPX_ASSIGN(std::vector<AddedToken> specials, specialsOfTekken(json, config, special));
  SEPX_ASSIGN(auto parts, std::move(tokens).parts("tekken.json", expression, std::move(specials)));
  if (const AddedToken* const first = parts->added.byContent("<s>")) parts->around.before.push_back(first->id);
  return parts;
}

}  // namespace

Result<Opened> readTekken(const std::string& path) {
  return openedFrom(path, partsOfTekken(path));
}

}  // namespace sepx::tokenizer
