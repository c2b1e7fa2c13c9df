// SPDX-License-Identifier: Apache-2.0
// The built-in families: names and layouts of published models. Each family has one description, related families share
// a file, and each file is a line of list.inc. Pure data with small hooks; must not read weights. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint::families {
/// Declares the rules of each file.
#define FAMILIES(name) std::vector<FamilyRule> name##Families();
#include "engine/checkpoint/families/list.inc"
#undef FAMILIES

/// Queries and keys in separate linear layers with biases: "….q_proj" and "….k_proj".
StackRule separate(Stack stack, const std::string& query, const std::string& key);
/// Queries, keys and values in one linear layer.
StackRule fused(Stack stack, const std::string& all, Fusion fusion);
/// `rule` with a norm before the projections: "….input_layernorm".
StackRule normed(StackRule rule, const std::string& norm, bool rms);
StackRule causal(StackRule rule);
StackRule rotated(StackRule rule, Rotation rotation);
/// Causal, with a norm before the projections.
StackRule decoder(StackRule projections, const std::string& norm, bool rms, Rotation rotation = Rotation::None);
/// Queries, keys and values of a torch.nn.MultiheadAttention: "….self_attn".
StackRule inProjection(Stack stack, const std::string& attention);

/// `types`: the model types of config.json that are of this family.
FamilyRule family(const char* key, const char* name, std::vector<std::string> types, std::vector<StackRule> stacks,
                  const char* tokenEmbedding = "", const char* positionEmbedding = "");
/// A related family: the same names under another key.
FamilyRule named(FamilyRule rule, const char* key, const char* name, std::vector<std::string> types);
/// A hook that sets the name shown for a map of this family, if the rule has none or a different one in lists.
std::function<void(const Checkpoint&, const ModelConfig&, AttentionMap&)> shownAs(const char* name);

/// Removes the norms before the projections, for models whose norm is after the attention.
void dropNorms(AttentionMap& map);

}  // namespace sepx::checkpoint::families
