// SPDX-License-Identifier: Apache-2.0
// Tables of declarations: a row is a Property or a ReadOut that names what it sets, and what all rows of a table have
// is said once. Getters make what a read-out answers from what it reads: a result, a point, a layer that may not be
// there now. At start, on the frame thread.
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

/// Both hold; an empty one always does.
Condition both(Condition a, Condition b);
/// Whether the toggle `key` is on in a document; `fallback` where the document does not say.
Condition whenOn(std::string key, bool fallback = false);

/// What all rows of a table have.
struct Common {
  std::string prefix = {};                              ///< stands before every key: "flow.points[]."
  Condition applies = {};                               ///< holds beside a row's own
  std::string equation = {};                            ///< where a row has none
  std::vector<std::string> errata = {};                 ///< where a row has none
  Condition formulaApplies = {};                        ///< of rows with a formula or errata
  std::function<std::string(double)> numberWords = {};  ///< where a row has none
  std::function<std::string()> subject = {};            ///< whose numbers they are: a label is "GD: loss"
  bool undoable = true;                                 ///< false: no row is
  bool detail = false;                                  ///< true: every row is
};

void declareParameters(PropertyRegistry& registry, const Common& common, std::vector<Property> rows);
void declareReadOuts(PropertyRegistry& registry, const Common& common, std::vector<ReadOut> rows);

/// The text, or nothing where it is empty.
inline std::optional<std::string> notEmpty(std::string text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
}

/// What a getter answers as a value: monostate for what is not there or not finite.
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

/// Getters that read what `Find` finds: a callable that answers, for the index of a list element (-1 outside lists),
/// something like a pointer, empty where there is nothing.
template <class Find>
class Getters {
 public:
  explicit Getters(Find find) : find_(std::move(find)) {}
  /// `get`: a member, a member function or a function of what is found.
  template <class Get>
  std::function<Value(int)> operator()(Get get) const {
    return [find = find_, get](int index) -> Value {
      const auto found = find(index);
      return found ? valueOf(std::invoke(get, *found)) : Value();
    };
  }
  /// For ReadOut::withNumbers; empty text where there is nothing.
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

/// Of something that is always there and outlives the registry.
template <class Subject>
auto gettersOf(const Subject& subject) {
  return Getters([&subject](int) { return &subject; });
}

}  // namespace sepx::ui
