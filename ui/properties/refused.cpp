// SPDX-License-Identifier: Apache-2.0
// Checks a document against the registry. Lists are traversed element by element instead of looking up each path.
#include "ui/properties/refused.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

JsonType typeFor(Kind kind, const Json& json) {
  switch (kind) {
    case Kind::Toggle:
      return {json.is_boolean(), N_("true or false")};
    case Kind::Integer:
    case Kind::Real:
      return {json.is_number(), N_("a number")};
    case Kind::Choice:
    case Kind::Text:
      return {json.is_string(), N_("a string")};
  }
  return {false, ""};
}

Value valueOfJson(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return std::monostate();
}

namespace {

std::string brief(const Json& json) {
  std::string text = json.is_structured() ? (json.is_array() ? "[…]" : "{…}")
                                          : json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 60) + "…" : text;
}

/// The value at a path of members (".e") inside an element; null if there is none.
const Json* inside(const Json& element, std::string_view path) {
  const Json* at = &element;
  while (at && !path.empty()) {
    const std::size_t end = std::min(path.find('.', 1), path.size());
    const auto member = at->is_object() ? at->find(std::string(path.substr(1, end - 1))) : at->end();
    at = member == at->end() ? nullptr : &*member;
    path.remove_prefix(end);
  }
  return at;
}

class Checker {
 public:
  Checker(const Document& document, const std::function<bool(RefusedField)>& visit)
      : document_(document), visit_(visit) {}

  /// Returns false if `visit` asked to stop.
  bool check(const Property& property) {
    const std::size_t brackets = property.key.find("[]");
    bool objects = true;
    for (std::size_t dot = property.key.find('.'); dot < brackets && objects; dot = property.key.find('.', dot + 1)) {
      const std::string parent = property.key.substr(0, dot);
      objects = !document_.has(parent) || document_.isObject(parent);
      if (!objects && !refuse(parent, notOfType(parent, document_.at(parent), tr(N_("an object"))))) return false;
    }
    if (!objects) return true;
    return brackets == std::string::npos ? checkField(property) : checkList(property, brackets);
  }

 private:
  bool refuse(const std::string& key, std::string why) {
    ++refused_;
    return visit_({key, std::move(why)});
  }

  static std::string notOfType(const std::string& key, const Json& json, const char* type) {
    return trFormat("the field \"{}\" is {}, not {}", key, brief(json), type);
  }

  bool checkField(const Property& property) {
    if (!document_.has(property.key)) return true;
    const std::size_t before = refused_;
    if (!checkValue(property, document_.at(property.key), [&] { return property.key; })) return false;
    if (!property.follow || refused_ > before) return true;  // a refused value has no effects on other fields
    const Result<Document> fits = property.follow(document_, document_);
    return fits || refuse(property.key, trFormat("the field \"{}\": {}", property.key, fits.error().message));
  }

  bool checkList(const Property& property, std::size_t brackets) {
    const std::string list = property.key.substr(0, brackets), rest = property.key.substr(brackets + 2);
    if (!document_.has(list)) return true;
    if (!document_.isList(list)) return refuse(list, notOfType(list, document_.at(list), tr(N_("a list"))));
    const std::size_t most = property.elements > 0 ? property.elements : kMostElements;
    if (const std::size_t size = document_.list(list).size(); size > most)
      return refuse(list, trFormat("the field \"{}\" has {} elements; it may have at most {}", list, size, most));
    std::size_t index = 0;
    for (const Json& element : document_.list(list)) {
      const auto key = [&] { return fmt::format("{}[{}]", list, index); };
      if (!rest.empty() && !element.is_object()) {
        if (!refuse(key(), notOfType(key(), element, tr(N_("an object"))))) return false;
      } else if (const Json* const value = inside(element, rest)) {
        if (!checkValue(property, *value, [&] { return key() + rest; })) return false;
      }
      ++index;
    }
    return true;
  }

  template <class Key>
  bool checkValue(const Property& property, const Json& json, Key key) {
    const JsonType type = typeFor(property.kind, json);
    if (!type.fits) return refuse(key(), notOfType(key(), json, tr(type.name)));
    if (isObviouslyValid(property, json)) return true;
    const Result<Value> value = accept(property, valueOfJson(json));
    return value || refuse(key(), trFormat("in the field \"{}\": {}", key(), value.error().message));
  }

  /// A fast path for numbers and toggles, which are numerous: avoids the sentences that accept() prepares.
  static bool isObviouslyValid(const Property& property, const Json& json) {
    if (json.is_boolean()) return true;
    if (!json.is_number()) return false;
    const auto number = json.get<double>();
    return number > property.min && number < property.max &&
           (property.kind == Kind::Real || number == std::floor(number));
  }

  const Document& document_;
  const std::function<bool(RefusedField)>& visit_;
  std::size_t refused_ = 0;  ///< so far
};

}  // namespace

void visitRefusedFields(const PropertyRegistry& registry, const Document& document,
                        const std::function<bool(RefusedField)>& visit) {
  Checker checker(document, visit);
  for (const Property& property : registry.properties())
    if (!checker.check(property)) return;
}

std::vector<RefusedField> allRefused(const PropertyRegistry& registry, const Document& document) {
  std::vector<RefusedField> all;
  visitRefusedFields(registry, document, [&all](RefusedField refused) {
    all.push_back(std::move(refused));
    return true;
  });
  return all;
}

}  // namespace sepx::ui
