// SPDX-License-Identifier: Apache-2.0
// JSON from strangers: nesting, numbers of values and members are bounded while the text is read, a name that comes
// twice in an object and a number beyond a double are refused. In time that grows with the text only. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"

namespace sepx {

struct JsonLimits {                ///< of a text from a stranger
  int depth = 64;                  ///< levels of arrays and objects in each other
  std::size_t values = 8'000'000;  ///< in the whole text
  std::size_t members = 100'000;   ///< of one object
};

/// For nlohmann::json and nlohmann::ordered_json. BadInput with the byte offset and the reason, without the file's
/// name.
template <class Json>
Result<Json> parseJson(std::string_view text, const JsonLimits& limits = {});

extern template Result<nlohmann::json> parseJson<nlohmann::json>(std::string_view, const JsonLimits&);
extern template Result<nlohmann::ordered_json> parseJson<nlohmann::ordered_json>(std::string_view, const JsonLimits&);

/// `text` in double quotes for a sentence: cut to 60 bytes, control characters and what is no UTF-8 escaped.
std::string inQuotes(std::string_view text);

}  // namespace sepx
