// SPDX-License-Identifier: Apache-2.0
// LLaMA and its relatives: q_proj and k_proj with fewer key heads than query heads, RMS norm before them, rotary
// encoding. One pattern of names serves most; what differs comes from the config.
#include <cmath>

#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

StackRule projections() {
  StackRule stack = decoder(separate(Stack::Self, "layers.{layer}.self_attn.q_proj", "layers.{layer}.self_attn.k_proj"),
                            "layers.{layer}.input_layernorm", true, Rotation::Halves);
  stack.qNorm = "layers.{layer}.self_attn.q_norm.weight";
  stack.kNorm = "layers.{layer}.self_attn.k_norm.weight";
  return stack;
}

void applyConfig(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  const nlohmann::json* scaling = config.value("rope_scaling");
  if (scaling != nullptr && scaling->is_object())
    map.notes.emplace_back(
        "the config stretches the rotary encoding (rope_scaling); terms with an offset leave that out");
  // llama2.c and GGUF keep rows as Meta has them: neighbours are turned together.
  if (config.flag("rope_interleaved") == true)
    for (AttentionLayer& layer : map.layers)
      if (layer.rope) layer.rope->interleaved = true;
  if (const auto scale = config.number({"attention_multiplier"}); scale && *scale > 0)
    for (AttentionLayer& layer : map.layers)
      layer.scale = *scale;
  if (config.flag("layer_sharing") == true)
    map.notes.emplace_back("each stored layer is computed twice in a row (layer_sharing)");
}

FamilyParts llamaNames() {
  FamilyParts parts;
  parts.prefix = "model.";
  parts.value = "layers.{layer}.self_attn.v_proj";
  parts.projection = "layers.{layer}.self_attn.o_proj";
  parts.feedForwardNorm = "layers.{layer}.post_attention_layernorm";
  parts.gate = "layers.{layer}.mlp.gate_proj";
  parts.up = "layers.{layer}.mlp.up_proj";
  parts.down = "layers.{layer}.mlp.down_proj";
  parts.finalNorm = "norm";
  parts.head = "lm_head.weight";
  parts.activation = FeedForwardActivation::Silu;
  return parts;
}

// With the names of LLaMA; only the config tells which of its relatives it is.
FamilyRule llamaLike(const char* key, const char* name, std::vector<std::string> types) {
  FamilyRule rule = family(key, name, std::move(types), {projections()}, "embed_tokens.weight");
  rule.byNames = false;
  rule.finish = applyConfig;
  rule.parts = llamaNames();
  return rule;
}

// With names of its own.
FamilyRule ownNames(const char* key, const char* name, std::vector<std::string> types, StackRule stack,
                    const char* tokens) {
  FamilyRule rule = family(key, name, std::move(types), {std::move(stack)}, tokens);
  rule.finish = applyConfig;
  return rule;
}

FamilyParts llamaParts() {
  FamilyParts parts = llamaNames();
  parts.config = R"({
    "architectures": ["LlamaForCausalLM"], "model_type": "llama",
    "vocab_size": "{vocabulary}", "max_position_embeddings": "{length}", "hidden_size": "{d_model}",
    "num_hidden_layers": "{layers}", "num_attention_heads": "{heads}", "num_key_value_heads": "{kv_heads}",
    "head_dim": "{head_dim}", "intermediate_size": "{d_ff}", "hidden_act": "{activation}",
    "rms_norm_eps": "{norm_epsilon}", "rope_theta": "{rope_base}", "attention_bias": "{attention_bias}",
    "mlp_bias": "{feed_forward_bias}", "attention_dropout": "{attention_dropout}",
    "tie_word_embeddings": "{tied}", "bos_token_id": null, "eos_token_id": null, "torch_dtype": "float32"
  })";
  return parts;
}

FamilyRule llama() {
  FamilyRule rule = llamaLike("llama", "LLaMA", {"llama", "yi", "internlm", "granite"});
  rule.byNames = true;
  rule.parts = llamaParts();
  return rule;
}

// Diffusion language models: every token sees every other.
FamilyRule dream() {
  FamilyRule rule = llamaLike("dream", "Dream", {"Dream", "dream"});
  rule.stacks.front().causal = false;
  return rule;
}

