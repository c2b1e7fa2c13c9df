// SPDX-License-Identifier: Apache-2.0
// Names of llama.cpp: one pattern for all decoders, another for encoder and decoder. Its converter has turned fused and
// interleaved tensors into blocks, folded Gemma's 1 into the gain, and permuted the rows of LLaMA's queries and keys
// alike, which leaves W_qk as it is.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/checkpoint/families/families.h"

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

// Falcon 40B has two norms in front of a layer; the second is the attention's.
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
