// SPDX-License-Identifier: Apache-2.0
// Short forms for the declarations of the Flow exhibit: a number, a switch, a read-out, and the names that follow the
// chosen field. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/basin.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/registry.h"

namespace sepx::ui::declaring {

Property real(std::string key, std::string label, std::string symbol, double min, double max, double fallback,
              double step, int digits, std::string help);
Property toggle(std::string key, std::string label, bool fallback, std::string help);

/// Of the page of the plane alone, and of a document that passes `also`.
std::function<bool(const Document&)> onPlane(std::function<bool(const Document&)> also = {});
/// Whether `key` is the chosen field.
std::function<bool(const Document&)> whenField(const std::string& key);
/// `words` and the canonical letter, or `other` and the chosen field's own variable.
std::function<std::string(const Document&)> coordinateName(const std::vector<FieldPointer>& fields, const char* words,
                                                           const char* other, std::size_t variable);

using Getter = std::function<Value(int)>;

/// What most read-outs do not say.
struct Extra {
  bool canonical = false;  ///< of the canonical field only
  bool plane = false;      ///< of the page of the plane only
  bool detail = false;
  std::function<std::string(const std::string&)> words = {};
  std::function<std::string(double)> numberWords = {};
  std::function<std::string(const Document&)> liveLabel = {};
};

void readOut(PropertyRegistry& registry, std::string key, std::string label, std::string symbol, std::string unit,
             std::string help, std::string equation, Getter get, int digits = 6, Extra extra = {});

/// monostate for what is not there or not finite.
Value valueOf(const std::optional<double>& number);

/// LABEL of the command line; other fields have attractors.
std::string labelOf(markov::LimitKind kind);
/// "local-min" -> "local minimum".
std::string labelWords(const std::string& label);

}  // namespace sepx::ui::declaring
