// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs of the page of (p,q), with their cards. Frame thread.
#pragma once

#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// `state` and `results` must outlive the registry.
void declareChain(PropertyRegistry& registry, const ChainState& state, const ChainResults& results);

}  // namespace sepx::ui
