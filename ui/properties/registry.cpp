// SPDX-License-Identifier: Apache-2.0
// Declarations by key, and the checks that stand between any text and the document.
#include "ui/properties/registry.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/number.h"
#include "engine/core/utf8.h"
#include "ui/properties/color_text.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace {

constexpr const char* kNotThere = "\xE2\x80\x93";  // en dash
constexpr std::size_t kLongestText = 10'000;

template <class... Arguments>
std::string sentence(const char* text, Arguments&&... arguments) {
  return fmt::format(fmt::runtime(tr(text)), std::forward<Arguments>(arguments)...);
}

/// A text from outside as a sentence may quote it: shortened, control characters replaced, well-formed.
std::string quotable(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string shown(text.substr(0, kMost));
  if (const auto broken = firstNotUtf8(shown)) shown.resize(*broken);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return shown.size() < text.size() ? shown + "..." : shown;
}

/// A copied number may carry the sign that is shown.
std::string plainMinus(std::string text) {
  constexpr std::string_view kMinus = "\u2212";
  for (std::size_t at = text.find(kMinus); at != std::string::npos; at = text.find(kMinus, at))
    text.replace(at, kMinus.size(), "-");
  return text;
}

/// "flow.points[2].e" -> "flow.points[].e" and 2; -1 without an index. Nothing when the brackets hold no number.
struct Pattern {
  std::string key;
  int index = -1;
};

std::optional<Pattern> patternOf(std::string_view key) {
  const std::size_t open = key.find('[');
  if (open == std::string_view::npos) return Pattern{std::string(key), -1};
  const std::size_t close = key.find(']', open);
  if (close == std::string_view::npos) return std::nullopt;
  Pattern pattern;
  const char* const last = key.data() + close;
  const auto [end, error] = std::from_chars(key.data() + open + 1, last, pattern.index);
  if (error != std::errc() || end != last || pattern.index < 0) return std::nullopt;
  pattern.key = std::string(key.substr(0, open + 1)) + std::string(key.substr(close));
  return pattern;
}

/// "flow.points[].e" -> "flow.points".
std::string listOf(std::string_view declaredKey) {
  return std::string(declaredKey.substr(0, declaredKey.find("[]")));
}

std::vector<std::string> choicesOf(const Property& property) {
  return property.liveChoices ? property.liveChoices() : property.choices;
}

/// "lie between 0 and 1, both excluded": the ends are spoken of when `number` is one of them.
std::string rangeOf(const Property& property, double number) {
  const bool below = std::isfinite(property.min), above = std::isfinite(property.max);
  const std::string min = withMinus(formatShortest(property.min)), max = withMinus(formatShortest(property.max));
  const bool open = property.open;
  if (below && above) {
    const bool atEnd = number == property.min || number == property.max;
    return open && atEnd ? sentence(N_("lie between {} and {}, both excluded"), min, max)
                         : sentence(N_("lie between {} and {}"), min, max);
  }
  if (below) return open ? sentence(N_("be above {}"), min) : sentence(N_("be at least {}"), min);
  if (above) return open ? sentence(N_("be below {}"), max) : sentence(N_("be at most {}"), max);
  return tr(N_("be a finite number"));
}

bool inRange(const Property& property, double number) {
  if (!std::isfinite(number)) return false;
  return property.open ? number > property.min && number < property.max
                       : number >= property.min && number <= property.max;
}

/// What a refusal speaks about: "p", "p (flow.p)", and the end of the sentence, "; 0.5 is kept".
struct Refusal {
  std::string name, kept;

  Error with(const std::string& reason) const { return {ErrorKind::Usage, name + " " + reason + kept}; }
};

Result<Value> acceptNumber(const Property& property, const Value& value, const Refusal& refusal) {
  std::optional<double> number;
  if (const double* given = std::get_if<double>(&value)) number = *given;
  const std::string text = toString(value);
  if (std::holds_alternative<std::string>(value)) number = parseNumber(plainMinus(text));
  // "all" of a number one value of which is called so.
  for (const std::string& choice : property.choices)
    if (!number && property.choiceLabel && text == property.choiceLabel(choice)) number = parseNumber(choice);
  if (!number) {
    std::string withPoint = text;
    std::replace(withPoint.begin(), withPoint.end(), ',', '.');
    const bool comma = withPoint != text && parseNumber(withPoint);
    return tl::unexpected(refusal.with(
        comma ? sentence(N_("must be a number with a decimal point, {}; \"{}\" was given"), withPoint, text)
              : sentence(N_("must be a number; \"{}\" was given"), quotable(text))));
  }
  if (!inRange(property, *number)) {
    return tl::unexpected(refusal.with(
        sentence(N_("must {}; {} was given"), rangeOf(property, *number), withMinus(formatShortest(*number)))));
  }
  if (property.kind == Kind::Integer && *number != std::floor(*number)) {
    return tl::unexpected(
        refusal.with(sentence(N_("must be a whole number; {} was given"), withMinus(formatShortest(*number)))));
  }
  return Value(*number);
}

