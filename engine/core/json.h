// SPDX-License-Identifier: Apache-2.0
// Parses JSON from untrusted sources. Nesting and the numbers of values and members are limited while the text is
// parsed. Duplicate names in an object and numbers beyond the range of a double are rejected. The time grows only with
// the length of the text. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"

namespace sepx {

struct JsonLimits {                ///< limits for an untrusted text
  int depth = 64;                  ///< nesting depth of arrays and objects
  std::size_t values = 8'000'000;  ///< in the whole text
  std::size_t members = 100'000;   ///< per object
};

/// `Json` is nlohmann::json or nlohmann::ordered_json. BadInput with the byte offset and the reason, without the name
/// of the file.
template <class Json>
Result<Json> parseJson(std::string_view text, const JsonLimits& limits = {});

extern template Result<nlohmann::json> parseJson<nlohmann::json>(std::string_view, const JsonLimits&);
extern template Result<nlohmann::ordered_json> parseJson<nlohmann::ordered_json>(std::string_view, const JsonLimits&);

/// `text` in double quotes for a sentence: cut to 60 bytes, with control and non-ASCII characters escaped and invalid
/// UTF-8 replaced.
std::string inQuotes(std::string_view text);

}  // namespace sepx
