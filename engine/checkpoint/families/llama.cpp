// SPDX-License-Identifier: Apache-2.0
// LLaMA and models that are computed in the same way: q_proj and k_proj with fewer key heads than query heads, an RMS
// norm before them, rotary encoding, a gated feed-forward part. Differences come from the config.
#include "engine/checkpoint/families/llama.h"
#include "engine/checkpoint/families/compute.h"
#include "engine/checkpoint/families/families.h"
#include "engine/checkpoint/plan_rope.h"
#include "engine/core/try.h"

namespace sepx::checkpoint::families {

namespace {

// Granite's factors, if the config has them.
Result<void> multiply(const ModelConfig& config, ModelPlan& plan) {
  SEPX_ASSIGN(plan.embeddingScale, positive(config, {"embedding_multiplier"}, plan.embeddingScale));
  SEPX_ASSIGN(const double residual, positive(config, {"residual_multiplier"}, 1));
  SEPX_ASSIGN(const double logits, positive(config, {"logits_scaling"}, 1));
  for (BlockPlan& block : plan.blocks)
    block.residualScale = residual;
  if (plan.head) plan.head->scale = 1 / logits;
  return {};
}

Result<void> computeLlama(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  SEPX_TRY(refuse(config, "layer_sharing", "a layer that is computed twice"));
  return multiply(config, plan);
}

}  // namespace

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
    map.notes.emplace_back("the config scales the rotary encoding (rope_scaling); terms with an offset leave that out");
  // llama2.c and GGUF keep rows in Meta's order: adjacent dimensions are rotated as a pair.
  if (config.flag("rope_interleaved") == true)
    for (AttentionLayer& layer : map.layers)
      if (layer.rope) layer.rope->interleaved = true;
  if (const auto scale = config.number({"attention_multiplier"}); scale && *scale > 0)
    for (AttentionLayer& layer : map.layers)
      layer.scale = *scale;
  if (config.flag("layer_sharing") == true)
    map.notes.emplace_back("each stored layer is computed twice in a row (layer_sharing)");
}

// Every layer uses the sliding window.
Result<void> computeSliding(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  SEPX_ASSIGN(const int window, windowOf(config, {"sliding_window"}));
  slide(plan, window, layerTypes(config, [](int) { return true; }));
  return {};
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
  parts.compute = computeLlama;
  return parts;
}

// A family with the names of LLaMA; only the config tells which of its relatives it is.
FamilyRule llamaLike(const char* key, const char* name, std::vector<std::string> types) {
  FamilyRule rule = family(key, name, std::move(types), {projections()}, "embed_tokens.weight");
  rule.byNames = false;
  rule.finish = applyConfig;
  rule.parts = llamaNames();
  return rule;
}

FamilyRule computed(FamilyRule rule, Result<void> (*compute)(const Checkpoint&, const ModelConfig&, ModelPlan&)) {
  rule.parts->compute = compute;
  return rule;
}

// A family with its own names.
FamilyRule ownNames(const char* key, const char* name, std::vector<std::string> types, StackRule stack,
                    const char* tokens) {
  FamilyRule rule = family(key, name, std::move(types), {std::move(stack)}, tokens);
  rule.finish = applyConfig;
  return rule;
}

