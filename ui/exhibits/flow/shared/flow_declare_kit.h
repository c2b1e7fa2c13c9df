// SPDX-License-Identifier: Apache-2.0
// What the declarations of the Flow exhibit share: when a row applies, and words that follow the chosen field. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/markov/basin.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/declarations.h"

namespace sepx::ui::declaring {

/// Of the page of the plane alone, and of a document that passes `also`.
Condition onPlane(Condition also = {});
/// Whether `key` is the chosen field.
Condition whenField(const std::string& key);
/// `words` and the canonical letter, or `other` and the chosen field's own variable.
std::function<std::string(const Document&)> coordinateName(const std::vector<FieldPointer>& fields, const char* words,
                                                           const char* other, std::size_t variable);
/// A probability with six decimals.
std::string shownProbability6(double value);

/// LABEL of the command line; other fields have attractors.
std::string labelOf(markov::LimitKind kind);
/// "local-min" -> "local minimum".
std::string labelWords(const std::string& label);

}  // namespace sepx::ui::declaring
