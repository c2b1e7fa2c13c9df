// SPDX-License-Identifier: Apache-2.0
#include "engine/core/json.h"

#include <algorithm>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace sepx {
namespace {

/// Offset of the first bracket nested deeper than `deepest`.
std::optional<std::size_t> tooDeep(std::string_view text, int deepest) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') ++i;
      if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::nullopt;
}

constexpr std::size_t kFew = 16;  ///< up to this number of members, names are compared one by one

/// Builds the value while the text is parsed. The library's own parser searches all members of an ordered object for
/// each new one. For duplicate names it takes the last member, where other programs may take another one.
template <class Json>
class Builder {
 public:
  using number_integer_t = typename Json::number_integer_t;
  using number_unsigned_t = typename Json::number_unsigned_t;
  using number_float_t = typename Json::number_float_t;
  using string_t = typename Json::string_t;
  using binary_t = typename Json::binary_t;
  using object_t = typename Json::object_t;
  static constexpr bool kOrdered = std::is_same_v<Json, nlohmann::ordered_json>;

  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(number_integer_t value) { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t&) { return add(Json(value)); }
  bool string(string_t& value) { return add(Json(std::move(value))); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    Level& level = levels_.back();
    const auto& members = level.value->template get_ref<object_t&>();
    if (members.size() >= limits_.members) {
      refusal_ = fmt::format("an object with more than {} members", limits_.members);
      return false;
    }
    if (isThere(level, members, name)) {
      refusal_ = fmt::format("duplicate name {} in one object", inQuotes(name));
      return false;
    }
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) {
    constexpr int kBeyondDouble = 406;  // for this error the token ends at `position`
    if (error.id == kBeyondDouble) overflow_ = token;
    wrongAt_ = position - std::min(position, error.id == kBeyondDouble ? token.size() : 1);
    return false;
  }

  Json take() { return std::move(root_); }
  const std::string& refusal() const { return refusal_; }
  const std::string& overflow() const { return overflow_; }
  std::size_t wrongAt() const { return wrongAt_; }

 private:
  struct Level {
    Json* value;
    std::set<std::string>
        names;  ///< member names, from kFew members on; not a hash set, since names could be chosen to collide
  };

  static bool isThere(Level& level, const object_t& members, const std::string& name) {
    if constexpr (!kOrdered) {
      return members.find(name) != members.end();
    } else {
      if (members.size() < kFew) {
        return std::any_of(members.begin(), members.end(),
                           [&name](const auto& member) { return member.first == name; });
      }
      if (level.names.empty()) {
        for (const auto& member : members)
          level.names.insert(member.first);
      }
      return !level.names.insert(name).second;
    }
  }

  /// Stores the value and returns its address; null if there are too many values.
  Json* place(Json value) {
    if (++count_ > limits_.values) {
      refusal_ = fmt::format("more than {} values", limits_.values);
      return nullptr;
    }
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *levels_.back().value;
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    auto& members = parent.template get_ref<object_t&>();
    if constexpr (kOrdered) {
      // Appends to the underlying list, because the insertion of ordered_map would search for the name again.
      static_cast<typename object_t::Container&>(members).emplace_back(std::move(name_), std::move(value));
      return &members.back().second;
    } else {
      return &members.emplace(std::move(name_), std::move(value)).first->second;
    }
  }

  bool add(Json value) { return place(std::move(value)) != nullptr; }
  bool open(Json value) {
    Json* const at = place(std::move(value));
    if (at) levels_.push_back({at, {}});
    return at != nullptr;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  JsonLimits limits_;
  Json root_;
  std::vector<Level> levels_;
  std::string name_, refusal_, overflow_;
  std::size_t count_ = 0, wrongAt_ = 0;
};

}  // namespace

template <class Json>
Result<Json> parseJson(std::string_view text, const JsonLimits& limits) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(ErrorKind::BadInput, "the file is empty");
  if (const auto offset = tooDeep(text, limits.depth)) {
    return fail(ErrorKind::BadInput, fmt::format("byte {}: nested deeper than {} levels", *offset, limits.depth));
  }
  Builder<Json> builder(limits);
  if (Json::sax_parse(text, &builder)) return builder.take();
  if (!builder.refusal().empty()) return fail(ErrorKind::BadInput, builder.refusal());
  if (const std::string& number = builder.overflow(); !number.empty()) {
    return fail(ErrorKind::BadInput, fmt::format("byte {}: the number {} is beyond the range of a double",
                                                 builder.wrongAt(), number.substr(0, 40)));
  }
  const char* const reason =
      builder.wrongAt() >= text.size() ? "the text ends in the middle" : "this is not JSON from here on";
  return fail(ErrorKind::BadInput, fmt::format("byte {}: {}", builder.wrongAt(), reason));
}

template Result<nlohmann::json> parseJson<nlohmann::json>(std::string_view, const JsonLimits&);
template Result<nlohmann::ordered_json> parseJson<nlohmann::ordered_json>(std::string_view, const JsonLimits&);

std::string inQuotes(std::string_view text) {
  using nlohmann::json;
  return json(std::string(text.substr(0, 60))).dump(-1, ' ', true, json::error_handler_t::replace);
}

}  // namespace sepx
