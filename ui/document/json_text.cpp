// SPDX-License-Identifier: Apache-2.0
#include "ui/document/json_text.h"

#include "engine/core/json.h"

namespace sepx::ui {

std::string compactText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string indentedText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Json> parseJson(std::string_view text) {
  return sepx::parseJson<Json>(text, {.depth = kDeepestNesting});
}

}  // namespace sepx::ui
