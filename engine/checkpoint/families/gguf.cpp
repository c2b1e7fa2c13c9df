// SPDX-License-Identifier: Apache-2.0
// The names of llama.cpp: one pattern for all decoders, another for encoder and decoder. Its converter turns fused and
// interleaved tensors into blocks, folds Gemma's 1 into the gain, and permutes the rows of LLaMA's queries and keys in
// the same way, which leaves W_qk unchanged.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <cmath>

#include "engine/checkpoint/families/compute.h"
#include "engine/checkpoint/families/families.h"
#include "engine/checkpoint/family_match.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::checkpoint::families {

namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 37> kArchitectures{{
    {"llama", "LLaMA"},
    {"llama4", "LLaMA 4"},
    {"gpt2", "GPT-2"},
    {"gptneox", "GPT-NeoX, Pythia"},
    {"gptj", "GPT-J"},
    {"mpt", "MPT"},
    {"falcon", "Falcon"},
    {"bloom", "BLOOM"},
    {"starcoder", "GPT-BigCode"},
    {"starcoder2", "StarCoder 2"},
    {"stablelm", "StableLM"},
    {"qwen", "Qwen"},
    {"qwen2", "Qwen 2, Qwen 2.5"},
    {"qwen2moe", "Qwen 2 MoE"},
    {"qwen2vl", "Qwen 2 VL"},
    {"qwen3", "Qwen 3"},
    {"qwen3moe", "Qwen 3 MoE"},
    {"phi2", "Phi-1, Phi-2"},
    {"phi3", "Phi-3, Phi-4"},
    {"phimoe", "Phi MoE"},
    {"gemma", "Gemma"},
    {"gemma2", "Gemma 2"},
    {"gemma3", "Gemma 3"},
    {"olmo", "OLMo"},
    {"olmo2", "OLMo 2"},
    {"internlm2", "InternLM 2"},
    {"chatglm", "ChatGLM"},
    {"command-r", "Cohere"},
    {"bert", "BERT"},
    {"nomic-bert", "Nomic BERT"},
    {"jina-bert-v2", "Jina BERT"},
    {"modern-bert", "ModernBERT"},
    {"dream", "Dream"},
    {"llada", "LLaDA"},
    {"granite", "Granite"},
    {"smollm3", "SmolLM 3"},
    {"mistral3", "Mistral"},
}};

template <std::size_t N>
bool among(const std::string& architecture, const std::array<const char*, N>& list) {
  return std::find(list.begin(), list.end(), architecture) != list.end();
}

constexpr std::array kNoRope{"gpt2", "mpt", "bloom", "starcoder", "bert", "jina-bert-v2", "opt"};
constexpr std::array kPairs{"llama", "llama4",  "mistral3", "internlm2", "command-r",
                            "gptj",  "chatglm", "granite",  "smollm3",   "olmo"};
constexpr std::array kEncoders{"bert", "nomic-bert", "jina-bert-v2", "modern-bert", "dream", "llada"};
constexpr std::array kLayerNorm{"gpt2",       "gptneox",  "gptj", "mpt",       "falcon", "bloom",      "starcoder",
                                "starcoder2", "stablelm", "phi2", "command-r", "bert",   "nomic-bert", "modern-bert"};

// Falcon 40B has two norms before a layer; the second is the attention's.
void takeSecondNorm(const Checkpoint& checkpoint, NormSource& norm) {
  const auto second = [&checkpoint](const std::string& name) {
    std::string other = name;
    if (const std::size_t at = other.rfind("attn_norm."); at != std::string::npos) other.insert(at + 9, "_2");
    return checkpoint.find(other) != nullptr ? other : name;
  };
  norm.gain = second(norm.gain);
  norm.bias = second(norm.bias);
}

void mindArchitecture(const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
  const std::string& architecture = config.modelType();
  const auto known = std::find_if(kArchitectures.begin(), kArchitectures.end(),
                                  [&](const auto& one) { return one.first == architecture; });
  map.familyName = known != kArchitectures.end() ? known->second : architecture.empty() ? "GGUF" : architecture;
  if (!architecture.empty()) map.family = architecture;
  const double scale = config.number({"attention.scale"}).value_or(0);
  for (AttentionLayer& layer : map.layers) {
    if (among(architecture, kNoRope)) layer.rope.reset();
    if (layer.rope) layer.rope->interleaved = among(architecture, kPairs);
    if (layer.norm && among(architecture, kLayerNorm)) layer.norm->kind = NormSource::Kind::Layer;
    if (among(architecture, kEncoders) && layer.stack != Stack::Cross) layer.causal = false;
    if (layer.norm && architecture == "falcon") takeSecondNorm(checkpoint, *layer.norm);
    if (scale > 0) layer.scale = scale;
  }
}

