// SPDX-License-Identifier: Apache-2.0
#include "ui/document/json_text.h"

#include <optional>

#include <fmt/format.h>

namespace sepx::ui {
namespace {

/// Offset of the first bracket that is deeper than kDeepestNesting.
std::optional<std::size_t> tooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') ++i;
      if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestNesting) return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::nullopt;
}

/// The library names the number that overflows, not its place: it is the first such word of the text.
std::string overflowSentence(std::string_view text, std::string_view what) {
  const std::size_t open = what.find('\'');
  const std::size_t close = what.rfind('\'');
  if (open == std::string_view::npos || close <= open) return "a number is beyond the range of a double";
  const std::string_view number = what.substr(open + 1, close - open - 1);
  return fmt::format("byte {}: the number {} is beyond the range of a double", text.find(number), number.substr(0, 40));
}

}  // namespace

std::string compactText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string indentedText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Json> parseJson(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(ErrorKind::BadInput, "the file is empty");
  if (const auto offset = tooDeep(text)) {
    return fail(ErrorKind::BadInput, fmt::format("byte {}: nested deeper than {} levels", *offset, kDeepestNesting));
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
    const char* const reason = byte >= text.size() ? "the text ends in the middle" : "this is not JSON from here on";
    return fail(ErrorKind::BadInput, fmt::format("byte {}: {}", byte, reason));
  } catch (const Json::out_of_range& error) {
    return fail(ErrorKind::BadInput, overflowSentence(text, error.what()));
  }
}

}  // namespace sepx::ui