Result<Value> acceptToggle(const Value& value, const Refusal& refusal) {
  if (std::holds_alternative<bool>(value)) return value;
  const std::string text = toString(value);
  if (text == "true" || text == "on" || text == "1") return Value(true);
  if (text == "false" || text == "off" || text == "0") return Value(false);
  return tl::unexpected(
      refusal.with(sentence(N_("is true or false; \"{}\" is neither true nor false"), quotable(text))));
}

Result<Value> acceptChoice(const Property& property, const Value& value, const Refusal& refusal) {
  const std::vector<std::string> choices = choicesOf(property);
  const std::string text = toString(value);
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return Value(text);
  return tl::unexpected(refusal.with(sentence(N_("must be one of {}; \"{}\" was given"),
                                              fmt::format("{}", fmt::join(choices, ", ")), quotable(text))));
}

Result<Value> acceptText(const Value& value, const Refusal& refusal) {
  const std::string text = toString(value);
  if (text.size() > kLongestText)
    return tl::unexpected(refusal.with(sentence(N_("may have at most {} bytes"), kLongestText)));
  if (firstNotUtf8(text)) return tl::unexpected(refusal.with(tr(N_("must be UTF-8 text"))));
  return Value(text);
}

Result<Value> acceptColor(const Value& value, const Refusal& refusal) {
  const std::string text = toString(value);
  if (text.empty()) return Value(text);
  if (const std::optional<Rgb> color = rgbOf(text)) return Value(colorText(*color));
  return tl::unexpected(
      refusal.with(sentence(N_("must be a colour such as #1f77b4, or empty; \"{}\" was given"), quotable(text))));
}

Value fromJson(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return std::monostate();
}

Json toJson(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

Json toJson(const Property& property, const Value& value) {
  const double* const number = std::get_if<double>(&value);
  if (property.kind == Kind::Integer && number && std::fabs(*number) < 9e15) return static_cast<std::int64_t>(*number);
  return toJson(value);
}

bool fits(const Property& property, const Json& json) {
  switch (property.kind) {
    case Kind::Toggle:
      return json.is_boolean();
    case Kind::Integer:
    case Kind::Real:
      return json.is_number();
    case Kind::Choice:
    case Kind::Text:
      return json.is_string();
  }
  return false;
}

const char* typeName(Kind kind) {
  switch (kind) {
    case Kind::Toggle:
      return N_("true or false");
    case Kind::Integer:
    case Kind::Real:
      return N_("a number");
    case Kind::Choice:
    case Kind::Text:
      return N_("a text");
  }
  return "";
}

std::string brief(const Json& json) {
  std::string text = json.is_structured() ? (json.is_array() ? "[...]" : "{...}")
                                          : json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

/// Every object on the way to `key` must be one: "flow" and "flow.view" for "flow.view.xMin".
Result<void> checkParents(const Document& document, std::string_view key) {
  for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.', dot + 1)) {
    const std::string_view parent = key.substr(0, dot);
    if (document.has(parent) && !document.isObject(parent)) {
      return fail(ErrorKind::BadInput,
                  sentence(N_("the field \"{}\" is {}, not an object"), parent, brief(document.at(parent))));
    }
  }
  return {};
}

Result<void> checkField(const Document& document, const Property& property, const std::string& key) {
  if (!document.has(key)) return {};
  const Json& json = document.at(key);
  if (!fits(property, json)) {
    return fail(ErrorKind::BadInput,
                sentence(N_("the field \"{}\" is {}, not {}"), key, brief(json), tr(typeName(property.kind))));
  }
  const Result<Value> value = accept(property, fromJson(json));
  if (!value) return fail(ErrorKind::BadInput, sentence(N_("in the field \"{}\": {}"), key, value.error().sentence));
  return {};
}

/// Number of single letters to insert, delete or replace.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string toString(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return formatShortest(*number);
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return "none";
}

