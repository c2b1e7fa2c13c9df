// SPDX-License-Identifier: Apache-2.0
// What lies beside a vocabulary: tokenizer_config.json and added_tokens.json.
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/readers.h"

namespace fs = std::filesystem;

namespace sepx::tokenizer {

namespace {

Result<Json> jsonBeside(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return Json::object();
  SEPX_ASSIGN(const std::string text, readFile(file.string(), kLongestFile));
  auto json = parseJson<Json>(text, {.members = kMostAdded});
  if (!json) return fail(json.error().kind, fmt::format("{}: {}", file.string(), json.error().sentence));
  if (!json->is_object()) return fail(ErrorKind::BadInput, fmt::format("{}: it is not an object", file.string()));
  return json;
}

bool flagOf(const Json& json, const char* name, bool otherwise) {
  const auto at = json.find(name);
  return at != json.end() && at->is_boolean() ? at->get<bool>() : otherwise;
}

}  // namespace

std::string Beside::tokenizerClass() const {
  const auto at = config.find("tokenizer_class");
  return at != config.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool Beside::flag(const char* name, bool otherwise) const {
  return flagOf(config, name, otherwise);
}

std::string Beside::tokenOf(const char* name, const char* otherwise) const {
  const auto at = config.find(name);
  if (at == config.end() || at->is_null()) return otherwise;
  if (at->is_string()) return at->get<std::string>();
  const auto content = at->is_object() ? at->find("content") : at->end();
  return at->is_object() && content != at->end() && content->is_string() ? content->get<std::string>() : otherwise;
}

Result<Beside> readBeside(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  Beside beside;
  SEPX_ASSIGN(beside.config, jsonBeside(folder / "tokenizer_config.json"));
  SEPX_ASSIGN(const Json added, jsonBeside(folder / "added_tokens.json"));
  const auto put = [&](AddedToken token, const Json& id) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= kMostTokens) return false;
    token.id = id.get<std::uint32_t>();
    beside.added.push_back(std::move(token));
    return true;
  };
  for (const auto& [content, id] : added.items()) {
    AddedToken token;
    token.content = content;
    token.normalized = false;
    if (!put(std::move(token), id))
      return fail(ErrorKind::BadInput, fmt::format("{}: added_tokens.json: the id of {} is not a whole number",
                                                   folder.string(), inQuotes(content)));
  }
  const auto decoder = beside.config.find("added_tokens_decoder");
  if (decoder == beside.config.end() || !decoder->is_object()) return beside;
  for (const auto& [number, one] : decoder->items()) {
    std::uint32_t id = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), id);
    const auto content = one.is_object() ? one.find("content") : one.end();
    if (parsed.ec != std::errc() || !one.is_object() || content == one.end() || !content->is_string()) continue;
    AddedToken token{content->get<std::string>(),      id,
                     flagOf(one, "special", false),    flagOf(one, "normalized", false),
                     flagOf(one, "lstrip", false),     flagOf(one, "rstrip", false),
                     flagOf(one, "single_word", false)};
    put(std::move(token), Json(std::uint64_t{id}));
  }
  return beside;
}

void addSpecial(const Vocab& vocab, const std::string& content, std::vector<AddedToken>& into) {
  const auto id = vocab.find(content);
  if (!id || content.empty()) return;
  for (const AddedToken& token : into)
    if (token.content == content) return;
  AddedToken token{content, *id, true, false};
  token.leftStrip = content == "<mask>";
  into.push_back(std::move(token));
}

Json aroundOf(const Vocab& vocab, const std::string& before, const std::string& after) {
  Json single = Json::array(), special = Json::object();
  const auto put = [&](const std::string& content) {
    const auto id = vocab.find(content);
    if (content.empty() || !id) return;
    single.push_back(Json{{"SpecialToken", {{"id", content}}}});
    special[content] = Json{{"ids", {*id}}};
  };
  put(before);
  single.push_back(Json{{"Sequence", {{"id", "A"}}}});
  put(after);
  return Json{{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", special}};
}

Result<Opened> openedFrom(const std::string& path, Result<std::unique_ptr<Parts>> parts) {
  if (!parts) return fail(parts.error().kind, fmt::format("{}: {}", path, parts.error().sentence));
  return std::make_shared<const Tokenizer>(*std::move(parts));
}

}  // namespace sepx::tokenizer
