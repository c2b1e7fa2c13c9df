// SPDX-License-Identifier: Apache-2.0
// See flow_declare_kit.h.
#include "ui/exhibits/flow/shared/flow_declare_kit.h"

#include <utility>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui::declaring {

Condition onPlane(Condition also) {
  return onPages({"plane"}, std::move(also));
}

Condition whenField(const std::string& key) {
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

std::string shownProbability6(double value) {
  return shownProbability(value, 6);
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
