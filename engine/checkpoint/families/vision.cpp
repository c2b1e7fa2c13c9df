// SPDX-License-Identifier: Apache-2.0
// Vision models: ViT and its relatives, with the norm before the attention. They have no table of tokens.
#include <cmath>

#include "engine/checkpoint/families/families.h"
#include "engine/checkpoint/family_match.h"

namespace sepx::checkpoint::families {

namespace {

// Registers are tokens between the class token and the patches.
Result<void> refuseRegisters(const Checkpoint& checkpoint, const ModelConfig&, ModelPlan&) {
  for (const TensorInfo& tensor : checkpoint.tensors())
    if (tensor.name.ends_with("register_tokens") || tensor.name.ends_with("reg_token"))
      return fail(ErrorKind::BadInput,
                  tensor.name + ": tokens other than the class token and the patches are not supported");
  return {};
}

FamilyParts vitNames() {
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
  parts.activation = FeedForwardActivation::GeluErf;
  parts.epsilon = 1e-12;
  parts.compute = refuseRegisters;
  return parts;
}

FamilyParts vitParts() {
  FamilyParts parts = vitNames();
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

// The names of Hugging Face, with "attention" inside "attention".
FamilyRule vit() {
  FamilyRule rule = family("vit", "ViT", {"vit", "vit_mae", "vit_msn", "vit_hybrid", "ijepa", "yolos", "videomae"},
                           {normed(separate(Stack::Self, "encoder.layer.{layer}.attention.attention.query",
                                            "encoder.layer.{layer}.attention.attention.key"),
                                   "encoder.layer.{layer}.layernorm_before", false)});
  rule.parts = vitNames();
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
  rule.parts = vitNames();
  rule.parts->feedForwardNorm = "encoder.layer.{layer}.norm2";
  rule.parts->up = "encoder.layer.{layer}.mlp.fc1";
  rule.parts->down = "encoder.layer.{layer}.mlp.fc2";
  rule.parts->attentionGain = "encoder.layer.{layer}.layer_scale1.lambda1";
  rule.parts->feedForwardGain = "encoder.layer.{layer}.layer_scale2.lambda1";
  rule.parts->epsilon = 1e-6;
  rule.needs = {"encoder.layer.{layer}.norm1.weight"};
  return rule;
}

FamilyRule deit() {
  FamilyRule rule = named(vit(), "deit", "DeiT", {"deit"});
  rule.parts->secondToken = "embeddings.distillation_token";
  rule.needs = {"embeddings.distillation_token"};
  return rule;
}

FamilyRule deitByType() {
  FamilyRule rule = named(vit(), "deit", "", {"deit"});
  rule.byNames = false;
  rule.finish = shownAs("DeiT");
  return rule;
}

FamilyParts timmParts() {
  FamilyParts parts;
  parts.classToken = "cls_token";
  parts.patchPositions = "pos_embed";
  parts.patches = "patch_embed.proj";
  parts.projection = "blocks.{layer}.attn.proj";
  parts.feedForwardNorm = "blocks.{layer}.norm2";
  parts.up = "blocks.{layer}.mlp.fc1";
  parts.down = "blocks.{layer}.mlp.fc2";
  parts.attentionGain = "blocks.{layer}.ls1.gamma";
  parts.feedForwardGain = "blocks.{layer}.ls2.gamma";
  parts.finalNorm = "norm";
  parts.head = "head.weight";
  parts.outputBias = {"head.bias"};
  parts.activation = FeedForwardActivation::GeluErf;
  parts.epsilon = 1e-6;
  parts.adapt = [](const Checkpoint& checkpoint, const ModelConfig&, FamilyParts& made) {
    if (NameIndex(checkpoint).has("dist_token")) made.secondToken = "dist_token";
  };
  parts.compute = [](const Checkpoint& checkpoint, const ModelConfig& config, ModelPlan& plan) -> Result<void> {
    if (NameIndex(checkpoint).has("fc_norm.weight"))
      return fail(ErrorKind::BadInput, "fc_norm.weight: the mean over all patches is not supported");
    return refuseRegisters(checkpoint, config, plan);
  };
  return parts;
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
  rule.parts = timmParts();
  return named(rule, "timm", "timm ViT", {"timm_wrapper"});
}

// timm's BEiT and EVA: queries and values have biases of their own.
FamilyRule timmBeit() {
  FamilyRule rule = timm();
  rule.parts.reset();
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

// The names depend on the version: with or without dropout, a linear layer or a norm at the head and at the patches.
void adaptLucidrains(const Checkpoint& checkpoint, const ModelConfig&, FamilyParts& parts) {
  const NameIndex names(checkpoint);
  const auto dimensions = [&names](const std::string& name) {
    const TensorInfo* found = names.nearest(name + ".weight", "");
    return found == nullptr ? std::size_t{0} : found->shape.size();
  };
  if (dimensions("patch_to_embedding") == 0) parts.patches = "to_patch_embedding.1";
  if (dimensions("to_patch_embedding.1") == 1) {
    parts.patchNorm = "to_patch_embedding.1";
    parts.patches = "to_patch_embedding.2";
    parts.patchedNorm = "to_patch_embedding.3";
  }
  if (names.has(parts.projection + ".0.weight")) parts.projection += ".0";
  const std::string net = parts.down;  // with its dot: the linear layers are numbered entries of it
  const bool normInNet = parts.feedForwardNorm.empty();
  if (normInNet) parts.feedForwardNorm = net + "0";
  parts.up = net + (normInNet ? "1" : "0");
  for (const char* last : {"2", "3", "4"})
    if (names.has(net + last + ".weight")) parts.down = net + last;
  if (dimensions("mlp_head.2") == 2) {
    parts.headTransform = "mlp_head.0";
    parts.head = "mlp_head.2.weight";
    parts.outputBias = {"mlp_head.2.bias"};
  } else if (dimensions("mlp_head.1") == 2) {
    parts.finalNorm = "mlp_head.0";
    parts.head = "mlp_head.1.weight";
    parts.outputBias = {"mlp_head.1.bias"};
  } else {
    parts.finalNorm = "norm";
    parts.head = "mlp_head.weight";
    parts.outputBias = {"mlp_head.bias"};
  }
}

/// `wrap` precedes the names of attention and feed-forward part, `norm` is the norm of the latter; empty: it is the
/// first entry of its list.
FamilyParts lucidrainsParts(const std::string& wrap, const std::string& norm) {
  FamilyParts parts;
  parts.classToken = "cls_token";
  parts.patchPositions = "pos_embedding";
  parts.patches = "patch_to_embedding";
  parts.patchFirst = true;
  parts.projection = "layers.{layer}.0." + wrap + "to_out";
  parts.feedForwardNorm = norm.empty() ? norm : "layers.{layer}.1." + norm;
  parts.down = "layers.{layer}.1." + wrap + "net.";
  parts.activation = FeedForwardActivation::GeluErf;
  parts.epsilon = 1e-5;
  parts.adapt = adaptLucidrains;
  return parts;
}

// The first versions divide by sqrt(d_model).
void scaleByWidth(const Checkpoint& checkpoint, const ModelConfig&, AttentionMap& map) {
  map.familyName = "vit-pytorch (to_qkv)";
  if (!NameIndex(checkpoint).has("patch_to_embedding.weight")) return;
  for (AttentionLayer& layer : map.layers)
    layer.scale = 1 / std::sqrt(static_cast<double>(layer.d_model));
}

// The versions of vit-pytorch: the modules that wrap the attention changed, and with them the names.
FamilyRule lucidrains(const char* attention, const char* norm) {
  const std::string layer = "layers.{layer}.0.";
  FamilyRule rule =
      family("vit-pytorch", "", {},
             {normed(fused(Stack::Self, layer + attention + "to_qkv", Fusion::Blocks), layer + norm, false)});
  rule.needs = {layer + attention + "to_qkv.weight"};
  rule.finish = scaleByWidth;
  rule.parts = lucidrainsParts(attention, *attention == '\0' ? "" : norm);
  return rule;
}

}  // namespace

std::vector<FamilyRule> visionFamilies() {
  FamilyRule first = lucidrains("fn.fn.", "fn.norm");
  first.name = "vit-pytorch";
  FamilyRule written = vit();  // relatives are read with its names, but not written
  written.parts = vitParts();
  return {dinov2(),
          deit(),
          deitByType(),
          beit(),
          written,
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