bool isTrue(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  if (const double* number = std::get_if<double>(&value)) return *number != 0;
  return false;
}

Result<Value> accept(const Property& property, const Value& value, std::string_view key, const Value& kept) {
  Refusal refusal{shortName(property), {}};
  if (!key.empty()) refusal.name += fmt::format(" ({})", key);
  if (const double* number = std::get_if<double>(&kept))
    refusal.kept = sentence(N_(", {} is kept"), withMinus(formatShortest(*number)));
  switch (property.kind) {
    case Kind::Toggle:
      return acceptToggle(value, refusal);
    case Kind::Integer:
    case Kind::Real:
      return acceptNumber(property, value, refusal);
    case Kind::Choice:
      return acceptChoice(property, value, refusal);
    case Kind::Text:
      return property.color ? acceptColor(value, refusal) : acceptText(value, refusal);
  }
  return fail(ErrorKind::Internal, refusal.name);
}

namespace {

std::string joined(const std::string& label, const std::string& symbol) {
  if (symbol.empty() || label.empty()) return tr(label) + symbol;
  return tr(label) + "  " + symbol;
}

}  // namespace

std::string nameOf(const Property& property, const Document& document) {
  return property.liveLabel ? property.liveLabel(document) : joined(property.label, property.symbol);
}

std::string nameOf(const ReadOut& readOut, const Document& document) {
  return readOut.liveLabel ? readOut.liveLabel(document) : joined(readOut.label, readOut.symbol);
}

std::string shortName(const Property& property) {
  if (!property.symbol.empty()) return property.symbol;
  return property.label.empty() ? property.key : tr(property.label);
}

std::string formatValue(const Property& property, const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return tr(*flag ? N_("yes") : N_("no"));
  if (const double* number = std::get_if<double>(&value)) {
    if (property.kind != Kind::Integer) return withMinus(formatFixed(*number, property.digits));
    const std::string whole = fmt::format("{:.0f}", *number);
    return withMinus(property.choiceLabel ? property.choiceLabel(whole) : whole);
  }
  if (const std::string* text = std::get_if<std::string>(&value)) {
    return property.kind == Kind::Choice && property.choiceLabel ? property.choiceLabel(*text) : *text;
  }
  return kNotThere;
}

std::string formatValue(const ReadOut& readOut, const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return tr(*flag ? N_("yes") : N_("no"));
  if (const double* number = std::get_if<double>(&value)) {
    if (!std::isfinite(*number)) return kNotThere;
    return readOut.numberWords ? readOut.numberWords(*number) : withMinus(formatFixed(*number, readOut.digits));
  }
  if (const std::string* text = std::get_if<std::string>(&value)) return readOut.words ? readOut.words(*text) : *text;
  return kNotThere;
}

namespace {

/// What follows from what a declaration says: the choices of its options, the kind of its fallback.
void complete(Property& property) {
  for (const auto& option : property.options)
    property.choices.push_back(option.first);
  if (!property.options.empty()) {
    property.choiceLabel = [options = property.options](const std::string& key) {
      for (const auto& [known, label] : options)
        if (known == key) return tr(label);
      return key;
    };
  }
  const bool choice = !property.choices.empty() || property.liveChoices;
  const bool none = std::holds_alternative<std::monostate>(property.fallback);
  if (!property.choices.empty() && none) property.fallback = property.choices.front();
  if (property.kind == Kind::Real && std::holds_alternative<bool>(property.fallback)) property.kind = Kind::Toggle;
  if (property.kind == Kind::Real && std::holds_alternative<std::string>(property.fallback))
    property.kind = choice ? Kind::Choice : Kind::Text;
  if (property.kind == Kind::Integer) {
    property.digits = 0;
    property.step = std::max(property.step, 1.0);
  }
}

}  // namespace

void PropertyRegistry::declare(Property property) {
  complete(property);
  assert(!propertyIndex_.contains(property.key) && !readOutIndex_.contains(property.key));
  propertyIndex_[property.key] = properties_.size();
  properties_.push_back(std::move(property));
}

void PropertyRegistry::declare(ReadOut readOut) {
  assert(!propertyIndex_.contains(readOut.key) && !readOutIndex_.contains(readOut.key));
  readOutIndex_[readOut.key] = readOuts_.size();
  readOuts_.push_back(std::move(readOut));
}

