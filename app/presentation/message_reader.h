// SPDX-License-Identifier: Apache-2.0
// Reads members of a JSON object that another program sent. If a member is missing or has the wrong type, a default
// value is returned, and the first such member is remembered. Pure; any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "ui/document/document.h"

namespace sepx::app {

class MessageReader {
 public:
  /// `object` must outlive the reader.
  explicit MessageReader(const ui::Json& object) : object_(object) {
    if (!object.is_object()) wrong_ = "message";
  }
  std::string text(const char* name) {
    const ui::Json* const value = optional(name);
    if (value && value->is_string()) return value->get<std::string>();
    return bad(name, std::string());
  }
  bool flag(const char* name) {
    const ui::Json* const value = optional(name);
    return value && value->is_boolean() ? value->get<bool>() : bad(name, false);
  }
  std::uint64_t count(const char* name, std::uint64_t most = ~0ull) {
    const ui::Json* const value = optional(name);
    if (value && value->is_number_unsigned() && value->get<std::uint64_t>() <= most) return value->get<std::uint64_t>();
    return bad(name, std::uint64_t{0});
  }
  std::int64_t integer(const char* name) {
    const ui::Json* const value = optional(name);
    return value && value->is_number_integer() ? value->get<std::int64_t>() : bad(name, std::int64_t{0});
  }
  double real(const char* name) {
    const ui::Json* const value = optional(name);
    return value && value->is_number() ? value->get<double>() : bad(name, 0.0);
  }
  /// NaN for null, because JSON cannot represent NaN.
  double realOrNone(const char* name) {
    const ui::Json* const value = optional(name);
    return value && value->is_null() ? std::numeric_limits<double>::quiet_NaN() : real(name);
  }
  /// Null if there is no such member.
  const ui::Json* optional(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  template <class T>
  T bad(const char* name, T value) {
    if (wrong_.empty()) wrong_ = name;
    return value;
  }
  /// Name of the first member that was missing or wrong; empty if there was none.
  const std::string& wrong() const { return wrong_; }

 private:
  const ui::Json& object_;
  std::string wrong_;
};

}  // namespace sepx::app
