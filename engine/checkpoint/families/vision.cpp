// SPDX-License-Identifier: Apache-2.0
// Vision models: ViT and its relatives, with the norm before the attention. They have no table of tokens.
#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

FamilyParts vitParts() {
  FamilyParts parts;
  parts.prefix = "vit.";
  parts.classToken = "embeddings.cls_token";
  parts.patchPositions = "embeddings.position_embeddings";
  parts.patches = "embeddings.patch_embeddings.projection";
  parts.value = "encoder.layer.{layer}.attention.attention.value";
  parts.projection = "encoder.layer.{layer}.attention.output.dense";
  parts.up = "encoder.layer.{layer}.intermediate.dense";
  parts.down = "encoder.layer.{layer}.output.dense";
  parts.feedForwardNorm = "encoder.layer.{layer}.layernorm_after";
  parts.finalNorm = "layernorm";
  parts.head = "classifier.weight";
  parts.outputBias = {"classifier.bias"};
  parts.config = R"({
    "architectures": ["ViTForImageClassification"],
    "model_type": "vit",
    "image_size": "{image}", "num_channels": "{channels}", "patch_size": "{patch}",
    "hidden_size": "{d_model}", "num_hidden_layers": "{layers}", "num_attention_heads": "{heads}",
    "intermediate_size": "{d_ff}", "hidden_act": "{activation}", "layer_norm_eps": "{norm_epsilon}",
    "hidden_dropout_prob": "{residual_dropout}", "attention_probs_dropout_prob": "{attention_dropout}",
    "qkv_bias": true, "torch_dtype": "float32"
  })";
  return parts;
}

// Hugging Face: the attention inside the attention.
FamilyRule vit() {
  FamilyRule rule = family("vit", "ViT", {"vit", "vit_mae", "vit_msn", "vit_hybrid", "ijepa", "yolos", "videomae"},
                           {normed(separate(Stack::Self, "encoder.layer.{layer}.attention.attention.query",
                                            "encoder.layer.{layer}.attention.attention.key"),
                                   "encoder.layer.{layer}.layernorm_before", false)});
  rule.parts = vitParts();
  return rule;
}

FamilyRule beit() {
  FamilyRule rule = named(vit(), "beit", "BEiT", {"beit", "data2vec-vision"});
  rule.parts.reset();
  rule.needs = {"encoder.layer.{layer}.attention.attention.query.bias",
                "!encoder.layer.{layer}.attention.attention.key.bias"};
  rule.stacks.front().keyBias.clear();
  rule.notes = {"a learned bias of the distance may be added to the score; W_qk leaves it out"};
  return rule;
}

FamilyRule dinov2() {
  FamilyRule rule = family("dinov2", "DINOv2", {"dinov2", "dinov2_with_registers"},
                           {normed(separate(Stack::Self, "encoder.layer.{layer}.attention.attention.query",
                                            "encoder.layer.{layer}.attention.attention.key"),
                                   "encoder.layer.{layer}.norm1", false)});
  rule.needs = {"encoder.layer.{layer}.norm1.weight"};
  return rule;
}

FamilyRule deit() {
  FamilyRule rule = named(vit(), "deit", "DeiT", {"deit"});
  rule.parts.reset();
  rule.needs = {"embeddings.distillation_token"};
  return rule;
}

FamilyRule deitByType() {
  FamilyRule rule = named(vit(), "deit", "", {"deit"});
  rule.parts.reset();
  rule.byNames = false;
  rule.finish = shownAs("DeiT");
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
  return named(rule, "timm", "timm ViT", {"timm_wrapper"});
}

// timm's BEiT and EVA: queries and values have biases of their own.
FamilyRule timmBeit() {
  FamilyRule rule = timm();
  rule.stacks.front().queryBias = "blocks.{layer}.attn.q_bias";
  rule.stacks.front().keyBias.clear();
  rule.needs = {"blocks.{layer}.attn.q_bias"};
  return named(rule, "timm-beit", "timm BEiT", {});
}

FamilyRule clip() {
  FamilyRule rule = family("clip", "CLIP, SigLIP", {"clip", "siglip", "clip_vision_model", "siglip_vision_model"},
                           {normed(separate(Stack::Self, "encoder.layers.{layer}.self_attn.q_proj",
                                            "encoder.layers.{layer}.self_attn.k_proj"),
                                   "encoder.layers.{layer}.layer_norm1", false)});
  rule.needs = {"encoder.layers.{layer}.layer_norm1.weight"};
  return rule;
}

FamilyRule openClip() {
  return family("openclip", "OpenCLIP", {},
                {normed(inProjection(Stack::Self, "resblocks.{layer}.attn"), "resblocks.{layer}.ln_1", false)});
}

FamilyRule torchvision() {
  return family("torchvision", "torchvision ViT", {},
                {normed(inProjection(Stack::Self, "encoder.layers.encoder_layer_{layer}.self_attention"),
                        "encoder.layers.encoder_layer_{layer}.ln_1", false)});
}

// vit-pytorch through its years: what wraps the attention changed, and with it the names.
FamilyRule lucidrains(const char* attention, const char* norm) {
  const std::string layer = "layers.{layer}.0.";
  FamilyRule rule =
      family("vit-pytorch", "", {},
             {normed(fused(Stack::Self, layer + attention + "to_qkv", Fusion::Blocks), layer + norm, false)});
  rule.needs = {layer + attention + "to_qkv.weight"};
  rule.finish = shownAs("vit-pytorch (to_qkv)");
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
