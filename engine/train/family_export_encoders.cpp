// SPDX-License-Identifier: Apache-2.0
// BERT (norms after the sums, tables of positions) and ModernBERT (norms before the branches, rotary positions; its
// first layer takes the embedding as it is, and its feed-forward part is act(first half) * second half).
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

void compareScale(FamilyBuilder& out) {
  const double usual = 1 / std::sqrt(static_cast<double>(out.config().d_h()));
  if (out.config().scale() != usual)
    out.deviate(fmt::format("it divides scores by the root of the head's width, the model multiplies them by {}",
                            out.config().scale()));
}

std::vector<float> unitMatrix(int d) {
  std::vector<float> values(static_cast<std::size_t>(d) * static_cast<std::size_t>(d), 0.0f);
  for (std::size_t i = 0; i < static_cast<std::size_t>(d); ++i)
    values[i * static_cast<std::size_t>(d) + i] = 1;
  return values;
}

/// The transform before the logits; without one the nearest that the family can say.
void transform(FamilyBuilder& out, const std::string& dense, const std::string& norm) {
  const int d = out.config().d_model;
  if (out.config().headTransform) {
    out.linear(dense, Role::HeadTransform, -1, true);
    out.norm(norm, Role::HeadNorm);
    return;
  }
  out.own(dense + ".weight", {d, d}, unitMatrix(d));
  out.constant(dense + ".bias", {d}, 0);
  out.constant(norm + ".weight", {d}, 1);
  out.constant(norm + ".bias", {d}, 0);
}

void bertLayer(FamilyBuilder& out, int layer) {
  const nn::ModelConfig& config = out.config();
  const std::string in = fmt::format("bert.encoder.layer.{}.", layer);
  out.linear(in + "attention.self.query", Role::Query, layer, true);
  out.keyOrValue(in + "attention.self.key", Role::Key, layer, true);
  out.keyOrValue(in + "attention.self.value", Role::Value, layer, true);
  out.linear(in + "attention.output.dense", Role::Projection, layer, true);
  out.norm(in + "attention.output.LayerNorm", Role::AttentionNorm, layer);
  out.linear(in + "intermediate.dense", Role::Up, layer, true);
  out.linear(in + "output.dense", Role::Down, layer, true);
  out.norm(in + "output.LayerNorm", Role::FeedForwardNorm, layer);
  if (config.ff() > 0) return;
  const int ff = FamilyBuilder::kNoFeedForward;
  out.constant(in + "intermediate.dense.weight", {ff, config.d_model}, 0);
  out.constant(in + "intermediate.dense.bias", {ff}, 0);
  out.constant(in + "output.dense.weight", {config.d_model, ff}, 0);
  out.constant(in + "output.dense.bias", {config.d_model}, 0);
}

Json bertConfig(const nn::ModelConfig& config) {
  Json json = Json::object();
  json["architectures"] = {"BertForMaskedLM"};
  json["model_type"] = "bert";
  json["vocab_size"] = vocabularyOf(config);
  json["max_position_embeddings"] = config.length;
  json["type_vocab_size"] = std::max(config.segments, 1);
  json["hidden_size"] = config.d_model;
  json["num_hidden_layers"] = config.layers;
  json["num_attention_heads"] = config.heads;
  json["intermediate_size"] = config.ff() == 0 ? FamilyBuilder::kNoFeedForward : config.ff();
  json["hidden_act"] = activationWord(config.activation);
  json["layer_norm_eps"] = config.normEpsilon;
  json["hidden_dropout_prob"] = config.residualDropout;
  json["attention_probs_dropout_prob"] = config.attentionDropout;
  json["position_embedding_type"] = "absolute";
  json["tie_word_embeddings"] = config.output == nn::Output::Tied;
  json["pad_token_id"] = nullptr;
  json["torch_dtype"] = "float32";
  if (config.d_q() != config.d_model) json["head_dim"] = config.d_h();
  return json;
}

void modernFeedForward(FamilyBuilder& out, const std::string& in, int layer) {
  const nn::ModelConfig& config = out.config();
  const int ff = config.ff(), d = config.d_model;
  if (ff == 0) {
    constexpr int kWidth = FamilyBuilder::kNoFeedForward;
    out.constant(in + "Wi.weight", {2 * kWidth, d}, 0);
    out.constant(in + "Wi.bias", {2 * kWidth}, 0);
    out.constant(in + "Wo.weight", {d, kWidth}, 0);
    out.constant(in + "Wo.bias", {d}, 0);
    return;
  }
  out.gateAndUp(in + "Wi", layer);
  out.linear(in + "Wo", Role::Down, layer, true);
}

