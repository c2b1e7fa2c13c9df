// SPDX-License-Identifier: Apache-2.0
// GPT and its kin: decoders with the norm before the attention, except GPT-1.
#include <cmath>

#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

// GPT-2 keeps weights as [in, out].
StackRule conv1d(StackRule rule) {
  rule.transposed = true;
  return rule;
}

void scaleByLayer(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  for (AttentionLayer& layer : map.layers) {
    if (config.flag("scale_attn_weights") == false) layer.scale = 1;
    if (config.flag("scale_attn_by_inverse_layer_idx") == true) layer.scale /= layer.layer + 1;
  }
}

FamilyParts gpt2Parts() {
  FamilyParts parts;
  parts.prefix = "transformer.";
  parts.projection = "h.{layer}.attn.c_proj";
  parts.feedForwardNorm = "h.{layer}.ln_2";
  parts.up = "h.{layer}.mlp.c_fc";
  parts.down = "h.{layer}.mlp.c_proj";
  parts.finalNorm = "ln_f";
  parts.head = "lm_head.weight";
  parts.config = R"({
    "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2",
    "vocab_size": "{vocabulary}", "n_positions": "{length}", "n_embd": "{d_model}", "n_layer": "{layers}",
    "n_head": "{heads}", "n_inner": "{d_ff}", "activation_function": "{activation}",
    "layer_norm_epsilon": "{norm_epsilon}", "scale_attn_weights": "{scaled}", "embd_pdrop": "{embedding_dropout}",
    "attn_pdrop": "{attention_dropout}", "resid_pdrop": "{residual_dropout}", "head_dim": "{own_head_dim}",
    "tie_word_embeddings": "{tied}", "bos_token_id": null, "eos_token_id": null, "torch_dtype": "float32"
  })";
  return parts;
}

FamilyRule gpt2() {
  FamilyRule rule;
  rule.key = "gpt2";
  rule.name = "GPT-2";
  rule.modelTypes = {"gpt2", "biogpt2", "decision_transformer"};
  rule.stacks = {
      causal(normed(conv1d(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks)), "h.{layer}.ln_1", false))};
  rule.tokenEmbedding = "wte.weight";
  rule.positionEmbedding = "wpe.weight";
  rule.finish = scaleByLayer;
  return rule;
}

FamilyRule gpt1() {
  FamilyRule rule = gpt2();
  rule.key = "openai-gpt";
  rule.name = "GPT-1";
  rule.modelTypes = {"openai-gpt"};
  rule.stacks = {causal(conv1d(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks)))};
  rule.needs = {"tokens_embed.weight"};
  rule.tokenEmbedding = "tokens_embed.weight";
  rule.positionEmbedding = "positions_embed.weight";
  rule.finish = nullptr;
  return rule;
}

// The same without its embeddings, when the config says so.
FamilyRule gpt1ByType() {
  FamilyRule rule = gpt1();
  rule.needs.clear();
  rule.byNames = false;
  return rule;
}

FamilyRule igpt() {
  FamilyRule rule = gpt2();
  rule.key = "imagegpt";
  rule.name = "iGPT";
  rule.modelTypes = {"imagegpt"};
  rule.stacks = {
      causal(normed(conv1d(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks)), "h.{layer}.ln_1", true))};
  rule.byNames = false;
  return rule;
}

// Starcoder's first generation: [out, in], one key head for all.
FamilyRule bigcode() {
  FamilyRule rule = gpt2();
  rule.key = "gpt_bigcode";
  rule.name = "GPT-BigCode";
  rule.modelTypes = {"gpt_bigcode"};
  rule.stacks = {causal(normed(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks), "h.{layer}.ln_1", false))};
  rule.byNames = false;
  return rule;
}

FamilyRule nanogpt() {
  FamilyRule rule = bigcode();
  rule.key = "nanogpt";
  rule.name = "nanoGPT";
  rule.modelTypes = {"nanogpt"};
  rule.byNames = true;
  rule.finish = nullptr;
  return rule;
}

FamilyRule qwen1() {
  FamilyRule rule;
  rule.key = "qwen";
  rule.name = "Qwen";
  rule.modelTypes = {"qwen"};
  rule.stacks = {causal(rotated(
      normed(fused(Stack::Self, "h.{layer}.attn.c_attn", Fusion::Blocks), "h.{layer}.ln_1", true), Rotation::Halves))};
  rule.needs = {"h.{layer}.attn.c_attn.weight", "!wpe.weight", "h.{layer}.mlp.w1.weight"};
  rule.tokenEmbedding = "wte.weight";
  return rule;
}

FamilyRule gptNeo() {
  FamilyRule rule;
  rule.key = "gpt_neo";
  rule.name = "GPT-Neo";
  rule.modelTypes = {"gpt_neo"};
  StackRule stack =
      causal(normed(separate(Stack::Self, "h.{layer}.attn.attention.q_proj", "h.{layer}.attn.attention.k_proj"),
                    "h.{layer}.ln_1", false));
  stack.scaled = false;
  rule.stacks = {stack};
  rule.tokenEmbedding = "wte.weight";
  rule.positionEmbedding = "wpe.weight";
  return rule;
}

