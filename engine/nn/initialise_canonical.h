// SPDX-License-Identifier: Apache-2.0
// The constructions of Local-to-Global from a few scalars: canonical (A.1, D, H.1) and proposed (A.3.2). Used by
// initialise.cpp alone, which says what they are. Any thread.
#pragma once

#include <span>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/nn/initialise.h"

namespace sepx::nn {

/// Nothing to say unless the scheme is one of the two.
Result<void> checkCanonical(const Initial& initial, const ModelConfig& config);

/// Every parameter.
template <class T>
void fillCanonical(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout,
                   RandomStream& random, std::span<T> theta);
/// Embedding, W_1, W_2 and what the reading adds, over a start that is there already.
template <class T>
void fillProposed(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout,
                  RandomStream& random, std::span<T> theta);

}  // namespace sepx::nn