Json modernBertConfig(const nn::ModelConfig& config) {
  constexpr int kLocal = 128;  // of layers that there are none of
  Json json = Json::object();
  json["architectures"] = {"ModernBertForMaskedLM"};
  json["model_type"] = "modernbert";
  json["vocab_size"] = vocabularyOf(config);
  json["max_position_embeddings"] = config.length;
  json["hidden_size"] = config.d_model;
  json["num_hidden_layers"] = config.layers;
  json["num_attention_heads"] = config.heads;
  json["intermediate_size"] = config.ff() == 0 ? FamilyBuilder::kNoFeedForward : config.ff();
  json["hidden_activation"] = activationWord(config.activation);
  json["classifier_activation"] = activationWord(config.activation);
  json["norm_eps"] = config.normEpsilon;
  json["norm_bias"] = true;
  json["global_rope_theta"] = config.ropeBase;
  json["local_rope_theta"] = config.ropeBase;
  json["global_attn_every_n_layers"] = 1;
  json["local_attention"] = kLocal;
  json["attention_bias"] = config.attentionBias || config.projectionBias;
  json["mlp_bias"] = true;
  json["classifier_bias"] = true;
  json["decoder_bias"] = true;
  json["embedding_dropout"] = config.embeddingDropout;
  json["attention_dropout"] = config.attentionDropout;
  json["mlp_dropout"] = config.residualDropout;
  json["tie_word_embeddings"] = config.output == nn::Output::Tied;
  for (const char* token : {"pad_token_id", "bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"})
    json[token] = nullptr;
  json["torch_dtype"] = "float32";
  return json;
}

}  // namespace

FamilyExport exportBert(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                        std::span<const float> theta) {
  FamilyCode code;
  code.name = "BERT";
  code.causal = code.finalNorm = false;
  code.absolutePositions = code.embeddingNorm = code.headTransform = code.outputBias = true;
  code.placement = nn::Placement::Post;
  FamilyBuilder out(config, layout, theta, code);
  compareScale(out);
  if (config.ff() == 0 && config.norm != nn::Norm::None)
    out.deviate("it normalises once more where the model has no feed-forward part");
  out.embedding("bert.embeddings.word_embeddings.weight");
  out.positions("bert.embeddings.position_embeddings.weight");
  out.segments("bert.embeddings.token_type_embeddings.weight");
  out.norm("bert.embeddings.LayerNorm", Role::EmbeddingNorm);
  for (int layer = 0; layer < config.layers; ++layer)
    bertLayer(out, layer);
  transform(out, "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm");
  out.untiedHead("cls.predictions.decoder.weight");
  out.outputBias({"cls.predictions.bias", "cls.predictions.decoder.bias"});
  return out.finish("bert", bertConfig(config));
}

FamilyExport exportModernBert(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                              std::span<const float> theta) {
  FamilyCode code;
  code.name = "ModernBERT";
  code.causal = false;
  code.rope = code.gated = code.embeddingNorm = code.headTransform = code.outputBias = true;
  FamilyBuilder out(config, layout, theta, code);
  compareScale(out);
  if (config.norm != nn::Norm::None && config.placement == nn::Placement::Pre)
    out.deviate("its first layer does not normalise before the attention, that of the model does");
  const bool biased = config.attentionBias || config.projectionBias;
  out.embedding("model.embeddings.tok_embeddings.weight");
  out.norm("model.embeddings.norm", Role::EmbeddingNorm);
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string in = fmt::format("model.layers.{}.", layer);
    out.norm(in + "attn_norm", Role::AttentionNorm, layer);
    out.fused(in + "attn.Wqkv", biased, layer, false);
    out.linear(in + "attn.Wo", Role::Projection, layer, biased);
    out.norm(in + "mlp_norm", Role::FeedForwardNorm, layer);
    modernFeedForward(out, in + "mlp.", layer);
  }
  out.norm("model.final_norm", Role::FinalNorm);
  transform(out, "head.dense", "head.norm");
  out.untiedHead("decoder.weight");
  out.outputBias({"decoder.bias"});
  return out.finish("modernbert", modernBertConfig(config));
}

}  // namespace sepx::train
