// SPDX-License-Identifier: Apache-2.0
// Builds the list of fields from the table in run_config_fields.h.
#include "engine/train/config_fields.h"

#include <type_traits>

#include <fmt/format.h>

#include "engine/train/run_config_fields.h"

namespace sepx::train {

namespace {

class Collector {
 public:
  void section(std::string_view name) { prefix_ = fmt::format("{}.", name); }
  void end() { prefix_.clear(); }
  void field(std::string_view name, const std::string& member) { add(name, FieldKind::Text, member); }
  void field(std::string_view name, const bool& member) { add(name, FieldKind::Toggle, member); }
  void field(std::string_view name, const std::vector<std::string>& member) { add(name, FieldKind::Texts, member); }
  void field(std::string_view name, const std::vector<double>& member, const Range& range) {
    limit(add(name, FieldKind::Numbers, member), range);
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void field(std::string_view name, const Number& member, const Range& range) {
    limit(add(name, std::is_integral_v<Number> ? FieldKind::Whole : FieldKind::Real, member), range);
  }
  template <class Enum, std::size_t N>
  requires std::is_enum_v<Enum>
  void field(std::string_view name, const Enum& member, const Words<N>& words) {
    ConfigField& made = add(name, FieldKind::Word, std::string(words[static_cast<std::size_t>(member)]));
    made.words.assign(words.begin(), words.end());
  }
  std::vector<ConfigField> take() { return std::move(fields_); }

 private:
  template <class Value>
  ConfigField& add(std::string_view name, FieldKind kind, const Value& fallback) {
    ConfigField& made = fields_.emplace_back();
    made.place = fmt::format("{}{}", prefix_, name);
    made.kind = kind;
    made.fallback = fallback;
    return made;
  }
  static void limit(ConfigField& field, const Range& range) {
    field.least = range.least;
    field.most = range.most;
  }

  std::string prefix_;
  std::vector<ConfigField> fields_;
};

}  // namespace

std::vector<ConfigField> configFields() {
  Collector collector;
  RunConfig defaults;
  defaults.model.vocabulary = 0;  // taken from the data
  visitRun(collector, defaults);
  return collector.take();
}

const nlohmann::ordered_json& fieldOf(const nlohmann::ordered_json& config, std::string_view place) {
  static const nlohmann::ordered_json kNone;
  const nlohmann::ordered_json* at = &config;
  while (!place.empty()) {
    const std::size_t dot = place.find('.');
    const auto member = at->is_object() ? at->find(std::string(place.substr(0, dot))) : at->end();
    if (!at->is_object() || member == at->end()) return kNone;
    at = &*member;
    place = dot == std::string_view::npos ? std::string_view() : place.substr(dot + 1);
  }
  return *at;
}

std::vector<std::string> differingFields(const RunConfig& a, const RunConfig& b) {
  const nlohmann::ordered_json ours = toJson(a), theirs = toJson(b);
  std::vector<std::string> places;
  for (const std::string& place : runConfigFields())
    if (fieldOf(ours, place) != fieldOf(theirs, place)) places.push_back(place);
  return places;
}

}  // namespace sepx::train
