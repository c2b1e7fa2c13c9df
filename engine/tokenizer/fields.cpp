// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/fields.h"

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

Result<Fields> Fields::of(const char* what, const Json& json) {
  if (!json.is_object()) return fail(ErrorKind::BadInput, fmt::format("the {} is not an object", what));
  Fields fields(what, json);
  const auto type = json.find("type");
  if (type != json.end() && type->is_string()) fields.type_ = type->get<std::string>();
  return fields;
}

const Json* Fields::find(const char* name) const {
  const auto at = json_->find(name);
  return at == json_->end() || at->is_null() ? nullptr : &*at;
}

tl::unexpected<Error> Fields::refuse(const std::string& why) const {
  return fail(ErrorKind::BadInput, type_.empty() ? fmt::format("{}: {}", what_, why)
                                                 : fmt::format("{} {}: {}", what_, inQuotes(type_), why));
}

tl::unexpected<Error> Fields::unknown() const {
  if (type_.empty()) return fail(ErrorKind::BadInput, fmt::format("the {} does not say its type", what_));
  return fail(ErrorKind::BadInput, fmt::format("the {} {} is not supported", what_, inQuotes(type_)));
}

Result<std::string> Fields::text(const char* name) const {
  const Json* value = find(name);
  if (!value || !value->is_string()) return refuse(fmt::format("\"{}\" is not a text", name));
  return value->get<std::string>();
}

Result<std::string> Fields::text(const char* name, const char* otherwise) const {
  if (!find(name)) return std::string(otherwise);
  return text(name);
}

Result<std::string> Fields::shortText(const char* name, const char* otherwise) const {
  SEPX_ASSIGN(std::string given, otherwise ? text(name, otherwise) : text(name));
  if (given.size() > kLongestAdded)
    return refuse(fmt::format("\"{}\" has {} bytes, more than {}", name, given.size(), kLongestAdded));
  return given;
}

Result<bool> Fields::flag(const char* name, bool otherwise) const {
  const Json* value = find(name);
  if (!value) return otherwise;
  if (!value->is_boolean()) return refuse(fmt::format("\"{}\" is neither true nor false", name));
  return value->get<bool>();
}

Result<std::uint64_t> Fields::number(const char* name, std::optional<std::uint64_t> otherwise,
                                     std::uint64_t most) const {
  const Json* value = find(name);
  if (!value && otherwise) return *otherwise;
  if (!value || !value->is_number_integer() || (!value->is_number_unsigned() && value->get<std::int64_t>() < 0) ||
      value->get<std::uint64_t>() > most)
    return refuse(fmt::format("\"{}\" is not a whole number from 0 to {}", name, most));
  return value->get<std::uint64_t>();
}

Result<Pattern> Fields::pattern(const char* name) const {
  const Json* value = find(name);
  if (value && value->is_object() && value->size() == 1) {
    const auto text = value->find("String"), regex = value->find("Regex");
    if (text != value->end() && text->is_string()) {
      std::string literal = text->get<std::string>();
      if (literal.size() <= kLongestPattern) return Pattern::text(std::move(literal));
      return refuse(fmt::format("\"{}\" has {} bytes, more than {}", name, literal.size(), kLongestPattern));
    }
    if (regex != value->end() && regex->is_string()) return Pattern::regex(regex->get<std::string>());
  }
  return refuse(fmt::format("\"{}\" is neither a String nor a Regex", name));
}

Result<const Json*> Fields::list(const char* name) const {
  const Json* value = find(name);
  if (!value || !value->is_array()) return refuse(fmt::format("\"{}\" is not a list", name));
  return value;
}

}  // namespace sepx::tokenizer