FamilyRule llada() {
  return ownNames("llada", "LLaDA", {"llada"},
                  rotated(normed(separate(Stack::Self, "blocks.{layer}.q_proj", "blocks.{layer}.k_proj"),
                                 "blocks.{layer}.attn_norm", true),
                          Rotation::Halves),
                  "wte.weight");
}

void scaleGemma(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
  applyConfig(checkpoint, config, map);
  const auto scalar = config.number({"query_pre_attn_scalar"});
  const auto every = config.integer({"sliding_window_pattern"});
  const auto local = config.number({"rope_local_base_freq", "rope_parameters.sliding_attention.rope_theta"});
  const auto global = config.number({"rope_parameters.full_attention.rope_theta"});
  for (AttentionLayer& layer : map.layers) {
    if (scalar && *scalar > 0) layer.scale = 1 / std::sqrt(*scalar);
    if (!layer.rope) continue;
    if (global) layer.rope->base = *global;
    // Gemma 3: every sixth layer sees everything, those between turn faster.
    if (local && (layer.layer + 1) % every.value_or(6) != 0) layer.rope->base = *local;
  }
  if (config.number({"attn_logit_softcapping"}))
    map.notes.emplace_back("scores pass through a soft cap before the softmax; W_qk leaves it out");
  if (!map.tokenEmbedding.empty())
    map.notes.emplace_back(
        "the model multiplies embeddings by sqrt(d_model) before the first layer; rows are shown as stored");
}

FamilyRule gemma() {
  FamilyRule rule =
      llamaLike("gemma", "Gemma", {"gemma", "gemma2", "gemma3_text", "gemma3", "gemma3n_text", "gemma3n"});
  rule.stacks.front().onePlusGain = true;
  rule.finish = scaleGemma;
  return rule;
}

// LayerNorm with a bias, a part of each head rotated.
FamilyRule phi() {
  FamilyRule rule = llamaLike("phi", "Phi-1, Phi-2", {"phi", "persimmon"});
  StackRule stack = projections();
  stack.rms = false;
  stack.qNorm = "layers.{layer}.self_attn.q_layernorm.weight";
  stack.kNorm = "layers.{layer}.self_attn.k_layernorm.weight";
  rule.stacks = {stack};
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    if (config.number({"partial_rotary_factor", "rope_parameters.partial_rotary_factor"})) return;
    for (AttentionLayer& layer : map.layers)
      if (layer.rope) layer.rope->dimensions = layer.d_h / 2 - layer.d_h / 2 % 2;
  };
  return rule;
}

// The first weights of Phi-1.5 and Phi-2, before they had the names above.
FamilyRule phiMixer() {
  FamilyRule rule = ownNames(
      "phi-msft", "", {"phi-msft", "mixformer-sequential"},
      decoder(fused(Stack::Self, "h.{layer}.mixer.Wqkv", Fusion::Blocks), "h.{layer}.ln", false, Rotation::Halves),
      "embd.wte.weight");
  rule.finish = shownAs("Phi-1, Phi-2");
  return rule;
}

FamilyRule phi3() {
  return ownNames("phi3", "Phi-3, Phi-4", {"phi3", "phi4", "phi3_v", "phi4mm", "phimoe3"},
                  decoder(fused(Stack::Self, "layers.{layer}.self_attn.qkv_proj", Fusion::Blocks),
                          "layers.{layer}.input_layernorm", true, Rotation::Halves),
                  "embed_tokens.weight");
}

// Phi-3 small: group after group of query heads with their key and value.
FamilyRule phi3small() {
  FamilyRule rule = llamaLike("phi3small", "", {"phi3small"});
  rule.stacks = {decoder(fused(Stack::Self, "layers.{layer}.self_attn.query_key_value", Fusion::PerHead),
                         "layers.{layer}.input_layernorm", false, Rotation::Halves)};
  rule.finish = shownAs("Phi-3 small");
  return rule;
}

FamilyRule internlm2() {
  return ownNames("internlm2", "InternLM 2", {"internlm2"},
                  decoder(fused(Stack::Self, "layers.{layer}.attention.wqkv", Fusion::PerHead),
                          "layers.{layer}.attention_norm", true, Rotation::Halves),
                  "tok_embeddings.weight");
}

