// SPDX-License-Identifier: Apache-2.0
// Models with textbook names: TransformerLens' W_Q, the annotated Transformer, and self-explanatory words. Nothing is
// assumed about norms, whose place such names do not tell.
#include <string>

#include "engine/checkpoint/families/families.h"

namespace sepx::checkpoint::families {

namespace {

FamilyRule transformerLens(const char* key, const char* name, const char* W_K, const char* b_K) {
  StackRule stack;
  stack.query = "blocks.{layer}.attn.W_Q";
  stack.key = std::string("blocks.{layer}.attn.") + W_K;
  stack.queryBias = "blocks.{layer}.attn.b_Q";
  stack.keyBias = std::string("blocks.{layer}.attn.") + b_K;
  stack.perHead = true;
  stack.normGain = "blocks.{layer}.ln1.w";
  stack.normBias = "blocks.{layer}.ln1.b";
  stack.causal = true;
  FamilyRule rule = family(key, name, {"transformer_lens"}, {stack}, "embed.W_E", "pos_embed.W_pos");
  rule.needs = {stack.key};
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    map.familyName = "TransformerLens";
    const bool rotary = config.text("positional_embedding_type") == "rotary";
    const bool rms = config.text("normalization_type").starts_with("RMS");
    for (AttentionLayer& layer : map.layers) {
      if (rotary) layer.rope = RopeSource{config.ropeBase().value_or(10000), config.ropeDimensions(layer.d_h), false};
      if (rms && layer.norm) layer.norm->kind = NormSource::Kind::Rms;
      if (config.text("attention_dir") == "bidirectional") layer.causal = false;
    }
  };
  return rule;
}

// Grouped keys are stored once, under a name with an underscore; the long form is made from them on the fly.
FamilyRule transformerLensGrouped() {
  return transformerLens("transformer-lens", "", "_W_K", "_b_K");
}

// The annotated Transformer: four linear layers in a list, the first two are query and key.
FamilyRule annotated() {
  return family("annotated", "The Annotated Transformer", {},
                {separate(Stack::Encoder, "encoder.layers.{layer}.self_attn.linears.0",
                          "encoder.layers.{layer}.self_attn.linears.1"),
                 causal(separate(Stack::Decoder, "decoder.layers.{layer}.self_attn.linears.0",
                                 "decoder.layers.{layer}.self_attn.linears.1")),
                 separate(Stack::Cross, "decoder.layers.{layer}.src_attn.linears.0",
                          "decoder.layers.{layer}.src_attn.linears.1")});
}

struct Words {
  const char* query;
  const char* key;
};
constexpr Words kWords[] = {
    {"w_q", "w_k"},       {"W_q", "W_k"},   {"W_Q", "W_K"},           {"wq", "wk"},     {"Wq", "Wk"},
    {"q_proj", "k_proj"}, {"query", "key"}, {"q_linear", "k_linear"}, {"to_q", "to_k"}, {"query_proj", "key_proj"},
    {"fc_q", "fc_k"},     {"q", "k"}};
constexpr const char* kPlaces[] = {"self_attn", "self_attention", "attn", "attention", "mha", "self_attn.self"};
constexpr const char* kCrossPlaces[] = {"cross_attn", "cross_attention", "encoder_attn", "enc_dec_attn", "src_attn"};

// Tensors that show d_model: a norm of the layer, the output projection.
std::vector<std::string> witnesses(const std::string& layer, const std::string& place) {
  return {layer + "norm.weight",
          layer + "norm1.weight",
          layer + "ln1.weight",
          layer + "ln_1.weight",
          layer + "layer_norm.weight",
          layer + place + ".proj.weight",
          layer + place + ".out_proj.weight"};
}

StackRule plain(Stack stack, const std::string& layer, const std::string& place, const Words& words) {
  StackRule rule = separate(stack, layer + place + "." + words.query, layer + place + "." + words.key);
  rule.width = witnesses(layer, place);
  return rule;
}

FamilyRule plainRule(std::vector<StackRule> stacks) {
  FamilyRule rule = family("plain", "", {}, std::move(stacks));
  rule.finish = [](const Checkpoint&, const ModelConfig&, AttentionMap& map) {
    map.familyName = "plain names";
    map.notes.emplace_back("recognised by plain names of queries and keys: check the mapping");
  };
  return rule;
}

}  // namespace

std::vector<FamilyRule> plainFamilies() {
  std::vector<FamilyRule> rules{transformerLensGrouped(),
                                transformerLens("transformer-lens", "TransformerLens", "W_K", "b_K"), annotated()};
  // Two stacks first, because a pattern for one stack would also find their names after other prefixes.
  for (const Words& words : kWords)
    for (const char* place : kPlaces)
      for (const char* cross : kCrossPlaces) {
        rules.push_back(plainRule({plain(Stack::Encoder, "encoder.layers.{layer}.", place, words),
                                   causal(plain(Stack::Decoder, "decoder.layers.{layer}.", place, words)),
                                   plain(Stack::Cross, "decoder.layers.{layer}.", cross, words)}));
        rules.back().needs = {rules.back().stacks.back().query};
      }
  for (const Words& words : kWords)
    for (const char* place : kPlaces)
      for (const char* layer : {"layers.{layer}.", "blocks.{layer}.", "layer.{layer}.", "h.{layer}."})
        rules.push_back(plainRule({plain(Stack::Self, layer, place, words)}));
  rules.push_back(plainRule({fused(Stack::Self, "blocks.{layer}.attn.c_attn", Fusion::Blocks)}));
  rules.push_back(plainRule({fused(Stack::Self, "layers.{layer}.attn.qkv", Fusion::Blocks)}));
  rules.push_back(plainRule({fused(Stack::Self, "layers.{layer}.self_attn.qkv", Fusion::Blocks)}));
  return rules;
}

}  // namespace sepx::checkpoint::families