FamilyRule gptJ() {
  FamilyRule rule;
  rule.key = "gptj";
  rule.name = "GPT-J";
  rule.modelTypes = {"gptj"};
  rule.stacks = {causal(
      rotated(normed(separate(Stack::Self, "h.{layer}.attn.q_proj", "h.{layer}.attn.k_proj"), "h.{layer}.ln_1", false),
              Rotation::Pairs))};
  rule.tokenEmbedding = "wte.weight";
  return rule;
}

FamilyParts gptNeoXParts() {
  FamilyParts parts;
  parts.prefix = "gpt_neox.";
  parts.projection = "layers.{layer}.attention.dense";
  parts.feedForwardNorm = "layers.{layer}.post_attention_layernorm";
  parts.up = "layers.{layer}.mlp.dense_h_to_4h";
  parts.down = "layers.{layer}.mlp.dense_4h_to_h";
  parts.finalNorm = "final_layer_norm";
  parts.head = "embed_out.weight";
  parts.config = R"({
    "architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox",
    "vocab_size": "{vocabulary}", "max_position_embeddings": "{length}", "hidden_size": "{d_model}",
    "num_hidden_layers": "{layers}", "num_attention_heads": "{heads}", "intermediate_size": "{d_ff}",
    "hidden_act": "{activation}", "layer_norm_eps": "{norm_epsilon}", "rotary_pct": 1.0,
    "rotary_emb_base": "{rope_base}", "rope_theta": "{rope_base}", "use_parallel_residual": false,
    "attention_bias": "{attention_bias}", "attention_dropout": "{attention_dropout}",
    "hidden_dropout": "{residual_dropout}",
    "tie_word_embeddings": "{tied}", "bos_token_id": null, "eos_token_id": null, "torch_dtype": "float32"
  })";
  return parts;
}

FamilyRule gptNeoX() {
  FamilyRule rule;
  rule.key = "gpt_neox";
  rule.name = "GPT-NeoX, Pythia";
  rule.modelTypes = {"gpt_neox", "gpt_neox_japanese"};
  rule.stacks = {causal(rotated(normed(fused(Stack::Self, "layers.{layer}.attention.query_key_value", Fusion::PerHead),
                                       "layers.{layer}.input_layernorm", false),
                                Rotation::Halves))};
  rule.tokenEmbedding = "embed_in.weight";
  rule.parts = gptNeoXParts();
  // Pythia and GPT-NeoX 20B rotate a quarter of a head where their config does not say.
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    if (config.number({"rotary_pct", "partial_rotary_factor", "rope_parameters.partial_rotary_factor"})) return;
    for (AttentionLayer& layer : map.layers)
      if (layer.rope) layer.rope->dimensions = layer.d_h / 4 - layer.d_h / 4 % 2;
  };
  return rule;
}

constexpr const char* kAlibi = "a penalty that grows with distance (ALiBi) is added to the score; W_qk leaves it out";

FamilyRule bloom() {
  FamilyRule rule;
  rule.key = "bloom";
  rule.name = "BLOOM";
  rule.modelTypes = {"bloom"};
  rule.stacks = {causal(normed(fused(Stack::Self, "h.{layer}.self_attention.query_key_value", Fusion::PerHead),
                               "h.{layer}.input_layernorm", false))};
  rule.needs = {"word_embeddings_layernorm.weight"};
  rule.tokenEmbedding = "word_embeddings.weight";
  rule.notes = {kAlibi};
  return rule;
}

// One key head for all (7B) is one group; groups of heads (40B) have a norm of their own beside the feed-forward's.
FamilyRule falcon(bool twoNorms) {
  FamilyRule rule;
  rule.key = "falcon";
  rule.name = twoNorms ? "" : "Falcon";  // one name in lists
  rule.modelTypes = {"falcon", "RefinedWeb", "RefinedWebModel"};
  rule.stacks = {causal(rotated(normed(fused(Stack::Self, "h.{layer}.self_attention.query_key_value", Fusion::PerHead),
                                       twoNorms ? "h.{layer}.ln_attn" : "h.{layer}.input_layernorm", false),
                                Rotation::Halves))};
  rule.needs = {twoNorms ? "h.{layer}.ln_attn.weight" : "!h.{layer}.ln_attn.weight",
                "!word_embeddings_layernorm.weight"};
  rule.tokenEmbedding = "word_embeddings.weight";
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    map.familyName = "Falcon";
    if (config.flag("alibi") != true) return;
    for (AttentionLayer& layer : map.layers)
      layer.rope.reset();
    map.notes.emplace_back(kAlibi);
  };
  return rule;
}

FamilyRule mpt() {
  FamilyRule rule;
  rule.key = "mpt";
  rule.name = "MPT";
  rule.modelTypes = {"mpt"};
  rule.stacks = {
      causal(normed(fused(Stack::Self, "blocks.{layer}.attn.Wqkv", Fusion::Blocks), "blocks.{layer}.norm_1", false))};
  rule.tokenEmbedding = "wte.weight";
  rule.notes = {kAlibi};
  return rule;
}

}  // namespace

std::vector<FamilyRule> gptFamilies() {
  FamilyRule written = gpt2();  // its relatives begin with its rule and not with its parts
  written.parts = gpt2Parts();
  return {gpt1(),   gpt1ByType(), igpt(),    bigcode(), qwen1(),      written,       nanogpt(),
          gptNeo(), gptJ(),       gptNeoX(), bloom(),   falcon(true), falcon(false), mpt()};
}

}  // namespace sepx::checkpoint::families
