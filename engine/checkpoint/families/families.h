// SPDX-License-Identifier: Apache-2.0
// The families that ship: facts about names and layouts of published models, one description a family, related ones in
// one file, each file a line of list.inc. Pure data with small hooks; must not read weights. Any thread.
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

/// Weights and biases of a linear layer apart: "….q_proj" and "….k_proj".
StackRule separate(Stack stack, const std::string& query, const std::string& key);
/// Queries, keys and values in one linear layer.
StackRule fused(Stack stack, const std::string& all, Fusion fusion);
/// With a norm before the projections: "….input_layernorm".
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
/// A relative of a family: the same names under another key.
FamilyRule named(FamilyRule rule, const char* key, const char* name, std::vector<std::string> types);
/// The name that a map of this family shows, where the rule has none or another one in lists.
std::function<void(const Checkpoint&, const ModelConfig&, AttentionMap&)> shownAs(const char* name);

/// The norm is after the attention: nothing stands before the projections.
void dropNorms(AttentionMap& map);

}  // namespace sepx::checkpoint::families