constexpr std::array kErf{"gptneox", "falcon", "mpt", "bert"};
constexpr std::array kTanh{"gpt2", "gptj", "bloom", "starcoder", "starcoder2", "phi2", "gemma", "gemma2", "gemma3"};
/// Without a norm before the feed-forward part both branches read the output of the attention's norm.
constexpr std::array kParallel{"gptj", "falcon", "phi2", "command-r"};
/// Architectures whose whole models are computed.
constexpr std::array kComputed{"llama",     "gpt2",       "gptneox",  "gptj",   "mpt",    "falcon", "bloom",
                               "starcoder", "starcoder2", "stablelm", "qwen",   "qwen2",  "qwen3",  "phi2",
                               "phi3",      "gemma",      "gemma2",   "gemma3", "olmo",   "olmo2",  "internlm2",
                               "command-r", "bert",       "dream",    "llada",  "granite"};

void adaptNorms(const NameIndex& names, const std::string& architecture, FamilyParts& parts) {
  if (among(architecture, std::array{"gemma2", "gemma3", "olmo2"})) {
    parts.attentionOutNorm = "blk.{layer}.post_attention_norm";
    parts.feedForwardOutNorm = "blk.{layer}.post_ffw_norm";
    parts.bareLayers = architecture == "olmo2";
    if (parts.bareLayers) parts.feedForwardNorm.clear();
  } else if (architecture == "bert") {
    parts.attentionNorm = "blk.{layer}.attn_output_norm";
    parts.feedForwardNorm = "blk.{layer}.layer_output_norm";
    parts.finalNorm.clear();
    parts.headTransform = "cls.predictions.transform.dense";  // GGUF keeps no head that predicts tokens
    parts.segments = "token_types.weight";
  } else if (architecture == "falcon") {
    parts.feedForwardNorm = names.has("blk.{layer}.attn_norm_2.weight") ? "blk.{layer}.attn_norm" : "";
  } else if (architecture == "olmo") {
    parts.normsWithoutWeights = true;
    parts.finalNorm.clear();
  } else if (!names.has("blk.{layer}.ffn_norm.weight") && (parts.parallel || architecture == "stablelm")) {
    parts.parallel = true;
    parts.feedForwardNorm.clear();
  }
}

void adaptArchitecture(const Checkpoint& checkpoint, const ModelConfig& config, FamilyParts& parts) {
  const std::string& architecture = config.modelType();
  const NameIndex names(checkpoint);
  parts.parallel = among(architecture, kParallel) ||
                   (architecture == "gptneox" && config.flag("use_parallel_residual").value_or(true));
  if (among(architecture, kErf)) parts.activation = FeedForwardActivation::GeluErf;
  if (among(architecture, kTanh)) parts.activation = FeedForwardActivation::GeluTanh;
  parts.gateInUp = architecture == "phi3";
  if (names.has("token_embd_norm.weight")) parts.embeddingNorm = "token_embd_norm";
  const bool centred = among(architecture, kLayerNorm) || architecture == "olmo";
  parts.norm = centred ? NormSource::Kind::Layer : NormSource::Kind::Rms;
  adaptNorms(names, architecture, parts);
}

// If the metadata has no scale, the largest models divide by sqrt(d_model / heads).
void scaleLargeGemma(const ModelConfig& config, const std::string& architecture, ModelPlan& plan) {
  const std::size_t layers = plan.blocks.size();
  const bool large = (architecture == "gemma2" && layers == 46) || (architecture == "gemma3" && layers == 62);
  if (!large || config.number({"attention.scale"})) return;
  for (BlockPlan& block : plan.blocks)
    block.attention.scale = 1 / std::sqrt(static_cast<double>(plan.d_model) / block.attention.heads);
}

Result<void> computeGgufGemma(const ModelConfig& config, const std::string& architecture, ModelPlan& plan) {
  plan.embeddingScale = std::sqrt(static_cast<double>(plan.d_model));
  if (architecture == "gemma") return {};
  scaleLargeGemma(config, architecture, plan);
  const bool second = architecture == "gemma2";
  SEPX_ASSIGN(const double cap, positive(config, {"attn_logit_softcapping"}, second ? 50 : 0));
  SEPX_ASSIGN(const double lastCap, positive(config, {"final_logit_softcapping"}, second ? 30 : 0));
  SEPX_ASSIGN(const int window, windowOf(config, {"attention.sliding_window"}, second ? 4096 : 1024));
  const int period = second ? 2 : 6;
  const IsLocal local = [period](int layer) { return (layer + 1) % period != 0; };
  slide(plan, window, local);
  for (BlockPlan& block : plan.blocks) {
    block.score.cap = cap;
    if (second || !local(block.attention.layer)) continue;
    block.ropeScaling = {};
    if (block.attention.rope) block.attention.rope->base = 10000;
  }
  if (plan.head) plan.head->cap = lastCap;
  return {};
}

