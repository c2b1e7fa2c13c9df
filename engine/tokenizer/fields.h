// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a component of a tokenizer.json; messages name the component. Private to engine/tokenizer; pure.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"
#include "engine/tokenizer/pattern.h"

namespace sepx::tokenizer {

using Json = nlohmann::json;  ///< JSON of a file

/// One component: its kind ("normalizer") and its JSON object.
class Fields {
 public:
  /// BadInput when `json` is not an object.
  static Result<Fields> of(const char* what, const Json& json);

  const std::string& type() const { return type_; }                         ///< "BertNormalizer"; empty: not given
  const Json* find(const char* name) const;                                 ///< null when absent, or null in the file
  Result<std::string> text(const char* name) const;                         ///< BadInput when absent or not a string
  Result<std::string> text(const char* name, const char* otherwise) const;  ///< `otherwise` when absent
  /// A string to insert or search for, of at most kLongestAdded bytes. Without `otherwise` it is required.
  Result<std::string> shortText(const char* name, const char* otherwise = nullptr) const;
  Result<bool> flag(const char* name, bool otherwise) const;
  /// A whole number from 0 to `most`.
  Result<std::uint64_t> number(const char* name, std::optional<std::uint64_t> otherwise, std::uint64_t most) const;
  /// {"String": …} or {"Regex": …}, each of at most kLongestPattern bytes.
  Result<Pattern> pattern(const char* name) const;
  /// An array; BadInput for anything else.
  Result<const Json*> list(const char* name) const;
  /// BadInput: "normalizer Replace: …".
  tl::unexpected<Error> refuse(const std::string& why) const;
  /// BadInput: "the normalizer X is not supported".
  tl::unexpected<Error> unknown() const;

 private:
  Fields(const char* what, const Json& json) : what_(what), json_(&json) {}
  const char* what_;
  const Json* json_;
  std::string type_;
};

/// Maximum nesting depth of components.
inline constexpr int kDeepestComponent = 8;

}  // namespace sepx::tokenizer
