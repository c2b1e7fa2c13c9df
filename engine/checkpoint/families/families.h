// SPDX-License-Identifier: Apache-2.0
// The families that ship, one file a kinship; facts about names and layouts of published models. Pure data with small
// hooks; must not read weights. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint::kin {

std::vector<FamilyRule> bertKin();   ///< BERT, DistilBERT, ALBERT, DeBERTa, ModernBERT
std::vector<FamilyRule> gptKin();    ///< GPT-1/2, iGPT, nanoGPT, Qwen 1, GPT-Neo, GPT-J, GPT-NeoX, BLOOM, Falcon, MPT
std::vector<FamilyRule> llamaKin();  ///< LLaMA, Mistral, Qwen 2 and 3, Gemma, Phi, LLaDA, Dream
std::vector<FamilyRule> twoStackKin();  ///< BART, OPT, T5, Whisper, DETR
std::vector<FamilyRule> seeingKin();    ///< ViT, BEiT, DeiT, DINOv2, CLIP, timm, lucidrains
std::vector<FamilyRule> hearingKin();   ///< wav2vec2, HuBERT, WavLM
std::vector<FamilyRule> ggufKin();      ///< names of llama.cpp
std::vector<FamilyRule> plainKin();     ///< TransformerLens, torch.nn, w_q and w_k, and other plain words

/// Weights and biases of a linear layer apart: "….q_proj" and "….k_proj".
StackRule separate(Stack stack, const std::string& query, const std::string& key);
/// Queries, keys and values in one linear layer.
StackRule fused(Stack stack, const std::string& all, Fusion fusion);
/// With a norm before the projections: "….input_layernorm".
StackRule normed(StackRule rule, const std::string& norm, bool rms);
StackRule causal(StackRule rule);
StackRule rotated(StackRule rule, Rotation rotation);

/// The norm is after the attention: nothing stands before the projections.
void dropNorms(AttentionMap& map);
void setNormKind(AttentionMap& map, NormSource::Kind kind);

}  // namespace sepx::checkpoint::kin
