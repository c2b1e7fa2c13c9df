// SPDX-License-Identifier: Apache-2.0
// Stores declarations by key, and checks every value before it enters the document.
#include "ui/properties/registry.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/nearest_name.h"
#include "engine/core/number.h"
#include "engine/core/replace_all.h"
#include "engine/core/terminal_text.h"
#include "engine/core/utf8.h"
#include "ui/properties/color_text.h"
#include "ui/properties/number_words.h"
#include "ui/properties/refused.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

constexpr const char* kMissingValue = "\xE2\x80\x93";  // en dash

/// A text from outside, made printable and shortened for quotation in a sentence.
std::string quotable(std::string_view text) {
  return excerpt(text, 60);
}

/// Converts a number in its displayed form ("−0.5", "2.3·10⁻⁵", "10⁻⁵", "107,456"), as copied from the screen, to plain
/// ASCII.
std::string plainNumber(std::string text) {
  replaceAll(text, "\u2212", "-");
  std::string digits = text;
  if (std::erase(digits, ',') > 0) return grouped(digits) == text ? digits : text;
  std::size_t power = text.find("\u00b710");
  std::size_t after = power + 4;  // bytes of "·10"
  if (power == std::string::npos && (text.starts_with("10") || text.starts_with("-10")))
    power = text.find("10"), after = power + 2;
  if (power == std::string::npos) return text;
  constexpr std::array<std::string_view, 11> kRaised{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075",
                                                     "\u2076", "\u2077", "\u2078", "\u2079", "\u207b"};
  std::string exponent;
  while (after < text.size()) {
    const std::string_view rest = std::string_view(text).substr(after);
    const auto found = std::ranges::find_if(kRaised, [rest](std::string_view one) { return rest.starts_with(one); });
    if (found == kRaised.end()) return text;
    const auto digit = found - kRaised.begin();
    exponent += digit == 10 ? '-' : static_cast<char>('0' + digit);
    after += found->size();
  }
  if (exponent.empty()) return text;
  const std::string mantissa = text.substr(0, power);
  return (mantissa.empty() || mantissa == "-" ? mantissa + "1" : mantissa) + "e" + exponent;
}

/// "flow.points[2].e" -> "flow.points[].e" and 2; -1 without an index. patternOf() returns an empty optional if the
/// brackets contain no number.
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

/// "lie between 0 and 1, both excluded": the exclusion is mentioned only if `number` is an excluded end.
std::string rangeOf(const Property& property, double number) {
  const bool below = std::isfinite(property.min), above = std::isfinite(property.max);
  const std::string min = withMinus(formatShortest(property.min)), max = withMinus(formatShortest(property.max));
  const bool open = property.open;
  if (below && above) {
    const bool atEnd = number == property.min || number == property.max;
    return open && atEnd ? trFormat("lie between {} and {}, both excluded", min, max)
                         : trFormat("lie between {} and {}", min, max);
  }
  if (below) return open ? trFormat("be above {}", min) : trFormat("be at least {}", min);
  if (above) return open ? trFormat("be below {}", max) : trFormat("be at most {}", max);
  return tr(N_("be a finite number"));
}

bool inRange(const Property& property, double number) {
  if (!std::isfinite(number)) return false;
  return property.open ? number > property.min && number < property.max
                       : number >= property.min && number <= property.max;
}

/// The parts of a refusal: the name, "p" or "p (flow.p)", and the end of the sentence, ", 0.5 is kept".
struct Refusal {
  std::string name, kept;

  Error with(const std::string& reason) const { return {ErrorKind::Usage, name + " " + reason + kept}; }
};

Result<Value> acceptNumber(const Property& property, const Value& value, const Refusal& refusal) {
  std::optional<double> number;
  if (const double* given = std::get_if<double>(&value)) number = *given;
  const std::string text = toString(value);
  if (std::holds_alternative<std::string>(value)) number = parseNumber(plainNumber(text));
  // Accepts a label ("all") that stands for one value of the number.
  for (const std::string& choice : property.choices)
    if (!number && property.choiceLabel && text == property.choiceLabel(choice)) number = parseNumber(choice);
  if (!number) {
    std::string withPoint = text;
    std::replace(withPoint.begin(), withPoint.end(), ',', '.');
    const bool comma = withPoint != text && parseNumber(withPoint);
    return tl::unexpected(refusal.with(comma ? trFormat("must be a number with a decimal point, {}; \"{}\" was given",
                                                        quotable(withPoint), quotable(text))
                                             : trFormat("must be a number; \"{}\" was given", quotable(text))));
  }
  if (!inRange(property, *number)) {
    return tl::unexpected(refusal.with(
        trFormat("must {}; {} was given", rangeOf(property, *number), withMinus(formatShortest(*number)))));
  }
  if (property.kind == Kind::Integer && *number != std::floor(*number)) {
    return tl::unexpected(
        refusal.with(trFormat("must be a whole number; {} was given", withMinus(formatShortest(*number)))));
  }
  return Value(*number);
}

Result<Value> acceptToggle(const Value& value, const Refusal& refusal) {
  if (std::holds_alternative<bool>(value)) return value;
  const std::string text = toString(value);
  if (text == "true" || text == "on" || text == "1") return Value(true);
  if (text == "false" || text == "off" || text == "0") return Value(false);
  return tl::unexpected(refusal.with(trFormat("is true or false; \"{}\" is neither true nor false", quotable(text))));
}

