// SPDX-License-Identifier: Apache-2.0
// What the families with LLaMA's names have in common. Private to the families. Pure data; any thread.
#pragma once

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint::families {

/// q_proj and k_proj behind an RMS norm, rotated by halves, causal.
StackRule projections();
/// Hook of the map: the scale, the pairs that are turned, and notes, as the config says.
void applyConfig(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map);
FamilyParts llamaNames();

/// With the names of LLaMA; only the config tells which of its relatives it is.
FamilyRule llamaLike(const char* key, const char* name, std::vector<std::string> types);
/// With names of its own.
FamilyRule ownNames(const char* key, const char* name, std::vector<std::string> types, StackRule stack,
                    const char* tokens);
/// `rule` with another hook of its parts.
FamilyRule computed(FamilyRule rule, Result<void> (*compute)(const Checkpoint&, const ModelConfig&, ModelPlan&));
/// Such a hook: every layer sees the sliding window of the config.
Result<void> computeSliding(const Checkpoint& checkpoint, const ModelConfig& config, ModelPlan& plan);

}  // namespace sepx::checkpoint::families