Result<void> addSlopes(const ModelConfig& config, const std::string& architecture, ModelPlan& plan) {
  SEPX_TRY(refuse(config, "attention.clamp_kqv", "a limit of queries, keys and values"));
  SEPX_ASSIGN(const double most, positive(config, {"attention.max_alibi_bias"}, 8));
  for (BlockPlan& block : plan.blocks)
    block.score.slopes =
        architecture == "mpt" ? mptSlopes(block.attention.heads, most) : alibiSlopes(block.attention.heads);
  return {};
}

Result<void> multiplyGguf(const ModelConfig& config, const std::string& architecture, ModelPlan& plan) {
  SEPX_ASSIGN(plan.embeddingScale, positive(config, {"embedding_scale"}, 1));
  SEPX_ASSIGN(const double residual, positive(config, {"residual_scale"}, 1));
  SEPX_ASSIGN(const double logits, positive(config, {"logit_scale"}, 1));
  for (BlockPlan& block : plan.blocks)
    block.residualScale = residual;
  if (plan.head) plan.head->scale = architecture == "granite" ? 1 / logits : logits;
  return {};
}

Result<void> computeArchitecture(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  const std::string& architecture = config.modelType();
  if (!among(architecture, kComputed))
    return fail(ErrorKind::BadInput, "computing a whole model of the GGUF architecture \"" + excerpt(architecture, 40) +
                                         "\" is not supported");
  if (architecture.starts_with("gemma")) return computeGgufGemma(config, architecture, plan);
  if (architecture == "mpt" || architecture == "bloom") return addSlopes(config, architecture, plan);
  if (architecture == "granite" || architecture == "command-r") return multiplyGguf(config, architecture, plan);
  if (architecture == "dream" && plan.head) plan.head->shifted = true;
  if (architecture == "llama" || architecture == "phi3") {
    SEPX_ASSIGN(const int window, windowOf(config, {"attention.sliding_window"}));
    slide(plan, window, [](int) { return true; });
  }
  return {};
}

FamilyParts ggufParts() {
  FamilyParts parts;
  parts.value = "blk.{layer}.attn_v";
  parts.projection = "blk.{layer}.attn_output";
  parts.feedForwardNorm = "blk.{layer}.ffn_norm";
  parts.gate = "blk.{layer}.ffn_gate";
  parts.up = "blk.{layer}.ffn_up";
  parts.down = "blk.{layer}.ffn_down";
  parts.finalNorm = "output_norm";
  parts.head = "output.weight";
  parts.outputBias = {"output.bias"};
  parts.activation = FeedForwardActivation::Silu;
  parts.adapt = adaptArchitecture;
  parts.compute = computeArchitecture;
  return parts;
}

StackRule of(Stack stack, const std::string& block, const std::string& query, const std::string& key) {
  StackRule rule = normed(separate(stack, block + query, block + key), block + "attn_norm", true);
  rule.qNorm = block + "attn_q_norm.weight";
  rule.kNorm = block + "attn_k_norm.weight";
  return rule;
}

FamilyRule ofDecoders(bool inOne) {
  StackRule stack = inOne ? of(Stack::Self, "blk.{layer}.", "attn_qkv", "attn_qkv")
                          : of(Stack::Self, "blk.{layer}.", "attn_q", "attn_k");
  if (inOne) stack.fusion = Fusion::Blocks;
  FamilyRule rule =
      family("gguf", "", {}, {causal(rotated(stack, Rotation::Halves))}, "token_embd.weight", "position_embd.weight");
  rule.needs = {"!enc.blk.{layer}.attn_q.weight"};
  rule.finish = mindArchitecture;
  rule.parts = ggufParts();
  return rule;
}

FamilyRule ofT5() {
  FamilyRule rule =
      family("t5", "", {"t5", "t5encoder"},
             {of(Stack::Encoder, "enc.blk.{layer}.", "attn_q", "attn_k"),
              causal(of(Stack::Decoder, "dec.blk.{layer}.", "attn_q", "attn_k")),
              normed(separate(Stack::Cross, "dec.blk.{layer}.cross_attn_q", "dec.blk.{layer}.cross_attn_k"),
                     "dec.blk.{layer}.cross_attn_norm", true)},
             "token_embd.weight");
  for (StackRule& stack : rule.stacks)
    stack.scaled = false;
  rule.notes = {"a learned bias of the distance is added to the score; W_qk leaves it out"};
  rule.finish = shownAs("T5");
  return rule;
}

}  // namespace

std::vector<FamilyRule> ggufFamilies() {
  return {ofT5(), ofDecoders(true), ofDecoders(false)};
}

}  // namespace sepx::checkpoint::families
