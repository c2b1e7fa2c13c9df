// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/families/families.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sepx::checkpoint {

namespace families {

StackRule separate(Stack stack, const std::string& query, const std::string& key) {
  StackRule rule;
  rule.stack = stack;
  rule.query = query + ".weight";
  rule.key = key + ".weight";
  rule.queryBias = query + ".bias";
  rule.keyBias = key + ".bias";
  return rule;
}

StackRule fused(Stack stack, const std::string& all, Fusion fusion) {
  StackRule rule = separate(stack, all, all);
  rule.fusion = fusion;
  return rule;
}

StackRule normed(StackRule rule, const std::string& norm, bool rms) {
  rule.normGain = norm + ".weight";
  rule.normBias = norm + ".bias";
  rule.rms = rms;
  return rule;
}

StackRule causal(StackRule rule) {
  rule.causal = true;
  return rule;
}

StackRule rotated(StackRule rule, Rotation rotation) {
  rule.rotation = rotation;
  return rule;
}

StackRule decoder(StackRule projections, const std::string& norm, bool rms, Rotation rotation) {
  return causal(rotated(normed(std::move(projections), norm, rms), rotation));
}

StackRule inProjection(Stack stack, const std::string& attention) {
  StackRule rule;
  rule.stack = stack;
  rule.query = rule.key = attention + ".in_proj_weight";
  rule.queryBias = rule.keyBias = attention + ".in_proj_bias";
  rule.fusion = Fusion::Blocks;
  return rule;
}

FamilyRule family(const char* key, const char* name, std::vector<std::string> types, std::vector<StackRule> stacks,
                  const char* tokenEmbedding, const char* positionEmbedding) {
  FamilyRule rule;
  rule.stacks = std::move(stacks);
  rule.tokenEmbedding = tokenEmbedding;
  rule.positionEmbedding = positionEmbedding;
  return named(std::move(rule), key, name, std::move(types));
}

FamilyRule named(FamilyRule rule, const char* key, const char* name, std::vector<std::string> types) {
  rule.key = key;
  rule.name = name;
  rule.modelTypes = std::move(types);
  return rule;
}

std::function<void(const Checkpoint&, const ModelConfig&, AttentionMap&)> shownAs(const char* name) {
  return [name](const Checkpoint&, const ModelConfig&, AttentionMap& map) { map.familyName = name; };
}

void dropNorms(AttentionMap& map) {
  for (AttentionLayer& layer : map.layers)
    layer.norm.reset();
}

}  // namespace families

const std::vector<FamilyRule>& allFamilies() {
  static const std::vector<FamilyRule> all = [] {
    std::vector<FamilyRule> rules;
#define FAMILIES(name) std::ranges::move(families::name##Families(), std::back_inserter(rules));
#include "engine/checkpoint/families/list.inc"
#undef FAMILIES
    return rules;
  }();
  return all;
}

}  // namespace sepx::checkpoint
