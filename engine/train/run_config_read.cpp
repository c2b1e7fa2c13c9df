// SPDX-License-Identifier: Apache-2.0
// Reads a config file strictly: every name and value is checked against the table (run_config_fields.h). The first
// error is reported with the path of the field and what is allowed there. Any thread.
#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/nearest_name.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/train/run_config_fields.h"

namespace sepx::train {
namespace {

using Json = nlohmann::ordered_json;

/// A number as a person would write it: 1000, 0.001.
std::string numberWords(double value) {
  const bool whole = std::floor(value) == value && std::abs(value) < 1e15;
  return whole ? fmt::format("{:.0f}", value) : formatShortest(value);
}

std::string rangeWords(const Range& range) {
  if (range.most == kAny && range.least == 0) return "0 or more";
  if (range.most == kAny) return fmt::format("{} or more", numberWords(range.least));
  return fmt::format("from {} to {}", numberWords(range.least), numberWords(range.most));
}

std::string found(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return inQuotes(value.get_ref<const std::string&>());
  return value.dump();
}

class Reader {
 public:
  explicit Reader(const Json& top) : top_(top), object_(&top) {}

  void section(std::string_view name) {
    topNames_.push_back(name);
    section_ = name;
    names_.clear();
    const auto member = top_.find(name);
    object_ = member == top_.end() ? nullptr : &*member;
    if (object_ != nullptr && !object_->is_object()) {
      refuse(fmt::format("{} is {}; it must be an object {{\"field\": value, …}}", name, found(*object_)));
      object_ = nullptr;
    }
  }
  void end() {
    if (object_ != nullptr) onlyKnown(*object_, names_, section_);
    section_ = {};
    object_ = &top_;
  }
  /// Checks the names at the top level. Then every valid name is known, so an unknown field can be reported.
  void finish() {
    onlyKnown(top_, topNames_, {});
    if (sentence_.empty() && unknown_)
      sentence_ = fmt::format("there is no field {}; the nearest is {}", unknown_->place,
                              namesakes(unknown_->key).value_or(unknown_->nearest));
  }

