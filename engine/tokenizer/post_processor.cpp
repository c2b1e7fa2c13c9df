// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/post_processor.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kMostAround = 1024;

tl::unexpected<Error> tooMany(const Fields& fields) {
  return fields.refuse(fmt::format("it adds more than {} tokens", kMostAround));
}

bool isId(const Json& json) {
  return json.is_number_unsigned() && json.get<std::uint64_t>() < kMostTokens;
}

/// Reads the id of a pair such as ["<s>", 0].
Result<std::uint32_t> namedId(const Fields& fields, const char* name) {
  const Json* pair = fields.find(name);
  if (!pair || !pair->is_array() || pair->size() != 2 || !isId((*pair)[1]))
    return fields.refuse(fmt::format("\"{}\" is not a token and its id", name));
  return (*pair)[1].get<std::uint32_t>();
}

Result<void> appendSpecial(const Fields& fields, const Json& special, std::vector<std::uint32_t>& into) {
  const auto name = special.is_object() ? special.find("id") : special.end();
  const Json* all = fields.find("special_tokens");
  if (!special.is_object() || name == special.end() || !name->is_string() || !all || !all->is_object())
    return fields.refuse("a special token of the template is not named");
  const auto token = all->find(name->get<std::string>());
  const auto ids = token != all->end() && token->is_object() ? token->find("ids") : all->end();
  if (token == all->end() || !token->is_object() || ids == token->end() || !ids->is_array())
    return fields.refuse(
        fmt::format("the template's token {} is not among its special tokens", inQuotes(name->get<std::string>())));
  for (const Json& id : *ids) {
    if (!isId(id)) return fields.refuse("an id of the template is not a whole number");
    if (into.size() == kMostAround) return tooMany(fields);
    into.push_back(id.get<std::uint32_t>());
  }
  return {};
}

Result<SurroundingTokens> readTemplate(const Fields& fields) {
  SEPX_ASSIGN(const Json* parts, fields.list("single"));
  SurroundingTokens around;
  bool passed = false;
  for (const Json& part : *parts) {
    if (part.is_object() && part.contains("Sequence")) {
      if (passed) return fields.refuse("the text occurs twice");
      passed = true;
      continue;
    }
    if (!part.is_object() || !part.contains("SpecialToken"))
      return fields.refuse("a part is neither a Sequence nor a SpecialToken");
    SEPX_TRY(appendSpecial(fields, part["SpecialToken"], passed ? around.after : around.before));
  }
  if (!passed) return fields.refuse("the text is missing");
  return around;
}

Result<SurroundingTokens> readSequence(const Fields& fields, int depth) {
  SEPX_ASSIGN(const Json* list, fields.list("processors"));
  SurroundingTokens all;
  for (const Json& one : *list) {
    SEPX_ASSIGN(const SurroundingTokens around, readPostProcessor(one, depth + 1));
    all.before.insert(all.before.begin(), around.before.begin(), around.before.end());
    all.after.insert(all.after.end(), around.after.begin(), around.after.end());
    if (std::max(all.before.size(), all.after.size()) > kMostAround) return tooMany(fields);
  }
  return all;
}

}  // namespace

Result<SurroundingTokens> readPostProcessor(const Json& json, int depth) {
  if (json.is_null()) return SurroundingTokens();
  SEPX_ASSIGN(const Fields fields, Fields::of("post_processor", json));
  if (depth > kDeepestComponent) return fields.refuse("components are nested too deep");
  const std::string& type = fields.type();
  if (type == "ByteLevel") return SurroundingTokens();
  if (type == "TemplateProcessing") return readTemplate(fields);
  if (type == "Sequence") return readSequence(fields, depth);
  if (type == "RobertaProcessing" || type == "BertProcessing") {
    SEPX_ASSIGN(const std::uint32_t first, namedId(fields, "cls"));
    SEPX_ASSIGN(const std::uint32_t last, namedId(fields, "sep"));
    return SurroundingTokens{{first}, {last}};
  }
  return fields.unknown();
}

}  // namespace sepx::tokenizer
