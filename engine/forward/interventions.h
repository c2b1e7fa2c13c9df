// SPDX-License-Identifier: Apache-2.0
// Changes of a computation (activations.h): whether they name something that the model has, and how they are applied.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/forward/activations.h"

namespace sepx::forward {

/// Usage, in one sentence, of the first that names no such layer, head or position of the model, has values of another
/// size, or asks of the symmetric or skew part what is not a factor.
Result<void> checkInterventions(const std::vector<Intervention>& interventions, const checkpoint::ModelPlan& plan,
                                int positions);

/// Those of `target` at a layer and (of heads) a head, applied in their order to x: `positions` rows of `width` numbers
/// in rows of `ld`. Means are made in double.
template <class T>
void intervene(const std::vector<Intervention>& interventions, Intervention::Target target, int layer, int head,
               int positions, std::size_t width, T* x, std::size_t ld);

/// Factors of the symmetric or skew part of a layer, [heads, positions] by query; empty: nothing is changed.
std::vector<double> partFactors(const std::vector<Intervention>& interventions, Intervention::Target part, int layer,
                                int heads, int positions);

}  // namespace sepx::forward
