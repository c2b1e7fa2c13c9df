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

void dropNorms(AttentionMap& map) {
  for (AttentionLayer& layer : map.layers)
    layer.norm.reset();
}

void setNormKind(AttentionMap& map, NormSource::Kind kind) {
  for (AttentionLayer& layer : map.layers)
    if (layer.norm) layer.norm->kind = kind;
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
