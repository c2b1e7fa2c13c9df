// SPDX-License-Identifier: Apache-2.0
// Shared by the families with LLaMA's names. Private to the families. Pure data; any thread.
#pragma once

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint::families {

/// q_proj and k_proj after an RMS norm, rotated by halves, causal.
StackRule projections();
/// Hook for the map: sets the scale, the pairs that are rotated, and notes, as the config says.
void applyConfig(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map);
FamilyParts llamaNames();

/// A family with the names of LLaMA; only the config tells which of its relatives it is.
FamilyRule llamaLike(const char* key, const char* name, std::vector<std::string> types);
/// A family with its own names.
FamilyRule ownNames(const char* key, const char* name, std::vector<std::string> types, StackRule stack,
                    const char* tokens);
/// `rule` with another `compute` hook.
FamilyRule computed(FamilyRule rule, Result<void> (*compute)(const Checkpoint&, const ModelConfig&, ModelPlan&));
/// A `compute` hook: every layer uses the sliding window of the config.
Result<void> computeSliding(const Checkpoint& checkpoint, const ModelConfig& config, ModelPlan& plan);

}  // namespace sepx::checkpoint::families
