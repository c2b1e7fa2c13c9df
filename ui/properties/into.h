// SPDX-License-Identifier: Apache-2.0
// Binds a parameter to the member of a typed state: `.into = &RaceState::smooth`. PropertyRegistry::read() sets all
// members that properties name, so no page reads a document field by field. A number is stored in a number (an integer
// is clamped to the range of its property), a toggle in a bool, a text in a string. A choice is stored as its index in
// an enumeration, an integer or a bool, or as its key in a string. Any other conversion needs a function (Into::by).
// Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sepx::ui {

/// monostate: not available now (a limit that does not exist).
using Value = std::variant<std::monostate, bool, double, std::string>;

bool isTrue(const Value& value);

/// The part of a property that is needed to convert its value.
struct ValueRange {
  double min, max;
  const std::vector<std::string>& choices;
};

namespace into {

inline std::optional<std::size_t> placeOf(const Value& value, const std::vector<std::string>& choices) {
  const auto* const key = std::get_if<std::string>(&value);
  const auto found = key ? std::find(choices.begin(), choices.end(), *key) : choices.end();
  return found == choices.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - choices.begin()));
}

template <class Number>
Number whole(double number, const ValueRange& range) {
  // The largest value that converts safely. For 64-bit types it is 2^53, because not every larger integer is a double.
  constexpr double kMost = sizeof(Number) > 4 ? 9007199254740992.0 : std::numeric_limits<Number>::max();
  constexpr double kLeast = std::is_unsigned_v<Number> ? 0 : -kMost;
  const double low = std::max(kLeast, range.min), high = std::min(kMost, range.max);
  return static_cast<Number>(number > high ? high : number >= low ? number : low);
}

/// Leaves the member unchanged if the value cannot be converted.
template <class Member>
void assign(Member& member, const Value& value, const ValueRange& range) {
  if constexpr (std::is_same_v<Member, std::string>) {
    if (const auto* const text = std::get_if<std::string>(&value)) member = *text;
  } else if constexpr (std::is_same_v<Member, bool>) {
    if (const auto place = placeOf(value, range.choices))
      member = *place > 0;
    else if (!std::holds_alternative<std::string>(value))
      member = isTrue(value);
  } else if constexpr (std::is_enum_v<Member>) {
    if (const auto place = placeOf(value, range.choices)) member = static_cast<Member>(*place);
  } else if constexpr (std::is_integral_v<Member>) {
    if (const auto place = placeOf(value, range.choices))
      member = static_cast<Member>(*place);
    else if (const auto* const number = std::get_if<double>(&value))
      member = whole<Member>(*number, range);
  } else {
    static_assert(std::is_floating_point_v<Member>, "say by a function how a value becomes one of these");
    if (const auto* const number = std::get_if<double>(&value)) member = static_cast<Member>(*number);
  }
}

/// For a value without a range or choices.
template <class Member>
void assign(Member& member, const Value& value) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  assign(member, value, {-kAny, kAny, {}});
}

}  // namespace into

class Into {
 public:
  using Set = std::function<void(void* state, const Value& value, const ValueRange& range)>;

  Into() = default;
  /// A member of a state, or a member of a member: {&FlowState::legend, &LegendPlacement::x}.
  template <class State, class First, class... Rest>
  Into(First State::*first, Rest... rest) : Into(of<State>(first, rest...)) {}
  /// The same for a state that inherits the member from a base class.
  template <class State, class... Members>
  static Into of(Members... members) {
    return Into(kindOf<State>(), [members...](void* state, const Value& value, const ValueRange& range) {
      into::assign((*static_cast<State*>(state).*....*members), value, range);
    });
  }
  /// For other conversions: calls `set(state, value)`.
  template <class State, class Act>
  static Into by(Act set) {
    return Into(kindOf<State>(), [set = std::move(set)](void* state, const Value& value, const ValueRange&) {
      set(*static_cast<State*>(state), value);
    });
  }

  /// An address that identifies the type of the state; null if the property sets no member.
  const void* kind() const { return kind_; }
  template <class State>
  static const void* kindOf() {
    static char place = 0;
    return &place;
  }
  void operator()(void* state, const Value& value, const ValueRange& range) const { set_(state, value, range); }

 private:
  Into(const void* kind, Set set) : kind_(kind), set_(std::move(set)) {}
  const void* kind_ = nullptr;
  Set set_;
};

}  // namespace sepx::ui