Result<Value> acceptChoice(const Property& property, const Value& value, const Refusal& refusal) {
  const std::vector<std::string> choices = choicesOf(property);
  const std::string text = toString(value);
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return Value(text);
  return tl::unexpected(refusal.with(
      trFormat("must be one of {}; \"{}\" was given", fmt::format("{}", fmt::join(choices, ", ")), quotable(text))));
}

Result<Value> acceptText(const Value& value, const Refusal& refusal) {
  const std::string text = toString(value);
  if (text.size() > kLongestText)
    return tl::unexpected(refusal.with(trFormat("may have at most {} bytes", kLongestText)));
  if (findInvalidUtf8(text)) return tl::unexpected(refusal.with(tr(N_("must be UTF-8 text"))));
  return Value(text);
}

Result<Value> acceptColor(const Value& value, const Refusal& refusal) {
  const std::string text = toString(value);
  if (text.empty()) return Value(text);
  if (const std::optional<Rgb> color = rgbOf(text)) return Value(colorText(*color));
  return tl::unexpected(
      refusal.with(trFormat("must be a colour such as #1f77b4, or empty; \"{}\" was given", quotable(text))));
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
    refusal.kept = trFormat(", {} is kept", withMinus(formatShortest(*number)));
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
    if (property.kind != Kind::Integer) return grouped(withMinus(formatFixed(*number, property.digits)));
    const std::string whole = fmt::format("{:.0f}", *number);
    return property.choiceLabel ? withMinus(property.choiceLabel(whole)) : grouped(withMinus(whole));
  }
  if (const std::string* text = std::get_if<std::string>(&value)) {
    return property.kind == Kind::Choice && property.choiceLabel ? property.choiceLabel(*text) : *text;
  }
  return kMissingValue;
}

std::string formatValue(const ReadOut& readOut, const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return tr(*flag ? N_("yes") : N_("no"));
  if (const double* number = std::get_if<double>(&value)) {
    if (!std::isfinite(*number)) return kMissingValue;
    return readOut.numberWords ? readOut.numberWords(*number) : grouped(shownFixed(*number, readOut.digits));
  }
  if (const std::string* text = std::get_if<std::string>(&value)) return readOut.words ? readOut.words(*text) : *text;
  return kMissingValue;
}

namespace {

/// Completes a declaration: choices from its options, the kind from its fallback.
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
  if (property.into.kind()) rowsInto_[property.into.kind()].push_back(properties_.size());
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

namespace {

Value valueIn(const Document& document, const Property& property, std::string_view key) {
  const Json& json = document.at(key);
  if (typeFor(property.kind, json).fits) return valueOfJson(json);
  return property.live ? property.live() : property.fallback;
}

}  // namespace

Value PropertyRegistry::get(const Document& document, std::string_view key) const {
  const std::optional<Found> found = find(key);
  if (!found) return std::monostate();
  if (found->readOut) return found->readOut->get ? found->readOut->get(found->index) : Value();
  const Property& property = *found->property;
  if (found->index >= 0 && !document.has(fmt::format("{}[{}]", listOf(property.key), found->index)))
    return std::monostate();
  return valueIn(document, property, key);
}

void PropertyRegistry::readInto(const void* kind, void* state, const Document& document,
                                std::string_view prefix) const {
  const auto rows = rowsInto_.find(kind);
  if (rows == rowsInto_.end()) return;
  for (const std::size_t row : rows->second) {
    const Property& property = properties_[row];
    if (property.key.starts_with(prefix))
      property.into(state, valueIn(document, property, property.key), {property.min, property.max, property.choices});
  }
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
    return fail(ErrorKind::Usage,
                near.empty() ? trFormat("there is no parameter \"{}\"", quotable(key))
                             : trFormat("there is no parameter \"{}\"; the nearest is \"{}\"", quotable(key), near));
  }
  if (found->readOut) return fail(ErrorKind::Usage, trFormat("\"{}\" is a result and cannot be set", key));
  const Property& property = *found->property;
  if (found->index >= 0) {
    const std::string list = listOf(property.key);
    const std::size_t size = document.list(list).size();
    if (static_cast<std::size_t>(found->index) >= size) {
      return fail(ErrorKind::Usage, trFormat("\"{}\": {} has {} elements, counted from 0", key, list, size));
    }
  }
  const Result<Value> accepted = accept(property, value, key, get(document, key));
  if (!accepted) return tl::unexpected(accepted.error());
  Document next = document.with(key, toJson(property, *accepted));
  return property.follow ? property.follow(document, next) : Result<Document>(std::move(next));
}

Result<void> PropertyRegistry::check(const Document& document) const {
  Result<void> checked;
  visitRefusedFields(*this, document, [&checked](RefusedField refused) {
    checked = fail(ErrorKind::BadInput, std::move(refused.sentence));
    return false;
  });
  return checked;
}

std::string PropertyRegistry::nearest(std::string_view key) const {
  std::vector<std::string> keys;
  for (const Property& property : properties_)
    keys.push_back(property.key);
  return nearestName(key, keys, std::max<std::size_t>(2, key.size() / 3));
}

}  // namespace sepx::ui
