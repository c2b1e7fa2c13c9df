// SPDX-License-Identifier: Apache-2.0
// Checks and applies the interventions of a forward pass (activations.h). Pure; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/forward/activations.h"

namespace sepx::forward {

/// Usage, in one sentence, for the first intervention that names a layer, part, head or position that does not exist,
/// has values of the wrong size, or changes the symmetric or skew part other than by a factor.
Result<void> checkInterventions(const std::vector<Intervention>& interventions, const checkpoint::ModelPlan& plan,
                                int positions);

/// Applies the interventions on `target` at a layer and (for targets of heads) a head to x, in their order. x:
/// `positions` rows of `width` values, in rows of `ld`. Means are computed in double.
template <class T>
void intervene(const std::vector<Intervention>& interventions, Intervention::Target target, int layer, int head,
               int positions, std::size_t width, T* x, std::size_t ld);

/// Factors of the symmetric or skew part of a layer, [heads, positions] by query; empty: nothing is changed.
std::vector<double> partFactors(const std::vector<Intervention>& interventions, Intervention::Target part, int layer,
                                int heads, int positions);

}  // namespace sepx::forward
