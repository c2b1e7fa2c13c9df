// SPDX-License-Identifier: Apache-2.0
// JSON as text and back, safe with text from strangers: nesting is bounded before anything recursive sees it, numbers
// beyond a double are refused, and a string that is not UTF-8 cannot stop a file from being written. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

constexpr int kDeepestNesting = 64;

std::string compactText(const Json& json);
std::string indentedText(const Json& json);
/// BadInput with the byte offset and the reason, without the file's name.
Result<Json> parseJson(std::string_view text);

}  // namespace sepx::ui
