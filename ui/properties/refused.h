// SPDX-License-Identifier: Apache-2.0
// Converts property values from JSON, and finds the fields of an opened document that a registry does not accept. Pure;
// any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/properties/registry.h"

namespace sepx::ui {

struct JsonType {
  bool fits;
  const char* name;  ///< N_("a number")
};
/// Whether the JSON has the type that a kind needs, and the name of that type.
JsonType typeFor(Kind kind, const Json& json);
/// A boolean, number or text; monostate for other JSON.
Value valueOfJson(const Json& json);

/// Limits for every value that is accepted, set, read from a table or opened.
inline constexpr std::size_t kMostElements = 20'000;  ///< of a list
inline constexpr std::size_t kLongestText = 10'000;   ///< bytes

struct RefusedField {
  std::string key;       ///< path in the document: "flow.points[3].e", or a parent or element that is not an object
  std::string sentence;  ///< names the field, the value and the range
};

/// Calls `visit` for every known field that the registry refuses, until it returns false. Time grows with the size of
/// the document.
void visitRefusedFields(const PropertyRegistry& registry, const Document& document,
                        const std::function<bool(RefusedField)>& visit);
std::vector<RefusedField> allRefused(const PropertyRegistry& registry, const Document& document);

}  // namespace sepx::ui
