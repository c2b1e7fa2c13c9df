// SPDX-License-Identifier: Apache-2.0
// Writes and parses JSON text, safely for untrusted input: nesting is bounded before any recursive code runs, numbers
// beyond a double are rejected, and a string that is not UTF-8 cannot make writing fail. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/json.h"
#include "ui/document/document.h"

namespace sepx::ui {

constexpr int kDeepestNesting = 64;

inline std::string compactText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}
inline std::string indentedText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}
/// BadInput with the byte offset and the reason, without the file's name.
inline Result<Json> parseJson(std::string_view text) {
  return sepx::parseJson<Json>(text, {.depth = kDeepestNesting});
}

}  // namespace sepx::ui
