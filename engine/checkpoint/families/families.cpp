// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/families/families.h"

#include <set>
#include <utility>

namespace sepx::checkpoint {

namespace kin {

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

}  // namespace kin

const std::vector<FamilyRule>& families() {
  static const std::vector<FamilyRule> all = [] {
    std::vector<FamilyRule> rules;
    for (const auto& kin : {kin::ggufKin, kin::bertKin, kin::gptKin, kin::twoStackKin, kin::hearingKin, kin::seeingKin,
                            kin::llamaKin, kin::plainKin})
      for (FamilyRule& rule : kin())
        rules.push_back(std::move(rule));
    return rules;
  }();
  return all;
}

std::string familyNames() {
  std::string text;
  std::set<std::string> said;
  for (const FamilyRule& rule : families()) {
    if (rule.name.empty() || !said.insert(rule.name).second) continue;
    if (!text.empty()) text += ", ";
    text += rule.name;
  }
  return text;
}

}  // namespace sepx::checkpoint