FamilyRule chatglm() {
  FamilyRule rule =
      ownNames("chatglm", "ChatGLM", {"chatglm"},
               decoder(fused(Stack::Self, "encoder.layers.{layer}.self_attention.query_key_value", Fusion::Blocks),
                       "encoder.layers.{layer}.input_layernorm", true, Rotation::Pairs),
               "embedding.word_embeddings.weight");
  rule.finish = [](const Checkpoint&, const ModelConfig&, AttentionMap& map) {
    for (AttentionLayer& layer : map.layers)
      if (layer.rope) layer.rope->dimensions = layer.d_h / 2;
  };
  return rule;
}

// The weights as Meta published them, and Mistral's "consolidated" ones: neighbours are turned together.
FamilyRule metaLlama() {
  FamilyRule rule =
      ownNames("llama-meta", "", {},
               decoder(separate(Stack::Self, "layers.{layer}.attention.wq", "layers.{layer}.attention.wk"),
                       "layers.{layer}.attention_norm", true, Rotation::Pairs),
               "tok_embeddings.weight");
  rule.finish = shownAs("LLaMA (names of the first release)");
  return rule;
}

FamilyRule layerNormed(const char* key, const char* name, std::vector<std::string> types) {
  FamilyRule rule = llamaLike(key, name, std::move(types));
  rule.stacks.front().rms = false;
  return rule;
}

// Neighbours are turned together.
FamilyRule cohere() {
  FamilyRule rule = layerNormed("cohere", "Cohere", {"cohere", "cohere2"});
  rule.stacks.front().rotation = Rotation::Pairs;
  return rule;
}

// A norm without weights stands before the projections: nothing to fold in.
void addBareNorm(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
  applyConfig(checkpoint, config, map);
  for (AttentionLayer& layer : map.layers)
    layer.norm = NormSource{NormSource::Kind::Layer, {}, {}, 1e-5, false};
}

// Without weights in its norms, everything in one tensor.
FamilyRule olmo1() {
  FamilyRule rule = ownNames(
      "olmo1", "OLMo", {"olmo"},
      causal(rotated(fused(Stack::Self, "blocks.{layer}.att_proj", Fusion::Blocks), Rotation::Halves)), "wte.weight");
  rule.finish = addBareNorm;
  return rule;
}

FamilyRule olmo() {
  FamilyRule rule = llamaLike("olmo", "", {"olmo"});
  rule.finish = [](const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
    map.familyName = "OLMo";
    addBareNorm(checkpoint, config, map);
  };
  return rule;
}

// Rows of a head's query are followed by as many of a gate; the norm adds 1 to its gain. Layers between have no
// attention of this kind.
FamilyRule qwen3next() {
  FamilyRule rule = llamaLike("qwen3_next", "Qwen 3 Next", {"qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe"});
  rule.stacks.front().onePlusGain = true;
  return rule;
}

// The norm comes after the attention; queries and keys have theirs over all heads at once.
FamilyRule olmo2() {
  FamilyRule rule = llamaLike("olmo2", "OLMo 2", {"olmo2", "olmo3"});
  rule.stacks.front().normGain.clear();
  rule.stacks.front().normBias.clear();
  return rule;
}

}  // namespace

std::vector<FamilyRule> llamaFamilies() {
  return {llamaLike("mistral", "Mistral", {"mistral", "ministral", "mistral3"}),
          llamaLike("mixtral", "Mixtral", {"mixtral"}),
          llamaLike("mobilellm", "MobileLLM", {"mobilellm"}),
          llamaLike("qwen2", "Qwen 2, Qwen 2.5", {"qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl"}),
          llamaLike("qwen3", "Qwen 3", {"qwen3", "qwen3_moe", "qwen3_vl", "qwen3_vl_text"}),
          gemma(),
          phi3(),
          phi(),
          phiMixer(),
          phi3small(),
          dream(),
          llada(),
          qwen3next(),
          olmo1(),
          olmo(),
          olmo2(),
          internlm2(),
          chatglm(),
          layerNormed("stablelm", "StableLM", {"stablelm", "stablelm_epoch"}),
          layerNormed("starcoder2", "StarCoder 2", {"starcoder2"}),
          cohere(),
          llama(),
          metaLlama()};
}

}  // namespace sepx::checkpoint::families
