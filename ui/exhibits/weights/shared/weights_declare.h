// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs that all pages of the Weights exhibit share, declared once: control, script key, session
// field, help and card come from here. What a page alone shows it declares itself.
#pragma once

#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// The referents outlive the registry. `page`: the choice of the page.
void declareWeights(PropertyRegistry& registry, const WeightsShared& live, Property page);

/// Called by declareWeights() last.
void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live);
/// The definition in both variants: which one is meant is a choice. Translated.
std::string directionalityFormula();

}  // namespace sepx::ui