std::optional<PropertyRegistry::Found> PropertyRegistry::find(std::string_view key) const {
  const std::optional<Pattern> pattern = patternOf(key);
  if (!pattern) return std::nullopt;
  if (const auto at = propertyIndex_.find(pattern->key); at != propertyIndex_.end()) {
    return Found{&properties_[at->second], nullptr, pattern->index};
  }
  if (const auto at = readOutIndex_.find(pattern->key); at != readOutIndex_.end()) {
    return Found{nullptr, &readOuts_[at->second], pattern->index};
  }
  return std::nullopt;
}

Value PropertyRegistry::get(const Document& document, std::string_view key) const {
  const std::optional<Found> found = find(key);
  if (!found) return std::monostate();
  if (found->readOut) return found->readOut->get ? found->readOut->get(found->index) : Value();
  const Property& property = *found->property;
  if (found->index >= 0 && !document.has(fmt::format("{}[{}]", listOf(property.key), found->index)))
    return std::monostate();
  const Json& json = document.at(key);
  return fits(property, json) ? fromJson(json) : property.fallback;
}

double PropertyRegistry::real(const Document& document, std::string_view key) const {
  const Value value = get(document, key);
  const double* const number = std::get_if<double>(&value);
  assert(number);
  return number ? *number : std::nan("");
}

bool PropertyRegistry::toggle(const Document& document, std::string_view key) const {
  return isTrue(get(document, key));
}

std::string PropertyRegistry::text(const Document& document, std::string_view key) const {
  const Value value = get(document, key);
  const std::string* const text = std::get_if<std::string>(&value);
  return text ? *text : std::string();
}

Result<Document> PropertyRegistry::set(const Document& document, std::string_view key, const Value& value) const {
  const std::optional<Found> found = find(key);
  if (!found) {
    const std::string near = nearest(key);
    return fail(ErrorKind::Usage, near.empty() ? sentence(N_("there is no parameter \"{}\""), quotable(key))
                                               : sentence(N_("there is no parameter \"{}\"; the nearest is \"{}\""),
                                                          quotable(key), near));
  }
  if (found->readOut) return fail(ErrorKind::Usage, sentence(N_("\"{}\" is a result and cannot be set"), key));
  const Property& property = *found->property;
  if (found->index >= 0) {
    const std::string list = listOf(property.key);
    const std::size_t size = document.list(list).size();
    if (static_cast<std::size_t>(found->index) >= size) {
      return fail(ErrorKind::Usage, sentence(N_("\"{}\": {} has {} elements, counted from 0"), key, list, size));
    }
  }
  const Result<Value> accepted = accept(property, value, key, get(document, key));
  if (!accepted) return tl::unexpected(accepted.error());
  Document next = document.with(key, toJson(property, *accepted));
  return property.follow ? property.follow(document, next) : Result<Document>(std::move(next));
}

Result<void> PropertyRegistry::check(const Document& document) const {
  for (const Property& property : properties_) {
    if (auto parents = checkParents(document, property.key.substr(0, property.key.find("[]"))); !parents)
      return parents;
    if (property.key.find("[]") == std::string::npos) {
      if (auto field = checkField(document, property, property.key); !field) return field;
      if (property.follow && document.has(property.key)) {
        const Result<Document> fits = property.follow(document, document);
        if (!fits)
          return fail(ErrorKind::BadInput, sentence(N_("the field \"{}\": {}"), property.key, fits.error().sentence));
      }
      continue;
    }
    const std::string list = listOf(property.key);
    if (!document.has(list)) continue;
    if (!document.isList(list)) {
      const std::string there = brief(document.at(list));
      return fail(ErrorKind::BadInput, sentence(N_("the field \"{}\" is {}, not a list"), list, there));
    }
    const ListView elements = document.list(list);
    const std::string rest = property.key.substr(list.size() + 2);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::string element = fmt::format("{}[{}]", list, i);
      if (!rest.empty() && !elements[i].is_object()) {
        return fail(ErrorKind::BadInput,
                    sentence(N_("the field \"{}\" is {}, not an object"), element, brief(elements[i])));
      }
      if (auto field = checkField(document, property, element + rest); !field) return field;
    }
  }
  return {};
}

std::string PropertyRegistry::nearest(std::string_view key) const {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, key.size() / 3);
  for (const Property& property : properties_) {
    const std::size_t distance = editDistance(key.substr(0, 100), property.key);
    if (distance <= least) {
      least = distance;
      best = property.key;
    }
  }
  return best;
}

}  // namespace sepx::ui
