// SPDX-License-Identifier: Apache-2.0
// Fields of a component of a tokenizer.json, with sentences that name the component. Private to engine/tokenizer; pure.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"
#include "engine/tokenizer/pattern.h"

namespace sepx::tokenizer {

using Json = nlohmann::json;  ///< of a file

/// One component: what it is ("normalizer"), and its object.
class Fields {
 public:
  /// BadInput when `json` is no object.
  static Result<Fields> of(const char* what, const Json& json);

  const std::string& type() const { return type_; }                         ///< "BertNormalizer"; empty: not said
  const Json* find(const char* name) const;                                 ///< null when absent, or null in the file
  Result<std::string> text(const char* name) const;                         ///< BadInput: it is absent, or no text
  Result<std::string> text(const char* name, const char* otherwise) const;  ///< absent: `otherwise`
  /// One of at most kLongestAdded bytes: what is put into texts or looked for in them. Null: it has to be there.
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
  /// BadInput: "the normalizer X is not known here".
  tl::unexpected<Error> unknown() const;

 private:
  Fields(const char* what, const Json& json) : what_(what), json_(&json) {}
  const char* what_;
  const Json* json_;
  std::string type_;
};

/// Components inside components may be so deep.
inline constexpr int kDeepestComponent = 8;

}  // namespace sepx::tokenizer