  void field(std::string_view name, std::string& member) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_string()) return mustBe(name, *value, "text in double quotes");
    member = value->get<std::string>();
    if (member.find('\0') != std::string::npos) mustBe(name, *value, "text without zero bytes");
  }
  void field(std::string_view name, bool& member) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) return mustBe(name, *value, "true or false");
    member = value->get<bool>();
  }
  void field(std::string_view name, std::vector<std::string>& member) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_array()) return mustBe(name, *value, "a list of texts, [\"...\"]");
    member.clear();
    for (const Json& one : *value) {
      if (!one.is_string()) return mustBe(name, one, "a list of texts, [\"...\"]");
      member.push_back(one.get<std::string>());
    }
  }
  void field(std::string_view name, std::vector<double>& member, const Range& range) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_array()) return mustBe(name, *value, "a list of numbers");
    member.assign(value->size(), 0);
    for (std::size_t i = 0; i < member.size(); ++i)
      number(fmt::format("{}[{}]", name, i), (*value)[i], member[i], range);
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void field(std::string_view name, Number& member, const Range& range) {
    if (const Json* value = find(name)) number(std::string(name), *value, member, range);
  }
  template <class Enum, std::size_t N>
  requires std::is_enum_v<Enum>
  void field(std::string_view name, Enum& member, const Words<N>& words) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (value->is_string()) {
      const auto word = std::ranges::find(words, std::string_view(value->get_ref<const std::string&>()));
      if (word != words.end()) {
        member = static_cast<Enum>(word - words.begin());
        return;
      }
    }
    std::string may;
    for (std::size_t i = 0; i < N; ++i)
      may += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == N ? " or " : ", ", words[i]);
    mustBe(name, *value, may);
  }

  bool has(std::string_view section, std::string_view name) const {
    const auto object = top_.find(section);
    return object != top_.end() && object->is_object() && object->contains(name);
  }
  const std::string& sentence() const { return sentence_; }  ///< the first error; empty: none

 private:
  const Json* find(std::string_view name) {
    (section_.empty() ? topNames_ : names_).push_back(name);
    places_.emplace_back(place(name), name);
    if (object_ == nullptr) return nullptr;
    const auto member = object_->find(name);
    return member == object_->end() ? nullptr : &*member;
  }
  template <class Number>
  void number(const std::string& name, const Json& value, Number& member, const Range& range) {
    const char* kind = std::is_integral_v<Number> ? "a whole number" : "a number";
    const auto must = [&] { mustBe(name, value, fmt::format("{} {}", kind, rangeWords(range))); };
    if (!value.is_number()) return must();
    const double real = value.get<double>();
    if (!std::isfinite(real) || real < range.least || real > range.most) return must();
    if constexpr (std::is_integral_v<Number>) {
      if (value.is_number_float() && (std::floor(real) != real || std::abs(real) > 9e15)) return must();
      member = value.is_number_float() ? static_cast<Number>(real) : value.get<Number>();
    } else {
      member = real;
    }
  }
  std::string place(std::string_view name) const {
    return section_.empty() ? std::string(name) : fmt::format("{}.{}", section_, name);
  }
  void mustBe(std::string_view name, const Json& value, std::string_view what) {
    refuse(fmt::format("{} is {}; it must be {}", place(name), found(value), what));
  }
  void onlyKnown(const Json& object, const std::vector<std::string_view>& names, std::string_view section) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(names, std::string_view(key)) != names.end()) continue;
      const std::string dot = section.empty() ? "" : fmt::format("{}.", section);
      if (sentence_.empty() && !unknown_)
        unknown_ = {dot + inQuotes(key), key,
                    dot + nearestName(key, std::vector<std::string>(names.begin(), names.end()))};
    }
  }
  /// Fields with exactly this name in other sections: the field was written in the wrong section.
  std::optional<std::string> namesakes(std::string_view key) const {
    std::string found;
    for (const auto& [place, name] : places_)
      if (name == key) found += (found.empty() ? "" : " or ") + place;
    return found.empty() ? std::nullopt : std::optional(found);
  }
  void refuse(std::string sentence) {
    if (sentence_.empty() && !unknown_) sentence_ = std::move(sentence);
  }

  /// The first unknown field. It is reported once all valid names are known.
  struct Unknown {
    std::string place, key, nearest;
  };

  const Json& top_;
  const Json* object_;
  std::string_view section_;
  std::vector<std::string_view> topNames_, names_;
  std::vector<std::pair<std::string, std::string_view>> places_;  ///< "schedule.steps", "steps"
  std::optional<Unknown> unknown_;
  std::string sentence_;
};

}  // namespace

Result<RunConfig> parseRunConfig(std::string_view text, std::string_view file, const std::string& folder) {
  const auto refused = [file](std::string_view sentence) {
    return fail(ErrorKind::BadInput, fmt::format("{}: {}", file, sentence));
  };
  const Result<Json> json = parseJson<Json>(text);
  if (!json) return refused(json.error().message);
  if (!json->is_object()) return refused("a run's config is one JSON object");
  RunConfig config;
  config.model.vocabulary = 0;
  Reader reader(*json);
  visitRun(reader, config);
  reader.finish();
  if (!reader.sentence().empty()) return refused(reader.sentence());
  // A kernel of 2^k numbers has order k.
  if (!reader.has("data", "order") && std::has_single_bit(config.data.kernel.size()))
    config.data.order = std::clamp(std::countr_zero(config.data.kernel.size()), 1, data::kMostOrder);
  if (!reader.has("data", "seed")) config.data.seed = config.seed;
  if (!config.data.path.empty())
    config.data.path = (std::filesystem::path(folder) / config.data.path).lexically_normal().string();
  if (config.name.empty()) config.name = std::filesystem::path(file).stem().string();
  if (const Result<void> fine = check(config); !fine) return refused(fine.error().message);
  return config;
}

Result<RunConfig> readRunConfig(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 24;
  SEPX_ASSIGN(const std::string text, readFile(path, kLargest));
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  return parseRunConfig(text, path, absolute.parent_path().string());
}

}  // namespace sepx::train
