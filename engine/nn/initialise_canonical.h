// SPDX-License-Identifier: Apache-2.0
// The constructions of Local-to-Global from a few scalars: canonical (A.1, D, H.1) and proposed (A.3.2). Used only by
// initialise.cpp; initialise.h gives the formulas. Any thread.
#pragma once

#include <span>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/nn/initialise.h"

namespace sepx::nn {

/// Checks the canonical schemes and Proposed; succeeds for any other scheme.
Result<void> checkCanonical(const Initial& initial, const ModelConfig& config);

/// Sets every parameter.
template <class T>
void fillCanonical(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout,
                   RandomStream& random, std::span<T> theta);
/// Overwrites embedding, W_1, W_2, the logits' bias and, with Scalars, the positions of an existing initialisation.
template <class T>
void fillProposed(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout,
                  RandomStream& random, std::span<T> theta);

}  // namespace sepx::nn
