// SPDX-License-Identifier: Apache-2.0
// Helpers for tables of declarations. A row is a Property or a ReadOut; attributes that all rows of a table share are
// given once, in Common. Getters converts the values of a read-out's source (a result, a point, a layer that may be
// missing) to Value. Used at start, on the frame thread.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ui/properties/registry.h"

namespace sepx::ui {

using Condition = std::function<bool(const Document&)>;

/// True if both hold; an empty condition always holds.
Condition both(Condition a, Condition b);
/// Whether the toggle `key` is on in a document; `fallback` if the document has no such toggle.
Condition whenOn(std::string key, bool fallback = false);

/// Attributes that all rows of a table share.
struct Common {
  std::string prefix = {};                              ///< precedes every key: "flow.points[]."
  Condition applies = {};                               ///< in addition to a row's own condition
  std::string equation = {};                            ///< where a row has none
  std::vector<std::string> errata = {};                 ///< where a row has none
  Condition formulaApplies = {};                        ///< for rows with a formula or errata
  std::function<std::string(double)> numberWords = {};  ///< where a row has none
  std::function<std::string()> subject = {};            ///< the source of the numbers: a label becomes "GD: loss"
  bool undoable = true;                                 ///< false: no row is undoable
  bool detail = false;                                  ///< true: every row is a detail
};

void declareParameters(PropertyRegistry& registry, const Common& common, std::vector<Property> rows);
void declareReadOuts(PropertyRegistry& registry, const Common& common, std::vector<ReadOut> rows);

/// The text, or an empty optional if it is empty.
inline std::optional<std::string> notEmpty(std::string text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
}

/// The result of a getter as a Value: monostate for a missing or non-finite one.
inline Value valueOf(Value value) {
  return value;
}
inline Value valueOf(bool flag) {
  return flag;
}
template <class Number>
requires std::is_arithmetic_v<Number> &&(!std::same_as<Number, bool>)Value valueOf(Number number) {
  const auto real = static_cast<double>(number);
  return std::isfinite(real) ? Value(real) : Value();
}
inline Value valueOf(std::string_view text) {
  return std::string(text);
}
inline Value valueOf(const char* text) {
  return std::string(text);
}
inline Value valueOf(const std::string& text) {
  return text;
}
template <class Answer>
Value valueOf(const std::optional<Answer>& answer) {
  return answer ? valueOf(*answer) : Value();
}

/// Getters that read from the object that `Find` returns. `Find` is a callable that takes the index of a list element
/// (-1 outside lists) and returns a pointer-like value, null if there is no object.
template <class Find>
class Getters {
 public:
  explicit Getters(Find find) : find_(std::move(find)) {}
  /// `get`: a data member, a member function or a function of the object found.
  template <class Get>
  std::function<Value(int)> operator()(Get get) const {
    return [find = find_, get](int index) -> Value {
      const auto found = find(index);
      return found ? valueOf(std::invoke(get, *found)) : Value();
    };
  }
  /// For ReadOut::withNumbers; an empty text if there is no object.
  template <class Get>
  std::function<std::string(int)> text(Get get) const {
    return [find = find_, get](int index) -> std::string {
      const auto found = find(index);
      return found ? std::string(std::invoke(get, *found)) : std::string();
    };
  }

 private:
  Find find_;
};

/// Getters for an object that always exists and outlives the registry.
template <class Subject>
auto gettersOf(const Subject& subject) {
  return Getters([&subject](int) { return &subject; });
}

}  // namespace sepx::ui
