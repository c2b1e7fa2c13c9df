// SPDX-License-Identifier: Apache-2.0
// Speech models: wav2vec2 and its relatives. The large ones have the norm before the attention, the others after it.
#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

FamilyRule wav2vec2() {
  FamilyRule rule = family("wav2vec2", "wav2vec2", {"wav2vec2", "data2vec-audio", "unispeech", "unispeech-sat", "sew"},
                           {normed(separate(Stack::Self, "encoder.layers.{layer}.attention.q_proj",
                                            "encoder.layers.{layer}.attention.k_proj"),
                                   "encoder.layers.{layer}.layer_norm", false)});
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    if (config.flag("do_stable_layer_norm") != true) dropNorms(map);
  };
  return rule;
}

FamilyRule hubert() {
  FamilyRule rule = named(wav2vec2(), "hubert", "HuBERT", {"hubert"});
  rule.byNames = false;
  return rule;
}

FamilyRule wavlm() {
  FamilyRule rule = named(wav2vec2(), "wavlm", "WavLM", {"wavlm"});
  rule.needs = {"encoder.layers.{layer}.attention.gru_rel_pos_linear.weight"};
  rule.notes = {"a gated bias of the distance is added to the score; W_qk leaves it out"};
  return rule;
}

}  // namespace

std::vector<FamilyRule> speechFamilies() {
  return {wavlm(), hubert(), wav2vec2()};
}

}  // namespace sepx::checkpoint::families
