// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs that all pages of the Weights exhibit share, declared once: control, script key, session
// field, help and card come from here. What a page alone shows it declares itself.
#pragma once

#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// The referents outlive the registry. `page`: the choice of the page.
void declareWeights(PropertyRegistry& registry, const WeightsShared& live, Property page);

// Its parts, one file each.
void declareWeightsChoice(PropertyRegistry& registry, const WeightsShared& live, Property page);
void declareWeightsView(PropertyRegistry& registry, const WeightsShared& live);
void declareWeightsScore(PropertyRegistry& registry);
void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live);
/// Formulas, the same with the present numbers, errata.
void declareWeightsCards(PropertyRegistry& registry, const WeightsShared& live);

}  // namespace sepx::ui
