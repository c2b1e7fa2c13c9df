// SPDX-License-Identifier: Apache-2.0
// Relatives of LLaMA with their own norms, feed-forward parts or sliding windows: Gemma, Phi, StableLM, StarCoder 2,
// Cohere, OLMo.
#include <cmath>

#include "engine/checkpoint/families/compute.h"
#include "engine/checkpoint/families/families.h"
#include "engine/checkpoint/families/llama.h"
#include "engine/core/try.h"

namespace sepx::checkpoint::families {

namespace {

// The config of Gemma 3 omits values that equal those of its first model.
bool isGemma3(const ModelConfig& config) {
  return isOfType(config, "gemma3") || isOfType(config, "gemma3_text");
}

void scaleGemma(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
  applyConfig(checkpoint, config, map);
  const bool third = isGemma3(config);
  auto scalar = config.number({"query_pre_attn_scalar"});
  if (!scalar && (third || isOfType(config, "gemma2"))) scalar = 256;
  const auto every = config.integer({"sliding_window_pattern"});
  auto local = config.number({"rope_local_base_freq", "rope_parameters.sliding_attention.rope_theta"});
  if (!local && third) local = 10000;
  auto global = config.number({"rope_parameters.full_attention.rope_theta"});
  if (!global && third && !config.ropeBase()) global = 1e6;
  const std::int64_t period = every && *every > 0 ? *every : 6;
  const IsLocal isLocal = layerTypes(config, [period](int layer) { return (layer + 1) % period != 0; });
  for (AttentionLayer& layer : map.layers) {
    if (scalar && *scalar > 0) layer.scale = 1 / std::sqrt(*scalar);
    if (!layer.rope) continue;
    if (global) layer.rope->base = *global;
    // Gemma 3: every sixth layer is global; the others are local and have a smaller base.
    if (local && isLocal(layer.layer)) layer.rope->base = *local;
  }
  if (config.number({"attn_logit_softcapping"}))
    map.notes.emplace_back("scores pass through a soft cap before the softmax; W_qk leaves it out");
  if (!map.tokenEmbedding.empty())
    map.notes.emplace_back(
        "the model multiplies embeddings by sqrt(d_model) before the first layer; rows are shown as stored");
}

// Gemma 2: soft caps, and even layers have a sliding window. Gemma 3: all but every sixth layer have one, and the
// rotary encoding is scaled only in every sixth. The embedding's factor is rounded only if the stream has 16 bits,
// which is not so here.
Result<void> computeGemma(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  plan.embeddingScale = std::sqrt(static_cast<double>(plan.d_model));
  const bool second = isOfType(config, "gemma2");
  if (isOfType(config, "gemma3n") || isOfType(config, "gemma3n_text"))
    return fail(ErrorKind::BadInput, "Gemma 3n has several parallel streams, which are not supported");
  if (!second && !isGemma3(config)) return {};
  SEPX_ASSIGN(const double cap, positive(config, {"attn_logit_softcapping"}, second ? 50 : 0));
  SEPX_ASSIGN(const double lastCap, positive(config, {"final_logit_softcapping"}, second ? 30 : 0));
  for (BlockPlan& block : plan.blocks)
    block.score.cap = cap;
  if (plan.head) plan.head->cap = lastCap;
  SEPX_ASSIGN(const int window, windowOf(config, {"sliding_window"}, 4096));
  const auto given = config.integer({"sliding_window_pattern"});
  const std::int64_t period = second ? 2 : given && *given > 0 ? *given : 6;
  const IsLocal local = layerTypes(config, [period](int layer) { return (layer + 1) % period != 0; });
  slide(plan, window, local);
  for (BlockPlan& block : plan.blocks)
    if (!second && local(block.attention.layer)) block.ropeScaling = {};
  return {};
}

// The first Gemma has two norms a block, the others four.
void adaptGemma(const Checkpoint&, const ModelConfig& config, FamilyParts& parts) {
  parts.ownActivation = config.text("hidden_activation").empty();
  if (!isGemma3(config) && !isOfType(config, "gemma2")) return;
  parts.attentionOutNorm = "layers.{layer}.post_attention_layernorm";
  parts.feedForwardNorm = "layers.{layer}.pre_feedforward_layernorm";
  parts.feedForwardOutNorm = "layers.{layer}.post_feedforward_layernorm";
}

FamilyRule gemma() {
  FamilyRule rule =
      llamaLike("gemma", "Gemma", {"gemma", "gemma2", "gemma3_text", "gemma3", "gemma3n_text", "gemma3n"});
  rule.stacks.front().onePlusGain = true;
  rule.finish = scaleGemma;
  rule.parts->activation = FeedForwardActivation::GeluTanh;
  rule.parts->adapt = adaptGemma;
  rule.parts->compute = computeGemma;
  return rule;
}

// One norm for both branches.
FamilyParts phiParts() {
  FamilyParts parts;
  parts.value = "layers.{layer}.self_attn.v_proj";
  parts.projection = "layers.{layer}.self_attn.dense";
  parts.up = "layers.{layer}.mlp.fc1";
  parts.down = "layers.{layer}.mlp.fc2";
  parts.finalNorm = "final_layernorm";
  parts.head = "lm_head.weight";
  parts.outputBias = {"lm_head.bias"};
  parts.parallel = true;
  parts.compute = [](const Checkpoint&, const ModelConfig& config, ModelPlan&) -> Result<void> {
    if (isOfType(config, "persimmon"))
      return fail(ErrorKind::BadInput, "computing a whole Persimmon model is not supported");
    return {};
  };
  return parts;
}

// LayerNorm with a bias, a part of each head rotated.
FamilyRule phi() {
  FamilyRule rule = llamaLike("phi", "Phi-1, Phi-2", {"phi", "persimmon"});
  rule.parts = phiParts();
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
  FamilyParts parts = phiParts();
  parts.projection = "h.{layer}.mixer.out_proj";
  parts.up = "h.{layer}.mlp.fc1";
  parts.down = "h.{layer}.mlp.fc2";
  parts.finalNorm = "lm_head.ln";
  parts.head = "lm_head.linear.weight";
  parts.outputBias = {"lm_head.linear.bias"};
  rule.parts = parts;
  rule.finish = shownAs("Phi-1, Phi-2");
  return rule;
}

FamilyRule phi3() {
  FamilyRule rule = ownNames("phi3", "Phi-3, Phi-4", {"phi3", "phi4", "phi3_v", "phi4mm", "phimoe3"},
                             decoder(fused(Stack::Self, "layers.{layer}.self_attn.qkv_proj", Fusion::Blocks),
                                     "layers.{layer}.input_layernorm", true, Rotation::Halves),
                             "embed_tokens.weight");
  rule.parts = llamaNames();
  rule.parts->gate.clear();
  rule.parts->up = "layers.{layer}.mlp.gate_up_proj";
  rule.parts->gateInUp = true;
  rule.parts->epsilon = 1e-5;
  return computed(std::move(rule), computeSliding);
}

// Phi-3 small: for each group, its query heads, its key and its value.
FamilyRule phi3small() {
  FamilyRule rule = llamaLike("phi3small", "", {"phi3small"});
  rule.stacks = {decoder(fused(Stack::Self, "layers.{layer}.self_attn.query_key_value", Fusion::PerHead),
                         "layers.{layer}.input_layernorm", false, Rotation::Halves)};
  rule.finish = shownAs("Phi-3 small");
  rule.parts.reset();  // some of its layers attend only to blocks of tokens
  return rule;
}

FamilyRule layerNormed(const char* key, const char* name, std::vector<std::string> types) {
  FamilyRule rule = llamaLike(key, name, std::move(types));
  rule.stacks.front().rms = false;
  rule.parts->epsilon = 1e-5;
  return rule;
}

// Without a second norm both branches read the output of the first.
FamilyRule stablelm() {
  FamilyRule rule = layerNormed("stablelm", "StableLM", {"stablelm", "stablelm_epoch"});
  rule.parts->adapt = [](const Checkpoint&, const ModelConfig& config, FamilyParts& parts) {
    if (config.flag("use_parallel_residual") != true) return;
    parts.parallel = true;
    parts.feedForwardNorm.clear();
  };
  return computed(std::move(rule), [](const Checkpoint&, const ModelConfig& config, ModelPlan&) {
    return refuse(config, "qk_layernorm", "a norm of its own for each head");
  });
}

FamilyRule starcoder2() {
  FamilyRule rule = layerNormed("starcoder2", "StarCoder 2", {"starcoder2"});
  rule.parts->gate.clear();
  rule.parts->up = "layers.{layer}.mlp.c_fc";
  rule.parts->down = "layers.{layer}.mlp.c_proj";
  rule.parts->activation = FeedForwardActivation::GeluTanh;
  return computed(std::move(rule), computeSliding);
}

// Both branches read the output of one norm. Cohere 2: three layers of four slide and rotate, the fourth does neither.
Result<void> computeCohere(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  SEPX_ASSIGN(const double scale, positive(config, {"logit_scale"}, 0.0625));
  if (plan.head) plan.head->scale = scale;
  if (!isOfType(config, "cohere2")) return {};
  SEPX_ASSIGN(const int window, windowOf(config, {"sliding_window"}, 4096));
  const auto given = config.integer({"sliding_window_pattern"});
  const std::int64_t period = given && *given > 0 ? *given : 4;
  const IsLocal local = layerTypes(config, [period](int layer) { return (layer + 1) % period != 0; });
  slide(plan, window, local);
  for (BlockPlan& block : plan.blocks)
    if (!local(block.attention.layer)) block.attention.rope.reset();
  return {};
}

// Adjacent dimensions are rotated as a pair.
FamilyRule cohere() {
  FamilyRule rule = layerNormed("cohere", "Cohere", {"cohere", "cohere2"});
  rule.stacks.front().rotation = Rotation::Pairs;
  rule.parts->parallel = true;
  rule.parts->feedForwardNorm.clear();
  return computed(std::move(rule), computeCohere);
}

// The norm before the projections has no weights, so there is nothing to fold in.
void addBareNorm(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
  applyConfig(checkpoint, config, map);
  for (AttentionLayer& layer : map.layers)
    layer.norm = NormSource{NormSource::Kind::Layer, {}, {}, 1e-5, false};
}

Result<void> computeOlmo(const Checkpoint&, const ModelConfig& config, ModelPlan&) {
  SEPX_TRY(refuse(config, "clip_qkv", "a limit of queries, keys and values"));
  return refuse(config, "alibi", "a bias of distance in OLMo");
}

FamilyParts olmo1Parts() {
  FamilyParts parts;
  parts.projection = "blocks.{layer}.attn_out";
  parts.up = "blocks.{layer}.ff_proj";
  parts.gateInUp = parts.gateLast = true;
  parts.down = "blocks.{layer}.ff_out";
  parts.head = "ff_out.weight";
  parts.normsWithoutWeights = true;
  parts.epsilon = 1e-5;
  parts.activation = FeedForwardActivation::Silu;
  parts.compute = computeOlmo;
  return parts;
}

// The norms have no weights; queries, keys and values are in one tensor.
FamilyRule olmo1() {
  FamilyRule rule = ownNames(
      "olmo1", "OLMo", {"olmo"},
      causal(rotated(fused(Stack::Self, "blocks.{layer}.att_proj", Fusion::Blocks), Rotation::Halves)), "wte.weight");
  rule.finish = addBareNorm;
  rule.parts = olmo1Parts();
  return rule;
}

FamilyRule olmo() {
  FamilyRule rule = llamaLike("olmo", "", {"olmo"});
  rule.finish = [](const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
    map.familyName = "OLMo";
    addBareNorm(checkpoint, config, map);
  };
  rule.parts->finalNorm.clear();
  rule.parts->feedForwardNorm.clear();
  rule.parts->normsWithoutWeights = true;
  rule.parts->epsilon = 1e-5;
  return computed(std::move(rule), computeOlmo);
}

// The rows of a head's query are followed by the same number of rows of a gate; the norm adds 1 to its gain. The layers
// between have no attention of this kind.
FamilyRule qwen3next() {
  FamilyRule rule = llamaLike("qwen3_next", "Qwen 3 Next", {"qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe"});
  rule.stacks.front().onePlusGain = true;
  return rule;
}

// OLMo 3: three layers of four have a sliding window; the rotary encoding is scaled only in the fourth.
Result<void> computeOlmo2(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  if (!isOfType(config, "olmo3")) return {};
  SEPX_ASSIGN(const int window, windowOf(config, {"sliding_window"}, 4096));
  const IsLocal local = layerTypes(config, [](int layer) { return (layer + 1) % 4 != 0; });
  slide(plan, window, local);
  for (BlockPlan& block : plan.blocks)
    if (local(block.attention.layer)) block.ropeScaling = {};
  return {};
}

// The norm comes after the attention; queries and keys are normalised over all heads at once.
FamilyRule olmo2() {
  FamilyRule rule = llamaLike("olmo2", "OLMo 2", {"olmo2", "olmo3"});
  rule.stacks.front().normGain.clear();
  rule.stacks.front().normBias.clear();
  rule.parts->attentionOutNorm = "layers.{layer}.post_attention_layernorm";
  rule.parts->feedForwardNorm.clear();
  rule.parts->feedForwardOutNorm = "layers.{layer}.post_feedforward_layernorm";
  rule.parts->epsilon = 1e-5;
  return computed(std::move(rule), computeOlmo2);
}

}  // namespace

std::vector<FamilyRule> llamaRelativesFamilies() {
  return {gemma(), phi3(), phi(),   phiMixer(), phi3small(),  qwen3next(),
          olmo1(), olmo(), olmo2(), stablelm(), starcoder2(), cohere()};
}

}  // namespace sepx::checkpoint::families