namespace {

// The config has a window even if it is switched off; the window is used from a given layer on.
Result<void> computeQwen(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  if (config.flag("use_sliding_window") != true) return {};
  SEPX_ASSIGN(const int window, windowOf(config, {"sliding_window"}));
  const auto first = config.integer({"max_window_layers"}).value_or(28);
  slide(plan, window, layerTypes(config, [first](int layer) { return layer >= first; }));
  return {};
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

// Diffusion language models: every token attends to every other.
FamilyRule dream() {
  FamilyRule rule = llamaLike("dream", "Dream", {"Dream", "dream"});
  rule.stacks.front().causal = false;
  return computed(std::move(rule), [](const Checkpoint&, const ModelConfig&, ModelPlan& plan) -> Result<void> {
    if (plan.head) plan.head->shifted = true;
    return {};
  });
}

FamilyParts lladaParts() {
  FamilyParts parts;
  parts.value = "blocks.{layer}.v_proj";
  parts.projection = "blocks.{layer}.attn_out";
  parts.feedForwardNorm = "blocks.{layer}.ff_norm";
  parts.gate = "blocks.{layer}.ff_proj";
  parts.up = "blocks.{layer}.up_proj";
  parts.down = "blocks.{layer}.ff_out";
  parts.finalNorm = "ln_f";
  parts.head = "ff_out.weight";
  parts.activation = FeedForwardActivation::Silu;
  parts.epsilon = 1e-5;
  return parts;
}

FamilyRule llada() {
  FamilyRule rule = ownNames("llada", "LLaDA", {"llada"},
                             rotated(normed(separate(Stack::Self, "blocks.{layer}.q_proj", "blocks.{layer}.k_proj"),
                                            "blocks.{layer}.attn_norm", true),
                                     Rotation::Halves),
                             "wte.weight");
  rule.parts = lladaParts();
  return rule;
}

// Meta's own names.
FamilyParts metaNames() {
  FamilyParts parts = llamaNames();
  parts.value = "layers.{layer}.attention.wv";
  parts.projection = "layers.{layer}.attention.wo";
  parts.feedForwardNorm = "layers.{layer}.ffn_norm";
  parts.gate = "layers.{layer}.feed_forward.w1";
  parts.up = "layers.{layer}.feed_forward.w3";
  parts.down = "layers.{layer}.feed_forward.w2";
  parts.head = "output.weight";
  parts.epsilon = 1e-5;
  return parts;
}

FamilyRule internlm2() {
  FamilyRule rule = ownNames("internlm2", "InternLM 2", {"internlm2"},
                             decoder(fused(Stack::Self, "layers.{layer}.attention.wqkv", Fusion::PerHead),
                                     "layers.{layer}.attention_norm", true, Rotation::Halves),
                             "tok_embeddings.weight");
  rule.parts = metaNames();
  rule.parts->epsilon = 0;
  return rule;
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

// params.json says only that the rotary encoding is scaled; the numbers are those of LLaMA 3.1's own code.
Result<void> computeMeta(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  if (config.flag("use_scaled_rope") != true) return {};
  for (BlockPlan& block : plan.blocks)
    if (block.attention.rope) block.ropeScaling.factors = llama3Factors(*block.attention.rope, {8, 1, 4, 8192});
  return {};
}

// The weights as Meta published them, and Mistral's "consolidated" ones: adjacent dimensions are rotated as a pair.
FamilyRule metaLlama() {
  FamilyRule rule =
      ownNames("llama-meta", "", {},
               decoder(separate(Stack::Self, "layers.{layer}.attention.wq", "layers.{layer}.attention.wk"),
                       "layers.{layer}.attention_norm", true, Rotation::Pairs),
               "tok_embeddings.weight");
  rule.finish = shownAs("LLaMA (names of the first release)");
  rule.parts = metaNames();
  rule.parts->compute = computeMeta;
  return rule;
}

}  // namespace

std::vector<FamilyRule> llamaFamilies() {
  return {
      computed(llamaLike("mistral", "Mistral", {"mistral", "ministral", "mistral3"}), computeSliding),
      llamaLike("mixtral", "Mixtral", {"mixtral"}),
      llamaLike("mobilellm", "MobileLLM", {"mobilellm"}),
      computed(llamaLike("qwen2", "Qwen 2, Qwen 2.5", {"qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl"}), computeQwen),
      computed(llamaLike("qwen3", "Qwen 3", {"qwen3", "qwen3_moe", "qwen3_vl", "qwen3_vl_text"}), computeQwen),
      dream(),
      llada(),
      internlm2(),
      chatglm(),
      llama(),
      metaLlama()};
}

}  // namespace sepx::checkpoint::families
