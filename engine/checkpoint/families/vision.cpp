// SPDX-License-Identifier: Apache-2.0
// Models that see: ViT and its kin, with the norm before the attention. They have no table of tokens.
#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

FamilyRule named(FamilyRule rule, const char* key, const char* name, std::vector<std::string> types, bool byNames) {
  rule.key = key;
  rule.name = name;
  rule.modelTypes = std::move(types);
  rule.byNames = byNames;
  return rule;
}

// Hugging Face: the attention inside the attention.
FamilyRule vit() {
  FamilyRule rule;
  rule.stacks = {normed(separate(Stack::Self, "encoder.layer.{layer}.attention.attention.query",
                                 "encoder.layer.{layer}.attention.attention.key"),
                        "encoder.layer.{layer}.layernorm_before", false)};
  return named(rule, "vit", "ViT", {"vit", "vit_mae", "vit_msn", "vit_hybrid", "ijepa", "yolos", "videomae"}, true);
}

FamilyRule beit() {
  FamilyRule rule = named(vit(), "beit", "BEiT", {"beit", "data2vec-vision"}, true);
  rule.needs = {"encoder.layer.{layer}.attention.attention.query.bias",
                "!encoder.layer.{layer}.attention.attention.key.bias"};
  rule.stacks.front().keyBias.clear();
  rule.notes = {"a learned bias of the distance may be added to the score; W_qk leaves it out"};
  return rule;
}

FamilyRule dinov2() {
  FamilyRule rule;
  rule.stacks = {normed(separate(Stack::Self, "encoder.layer.{layer}.attention.attention.query",
                                 "encoder.layer.{layer}.attention.attention.key"),
                        "encoder.layer.{layer}.norm1", false)};
  rule.needs = {"encoder.layer.{layer}.norm1.weight"};
  return named(rule, "dinov2", "DINOv2", {"dinov2", "dinov2_with_registers"}, true);
}

FamilyRule deit() {
  FamilyRule rule = named(vit(), "deit", "DeiT", {"deit"}, true);
  rule.needs = {"embeddings.distillation_token"};
  return rule;
}

FamilyRule deitByType() {
  FamilyRule rule = named(vit(), "deit", "", {"deit"}, false);
  rule.finish = [](const Checkpoint&, const ModelConfig&, AttentionMap& map) { map.familyName = "DeiT"; };
  return rule;
}

// timm and the repositories of DINO and DINOv2.
FamilyRule timm() {
  FamilyRule rule;
  StackRule stack =
      normed(fused(Stack::Self, "blocks.{layer}.attn.qkv", Fusion::Blocks), "blocks.{layer}.norm1", false);
  stack.qNorm = "blocks.{layer}.attn.q_norm.weight";
  stack.kNorm = "blocks.{layer}.attn.k_norm.weight";
  rule.stacks = {stack};
  rule.needs = {"!blocks.{layer}.attn.q_bias"};
  return named(rule, "timm", "timm ViT", {"timm_wrapper"}, true);
}

// timm's BEiT and EVA: queries and values have biases of their own.
FamilyRule timmBeit() {
  FamilyRule rule = timm();
  rule.stacks.front().queryBias = "blocks.{layer}.attn.q_bias";
  rule.stacks.front().keyBias.clear();
  rule.needs = {"blocks.{layer}.attn.q_bias"};
  return named(rule, "timm-beit", "timm BEiT", {}, true);
}

FamilyRule clip() {
  FamilyRule rule;
  rule.stacks = {normed(
      separate(Stack::Self, "encoder.layers.{layer}.self_attn.q_proj", "encoder.layers.{layer}.self_attn.k_proj"),
      "encoder.layers.{layer}.layer_norm1", false)};
  rule.needs = {"encoder.layers.{layer}.layer_norm1.weight"};
  return named(rule, "clip", "CLIP, SigLIP", {"clip", "siglip", "clip_vision_model", "siglip_vision_model"}, true);
}

FamilyRule openClip() {
  FamilyRule rule;
  StackRule stack = normed(StackRule{}, "resblocks.{layer}.ln_1", false);
  stack.query = stack.key = "resblocks.{layer}.attn.in_proj_weight";
  stack.queryBias = stack.keyBias = "resblocks.{layer}.attn.in_proj_bias";
  stack.fusion = Fusion::Blocks;
  rule.stacks = {stack};
  return named(rule, "openclip", "OpenCLIP", {}, true);
}

FamilyRule torchvision() {
  FamilyRule rule;
  StackRule stack = normed(StackRule{}, "encoder.layers.encoder_layer_{layer}.ln_1", false);
  stack.query = stack.key = "encoder.layers.encoder_layer_{layer}.self_attention.in_proj_weight";
  stack.queryBias = stack.keyBias = "encoder.layers.encoder_layer_{layer}.self_attention.in_proj_bias";
  stack.fusion = Fusion::Blocks;
  rule.stacks = {stack};
  return named(rule, "torchvision", "torchvision ViT", {}, true);
}

// vit-pytorch through its years: what wraps the attention changed, and with it the names.
FamilyRule lucidrains(const char* attention, const char* norm) {
  FamilyRule rule;
  const std::string layer = "layers.{layer}.0.";
  rule.stacks = {normed(fused(Stack::Self, layer + attention + "to_qkv", Fusion::Blocks), layer + norm, false)};
  rule = named(rule, "vit-pytorch", "", {}, true);
  rule.needs = {layer + attention + "to_qkv.weight"};
  rule.finish = [](const Checkpoint&, const ModelConfig&, AttentionMap& map) {
    map.familyName = "vit-pytorch (to_qkv)";
  };
  return rule;
}

}  // namespace

std::vector<FamilyRule> visionFamilies() {
  FamilyRule first = lucidrains("fn.fn.", "fn.norm");
  first.name = "vit-pytorch";
  return {dinov2(),
          deit(),
          deitByType(),
          beit(),
          vit(),
          timmBeit(),
          timm(),
          clip(),
          openClip(),
          torchvision(),
          first,
          lucidrains("fn.", "norm"),
          lucidrains("", "norm")};
}

}  // namespace sepx::checkpoint::families
