// SPDX-License-Identifier: Apache-2.0
// The only place where a text that is not known at compile time is used as a format string.
#include "ui/properties/tr_format.h"

#include <optional>

#include <fmt/args.h>

namespace sepx::ui {
namespace {

std::optional<std::string> tried(const char* text, fmt::format_args values) {
  try {
    return fmt::vformat(text, values);
  } catch (const fmt::format_error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string formatted(const char* text, fmt::format_args values) {
  return formatted(tr(text), text, values);
}

std::string formatted(const char* translated, const char* text, fmt::format_args values) {
  if (auto sentence = tried(translated, values)) return *std::move(sentence);
  return tried(text, values).value_or(text);
}

std::string trFormat(const Sentence& sentence) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  for (const std::string& value : sentence.values)  // values that are words are translated too
    values.push_back(value.empty() ? value : std::string(tr(value.c_str())));
  return formatted(sentence.pattern, values);
}

}  // namespace sepx::ui
