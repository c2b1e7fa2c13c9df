// SPDX-License-Identifier: Apache-2.0
// See flow_declare_kit.h.
#include "ui/exhibits/flow/shared/flow_declare_kit.h"

#include <cmath>
#include <utility>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/tr.h"

namespace sepx::ui::declaring {

Property real(std::string key, std::string label, std::string symbol, double min, double max, double fallback,
              double step, int digits, std::string help) {
  Property property;
  property.key = std::move(key);
  property.label = std::move(label);
  property.symbol = std::move(symbol);
  property.min = min;
  property.max = max;
  property.step = step;
  property.digits = digits;
  property.fallback = fallback;
  property.help = std::move(help);
  return property;
}

std::function<bool(const Document&)> onPlane(std::function<bool(const Document&)> also) {
  return onPages({"plane"}, std::move(also));
}

std::function<bool(const Document&)> whenField(const std::string& key) {
  return [key](const Document& document) { return chosenField(document) == key; };
}

std::function<std::string(const Document&)> coordinateName(const std::vector<FieldPointer>& fields, const char* words,
                                                           const char* other, std::size_t variable) {
  return [fields, words, other, variable](const Document& document) {
    const dynamics::VectorField& field = fieldOf(fields, document);
    const char* const name = field.info().key == kCanonicalField ? words : other;
    return std::string(tr(name)) + "  " + field.info().variables[variable];
  };
}

Property toggle(std::string key, std::string label, bool fallback, std::string help) {
  Property property;
  property.key = std::move(key);
  property.label = std::move(label);
  property.kind = Kind::Toggle;
  property.fallback = fallback;
  property.help = std::move(help);
  return property;
}

void readOut(PropertyRegistry& registry, std::string key, std::string label, std::string symbol, std::string unit,
             std::string help, std::string equation, Getter get, int digits, Extra extra) {
  ReadOut declaration;
  if (extra.canonical) declaration.applies = whenField(kCanonicalField);
  if (extra.plane) declaration.applies = onPlane(std::move(declaration.applies));
  declaration.detail = extra.detail;
  declaration.words = std::move(extra.words);
  declaration.numberWords = std::move(extra.numberWords);
  declaration.liveLabel = std::move(extra.liveLabel);
  declaration.key = std::move(key);
  declaration.label = std::move(label);
  declaration.symbol = std::move(symbol);
  declaration.unit = std::move(unit);
  declaration.help = std::move(help);
  declaration.equation = std::move(equation);
  declaration.digits = digits;
  declaration.get = std::move(get);
  registry.declare(std::move(declaration));
}

Value valueOf(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Value(*number) : Value(std::monostate{});
}

std::string labelOf(markov::LimitKind kind) {
  return kind == markov::LimitKind::Attractor ? "attractor" : std::string(markov::limitName(kind));
}

std::string labelWords(const std::string& label) {
  if (label == "attractor") return kindWords(markov::LimitKind::Attractor);
  for (const markov::LimitKind kind :
       {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin, markov::LimitKind::Saddle,
        markov::LimitKind::LocalMax, markov::LimitKind::Undecided})
    if (label == markov::limitName(kind)) return kindWords(kind);
  return label;
}

}  // namespace sepx::ui::declaring
