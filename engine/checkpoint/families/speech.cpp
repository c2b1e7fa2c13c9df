// SPDX-License-Identifier: Apache-2.0
// Models that hear: wav2vec2 and its kin. The large ones have the norm before the attention, the others after it.
#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

FamilyRule wav2vec2() {
  FamilyRule rule;
  rule.key = "wav2vec2";
  rule.name = "wav2vec2";
  rule.modelTypes = {"wav2vec2", "data2vec-audio", "unispeech", "unispeech-sat", "sew"};
  rule.stacks = {normed(
      separate(Stack::Self, "encoder.layers.{layer}.attention.q_proj", "encoder.layers.{layer}.attention.k_proj"),
      "encoder.layers.{layer}.layer_norm", false)};
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    if (config.flag("do_stable_layer_norm") != true) dropNorms(map);
  };
  return rule;
}

FamilyRule hubert() {
  FamilyRule rule = wav2vec2();
  rule.key = "hubert";
  rule.name = "HuBERT";
  rule.modelTypes = {"hubert"};
  rule.byNames = false;
  return rule;
}

FamilyRule wavlm() {
  FamilyRule rule = wav2vec2();
  rule.key = "wavlm";
  rule.name = "WavLM";
  rule.modelTypes = {"wavlm"};
  rule.needs = {"encoder.layers.{layer}.attention.gru_rel_pos_linear.weight"};
  rule.notes = {"a gated bias of the distance is added to the score; W_qk leaves it out"};
  return rule;
}

}  // namespace

std::vector<FamilyRule> speechFamilies() {
  return {wavlm(), hubert(), wav2vec2()};
}

}  // namespace sepx::checkpoint::families
