// SPDX-License-Identifier: Apache-2.0
// GPT-2 (weights as [in, out]), GPT-NeoX (queries, keys and values head by head) and LLaMA. What they lack is built
// from what they have where that gives the very same function: zeros for a bias, a second factor that is always 1 for a
// feed-forward part without a gate.
#include <cmath>

#include <fmt/format.h>

#include "engine/train/family_export_parts.h"

namespace sepx::train {

namespace {

using Json = nlohmann::ordered_json;
using Role = FamilyBuilder::Role;
using Kind = FamilyBuilder::Kind;

int vocabularyOf(const nn::ModelConfig& config) {
  return config.input == nn::Input::Bit ? 2 : config.vocabulary;
}

int feedForwardOf(const nn::ModelConfig& config) {
  return config.ff() == 0 ? FamilyBuilder::kNoFeedForward : config.ff();
}

bool standardScale(const nn::ModelConfig& config) {
  return config.scale() == 1 / std::sqrt(static_cast<double>(config.d_h()));
}

void compareScale(FamilyBuilder& out) {
  if (!standardScale(out.config()))
    out.deviate(fmt::format("it divides scores by the root of the head's width, the model multiplies them by {}",
                            out.config().scale()));
}

Json begin(const char* architecture, const char* type) {
  Json json = Json::object();
  json["architectures"] = {architecture};
  json["model_type"] = type;
  return json;
}

void end(Json& json, const nn::ModelConfig& config) {
  json["tie_word_embeddings"] = config.output == nn::Output::Tied;
  json["bos_token_id"] = nullptr;
  json["eos_token_id"] = nullptr;
  json["torch_dtype"] = "float32";
}

void gpt2Block(FamilyBuilder& out, int layer) {
  const nn::ModelConfig& config = out.config();
  const std::string in = fmt::format("transformer.h.{}.", layer);
  constexpr bool kTransposed = true, kBiased = true;
  out.norm(in + "ln_1", Role::AttentionNorm, layer);
  out.fused(in + "attn.c_attn", kBiased, layer, kTransposed);
  out.linear(in + "attn.c_proj", Role::Projection, layer, kBiased, kTransposed);
  out.norm(in + "ln_2", Role::FeedForwardNorm, layer);
  out.linear(in + "mlp.c_fc", Role::Up, layer, kBiased, kTransposed);
  out.linear(in + "mlp.c_proj", Role::Down, layer, kBiased, kTransposed);
  if (config.ff() > 0) return;
  const int ff = FamilyBuilder::kNoFeedForward;
  out.constant(in + "mlp.c_fc.weight", {config.d_model, ff}, 0);
  out.constant(in + "mlp.c_fc.bias", {ff}, 0);
  out.constant(in + "mlp.c_proj.weight", {ff, config.d_model}, 0);
  out.constant(in + "mlp.c_proj.bias", {config.d_model}, 0);
}

void neoXBlock(FamilyBuilder& out, int layer) {
  const nn::ModelConfig& config = out.config();
  const std::string in = fmt::format("gpt_neox.layers.{}.", layer);
  const bool biased = config.attentionBias || config.projectionBias;
  out.norm(in + "input_layernorm", Role::AttentionNorm, layer);
  out.fusedByHead(in + "attention.query_key_value", biased, layer);
  out.linear(in + "attention.dense", Role::Projection, layer, biased);
  out.norm(in + "post_attention_layernorm", Role::FeedForwardNorm, layer);
  out.linear(in + "mlp.dense_h_to_4h", Role::Up, layer, true);
  out.linear(in + "mlp.dense_4h_to_h", Role::Down, layer, true);
  if (config.ff() > 0) return;
  const int ff = FamilyBuilder::kNoFeedForward;
  out.constant(in + "mlp.dense_h_to_4h.weight", {ff, config.d_model}, 0);
  out.constant(in + "mlp.dense_h_to_4h.bias", {ff}, 0);
  out.constant(in + "mlp.dense_4h_to_h.weight", {config.d_model, ff}, 0);
  out.constant(in + "mlp.dense_4h_to_h.bias", {config.d_model}, 0);
}

/// act(gate x) * (up x): a model without a gate has its W_1 there, and an "up" that is 0 x + 1.
void llamaFeedForward(FamilyBuilder& out, const std::string& in, int layer, bool biased) {
  const nn::ModelConfig& config = out.config();
  const int ff = feedForwardOf(config), d = config.d_model;
  if (config.ff() == 0) {
    for (const char* name : {"gate_proj.weight", "up_proj.weight"})
      out.constant(in + name, {ff, d}, 0);
    out.constant(in + "down_proj.weight", {d, ff}, 0);
    return;
  }
  if (config.activation == nn::Activation::SwiGlu) {
    out.linear(in + "gate_proj", Role::Gate, layer, biased);
    out.linear(in + "up_proj", Role::Up, layer, biased);
  } else {
    out.linear(in + "gate_proj", Role::Up, layer, true);
    out.constant(in + "up_proj.weight", {ff, d}, 0);
    out.constant(in + "up_proj.bias", {ff}, 1);
  }
  out.linear(in + "down_proj", Role::Down, layer, biased);
}

}  // namespace

FamilyExport exportGpt2(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                        std::span<const float> theta) {
  FamilyCode code;
  code.name = "GPT-2";
  code.absolutePositions = true;
  FamilyBuilder out(config, layout, theta, code);
  const bool unscaled = config.scale() == 1;
  if (!unscaled) compareScale(out);
  out.embedding("transformer.wte.weight");
  out.positions("transformer.wpe.weight");
  for (int layer = 0; layer < config.layers; ++layer)
    gpt2Block(out, layer);
  out.norm("transformer.ln_f", Role::FinalNorm);
  out.untiedHead("lm_head.weight");
  Json json = begin("GPT2LMHeadModel", "gpt2");
  json["vocab_size"] = vocabularyOf(config);
  json["n_positions"] = config.length;
  json["n_embd"] = config.d_model;
  json["n_layer"] = config.layers;
  json["n_head"] = config.heads;
  json["n_inner"] = feedForwardOf(config);
  json["activation_function"] = activationWord(config.activation);
  json["layer_norm_epsilon"] = config.normEpsilon;
  json["scale_attn_weights"] = !unscaled;
  json["embd_pdrop"] = config.embeddingDropout;
  json["attn_pdrop"] = config.attentionDropout;
  json["resid_pdrop"] = config.residualDropout;
  if (config.d_q() != config.d_model) json["head_dim"] = config.d_h();
  end(json, config);
  return out.finish("gpt2", std::move(json));
}

FamilyExport exportGptNeoX(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                           std::span<const float> theta) {
  FamilyCode code;
  code.name = "GPT-NeoX";
  code.rope = true;
  FamilyBuilder out(config, layout, theta, code);
  compareScale(out);
  out.embedding("gpt_neox.embed_in.weight");
  for (int layer = 0; layer < config.layers; ++layer)
    neoXBlock(out, layer);
  out.norm("gpt_neox.final_layer_norm", Role::FinalNorm);
  out.untiedHead("embed_out.weight");
  Json json = begin("GPTNeoXForCausalLM", "gpt_neox");
  json["vocab_size"] = vocabularyOf(config);
  json["max_position_embeddings"] = config.length;
  json["hidden_size"] = config.d_model;
  json["num_hidden_layers"] = config.layers;
  json["num_attention_heads"] = config.heads;
  json["intermediate_size"] = feedForwardOf(config);
  json["hidden_act"] = activationWord(config.activation);
  json["layer_norm_eps"] = config.normEpsilon;
  json["rotary_pct"] = 1.0;
  json["rotary_emb_base"] = config.ropeBase;
  json["rope_theta"] = config.ropeBase;
  json["use_parallel_residual"] = false;
  json["attention_bias"] = config.attentionBias || config.projectionBias;
  json["attention_dropout"] = config.attentionDropout;
  json["hidden_dropout"] = config.residualDropout;
  end(json, config);
  return out.finish("gpt_neox", std::move(json));
}

FamilyExport exportLlama(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                         std::span<const float> theta) {
  FamilyCode code;
  code.name = "LLaMA";
  code.rope = code.gated = code.anyHeadWidth = code.grouped = true;
  code.norm = nn::Norm::Rms;
  FamilyBuilder out(config, layout, theta, code);
  compareScale(out);
  const bool attentionBias = config.attentionBias || config.projectionBias;
  const bool plain = config.ff() > 0 && config.activation != nn::Activation::SwiGlu;
  const bool feedForwardBias = config.ff() > 0 && (config.feedForwardBias || plain);
  out.embedding("model.embed_tokens.weight");
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string in = fmt::format("model.layers.{}.", layer);
    out.norm(in + "input_layernorm", Role::AttentionNorm, layer);
    out.linear(in + "self_attn.q_proj", Role::Query, layer, attentionBias);
    out.keyOrValue(in + "self_attn.k_proj", Role::Key, layer, attentionBias);
    out.keyOrValue(in + "self_attn.v_proj", Role::Value, layer, attentionBias);
    out.linear(in + "self_attn.o_proj", Role::Projection, layer, attentionBias);
    out.norm(in + "post_attention_layernorm", Role::FeedForwardNorm, layer);
    llamaFeedForward(out, in + "mlp.", layer, feedForwardBias);
  }
  out.norm("model.norm", Role::FinalNorm);
  out.untiedHead("lm_head.weight");
  Json json = begin("LlamaForCausalLM", "llama");
  json["vocab_size"] = vocabularyOf(config);
  json["max_position_embeddings"] = config.length;
  json["hidden_size"] = config.d_model;
  json["num_hidden_layers"] = config.layers;
  json["num_attention_heads"] = config.heads;
  json["num_key_value_heads"] = config.kv();
  json["head_dim"] = config.d_h();
  json["intermediate_size"] = feedForwardOf(config);
  json["hidden_act"] = activationWord(config.activation);
  json["rms_norm_eps"] = config.normEpsilon;
  json["rope_theta"] = config.ropeBase;
  json["attention_bias"] = attentionBias;
  json["mlp_bias"] = feedForwardBias;
  json["attention_dropout"] = config.attentionDropout;
  end(json, config);
  return out.finish("llama", std::move(json));
}

}  // namespace sepx::train
