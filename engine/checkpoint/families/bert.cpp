// SPDX-License-Identifier: Apache-2.0
// BERT and its relatives: encoders with the norm after the attention, except ModernBERT.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/checkpoint/families/compute.h"
#include "engine/checkpoint/families/families.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::checkpoint::families {

namespace {

constexpr int kMostSharedLayers = 4096;

// config.json says is_decoder where a BERT was trained to continue text.
void markDecoders(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  if (config.flag("is_decoder") != true) return;
  for (AttentionLayer& layer : map.layers)
    layer.causal = layer.stack != Stack::Cross;
}

// Of the models with BERT's names, only those with BERT's parts are computed.
Result<void> computeBert(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  for (const char* type : {"mobilebert", "layoutlm", "nezha", "megatron-bert", "convbert", "ernie", "longformer",
                           "xmod", "xlm-roberta-xl", "splinter"})
    if (isOfType(config, type))
      return fail(
          ErrorKind::BadInput,
          fmt::format("{} has parts that BERT does not have: computing the whole model is not supported", type));
  const std::string kind = config.text("position_embedding_type");
  if (!kind.empty() && kind != "absolute")
    return fail(ErrorKind::BadInput, fmt::format("{} says position_embedding_type \"{}\", which is not supported",
                                                 config.from(), excerpt(kind, 40)));
  if (plan.head) plan.head->masked = !plan.causal;
  return {};
}

// ELECTRA's generator widens narrow embeddings; its discriminator has no head that predicts tokens.
void adaptBert(const Checkpoint& checkpoint, const ModelConfig&, FamilyParts& parts) {
  parts.embeddingProjection = "embeddings_project";
  if (checkpoint.find("generator_predictions.dense.weight") == nullptr) return;
  parts.headTransform = "generator_predictions.dense";
  parts.headNorm = "generator_predictions.LayerNorm";
  parts.head = "generator_lm_head.weight";
  parts.outputBias = {"generator_lm_head.bias"};
}

FamilyParts bertNames() {
  FamilyParts parts;
  parts.prefix = "bert.";
  parts.value = "encoder.layer.{layer}.attention.self.value";
  parts.projection = "encoder.layer.{layer}.attention.output.dense";
  parts.attentionNorm = "encoder.layer.{layer}.attention.output.LayerNorm";
  parts.up = "encoder.layer.{layer}.intermediate.dense";
  parts.down = "encoder.layer.{layer}.output.dense";
  parts.feedForwardNorm = "encoder.layer.{layer}.output.LayerNorm";
  parts.segments = "embeddings.token_type_embeddings.weight";
  parts.embeddingNorm = "embeddings.LayerNorm";
  parts.headTransform = "cls.predictions.transform.dense";
  parts.headNorm = "cls.predictions.transform.LayerNorm";
  parts.head = "cls.predictions.decoder.weight";
  parts.outputBias = {"cls.predictions.bias", "cls.predictions.decoder.bias"};
  parts.activation = FeedForwardActivation::GeluErf;
  parts.epsilon = 1e-12;
  parts.adapt = adaptBert;
  parts.compute = computeBert;
  return parts;
}

FamilyParts bertParts() {
  FamilyParts parts = bertNames();
  parts.wordsInLines = true;
  parts.config = R"({
    "architectures": ["BertForMaskedLM"], "model_type": "bert",
    "vocab_size": "{vocabulary}", "max_position_embeddings": "{length}", "type_vocab_size": "{segments}",
    "hidden_size": "{d_model}", "num_hidden_layers": "{layers}", "num_attention_heads": "{heads}",
    "intermediate_size": "{d_ff}", "hidden_act": "{activation}", "layer_norm_eps": "{norm_epsilon}",
    "hidden_dropout_prob": "{residual_dropout}", "attention_probs_dropout_prob": "{attention_dropout}",
    "position_embedding_type": "absolute", "tie_word_embeddings": "{tied}", "pad_token_id": null,
    "torch_dtype": "float32", "head_dim": "{own_head_dim}"
  })";
  return parts;
}

FamilyRule bert() {
  FamilyRule rule = family(
      "bert", "BERT",
      {"bert", "electra", "bert-generation", "mobilebert", "splinter", "ernie", "layoutlm", "nezha", "megatron-bert",
       "convbert"},
      {separate(Stack::Self, "encoder.layer.{layer}.attention.self.query", "encoder.layer.{layer}.attention.self.key"),
       separate(Stack::Cross, "encoder.layer.{layer}.crossattention.self.query",
                "encoder.layer.{layer}.crossattention.self.key")},
      "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight");
  rule.finish = markDecoders;
  rule.parts = bertNames();
  return rule;
}

// Positions start at the padding's index + 1.
Result<void> computeRoberta(const Checkpoint& checkpoint, const ModelConfig& config, ModelPlan& plan) {
  if (const auto padding = config.integer({"pad_token_id"}); padding && *padding >= 0) {
    if (*padding + 1 >= plan.positions + plan.positionOffset)
      return fail(ErrorKind::BadInput, fmt::format("{} says pad_token_id {}: no row of {} is left for a position",
                                                   config.from(), *padding, plan.positionEmbedding));
    plan.positions += plan.positionOffset - (*padding + 1);
    plan.positionOffset = *padding + 1;
  }
  return computeBert(checkpoint, config, plan);
}

FamilyParts robertaParts() {
  FamilyParts parts = bertNames();
  parts.headTransform = "lm_head.dense";
  parts.headNorm = "lm_head.layer_norm";
  parts.head = "lm_head.decoder.weight";
  parts.outputBias = {"lm_head.bias", "lm_head.decoder.bias"};
  parts.adapt = nullptr;
  parts.compute = computeRoberta;
  return parts;
}

FamilyRule roberta(const char* key, const char* name, std::vector<std::string> types) {
  FamilyRule rule = named(bert(), key, name, std::move(types));
  rule.positionOffset = 2;  // positions start at the padding's index + 1
  rule.byNames = false;
  rule.parts = robertaParts();
  return rule;
}

// Without a config, a prefix with RoBERTa's name identifies it.
FamilyRule robertaByName() {
  FamilyRule rule = roberta("roberta", "RoBERTa", {"roberta", "camembert", "data2vec-text", "longformer", "xmod"});
  rule.byNames = true;
  rule.needs = {"roberta.encoder.layer.{layer}.attention.self.query.weight"};
  return rule;
}

// With a config, any prefix or none is accepted.
FamilyRule robertaByType() {
  FamilyRule rule = roberta("roberta", "", {"roberta", "camembert", "data2vec-text", "longformer", "xmod"});
  rule.finish = [](const Checkpoint& checkpoint, const ModelConfig& config, AttentionMap& map) {
    markDecoders(checkpoint, config, map);
    map.familyName = "RoBERTa";
  };
  return rule;
}

FamilyParts distilbertParts() {
  FamilyParts parts;
  parts.value = "transformer.layer.{layer}.attention.v_lin";
  parts.projection = "transformer.layer.{layer}.attention.out_lin";
  parts.attentionNorm = "transformer.layer.{layer}.sa_layer_norm";
  parts.up = "transformer.layer.{layer}.ffn.lin1";
  parts.down = "transformer.layer.{layer}.ffn.lin2";
  parts.feedForwardNorm = "transformer.layer.{layer}.output_layer_norm";
  parts.embeddingNorm = "embeddings.LayerNorm";
  parts.headTransform = "vocab_transform";
  parts.headNorm = "vocab_layer_norm";
  parts.head = "vocab_projector.weight";
  parts.outputBias = {"vocab_projector.bias"};
  parts.activation = FeedForwardActivation::GeluErf;
  parts.epsilon = 1e-12;
  return parts;
}

FamilyRule distilbert() {
  FamilyRule rule = family(
      "distilbert", "DistilBERT", {"distilbert"},
      {separate(Stack::Self, "transformer.layer.{layer}.attention.q_lin", "transformer.layer.{layer}.attention.k_lin")},
      "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight");
  rule.parts = distilbertParts();
  return rule;
}

// Groups of layers share one set of weights: group g serves layers g L/G … (g + 1) L/G - 1.
void shareLayers(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  const int groups = static_cast<int>(map.layers.size());
  const int layers = std::clamp(config.layers(Stack::Self).value_or(groups), groups, kMostSharedLayers);
  const std::vector<AttentionLayer> stored = std::move(map.layers);
  map.layers.clear();
  for (int layer = 0; layer < layers; ++layer) {
    map.layers.push_back(stored[static_cast<std::size_t>(layer * groups / layers)]);
    map.layers.back().layer = layer;
  }
  map.notes.push_back(groups == 1 ? fmt::format("all {} layers share one set of weights", layers)
                                  : fmt::format("{} layers share {} sets of weights", layers, groups));
  if (map.tokenEmbedding.empty())
    map.notes.emplace_back("embeddings are narrower than the layers and reach them through another projection");
}

FamilyParts albertParts() {
  const std::string layer = "encoder.albert_layer_groups.{layer}.albert_layers.0.";
  FamilyParts parts;
  parts.value = layer + "attention.value";
  parts.projection = layer + "attention.dense";
  parts.attentionNorm = layer + "attention.LayerNorm";
  parts.up = layer + "ffn";
  parts.down = layer + "ffn_output";
  parts.feedForwardNorm = layer + "full_layer_layer_norm";
  parts.segments = "embeddings.token_type_embeddings.weight";
  parts.embeddingNorm = "embeddings.LayerNorm";
  parts.embeddingProjection = "encoder.embedding_hidden_mapping_in";
  parts.headTransform = "predictions.dense";
  parts.headNorm = "predictions.LayerNorm";
  parts.head = "predictions.decoder.weight";
  parts.outputBias = {"predictions.bias", "predictions.decoder.bias"};
  parts.epsilon = 1e-12;
  parts.compute = [](const Checkpoint&, const ModelConfig& config, ModelPlan&) -> Result<void> {
    if (config.integer({"inner_group_num"}).value_or(1) == 1) return {};
    return fail(ErrorKind::BadInput, "an ALBERT with several layers in a group (inner_group_num) is not supported");
  };
  return parts;
}

FamilyRule albert() {
  FamilyRule rule = family("albert", "ALBERT", {"albert"},
                           {separate(Stack::Self, "encoder.albert_layer_groups.{layer}.albert_layers.0.attention.query",
                                     "encoder.albert_layer_groups.{layer}.albert_layers.0.attention.key")},
                           "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight");
  rule.finish = shareLayers;
  rule.parts = albertParts();
  return rule;
}

// The score is a sum of content and position parts, each of the same size: 1/sqrt(d_h * (1 + number of parts)).
void scaleByParts(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  int parts = 1;
  if (const nlohmann::json* types = config.value("pos_att_type"); types != nullptr) {
    const std::string text = types->dump();
    for (const char* part : {"c2p", "p2c", "p2p"})
      parts += text.find(part) != std::string::npos ? 1 : 0;
  }
  for (AttentionLayer& layer : map.layers)
    layer.scale = 1 / std::sqrt(static_cast<double>(layer.d_h) * parts);
  map.notes.emplace_back("the parts of the score with relative positions are left out: W_qk is content to content");
}

FamilyRule deberta() {
  StackRule stack = fused(Stack::Self, "encoder.layer.{layer}.attention.self.in_proj", Fusion::PerHead);
  stack.queryBias = "encoder.layer.{layer}.attention.self.q_bias";
  stack.keyBias.clear();
  FamilyRule rule = family("deberta", "DeBERTa", {"deberta"}, {stack}, "embeddings.word_embeddings.weight");
  rule.finish = scaleByParts;
  return rule;
}

FamilyRule deberta2() {
  FamilyRule rule = named(deberta(), "deberta-v2", "DeBERTa v2/v3", {"deberta-v2", "deberta-v3"});
  rule.stacks = {separate(Stack::Self, "encoder.layer.{layer}.attention.self.query_proj",
                          "encoder.layer.{layer}.attention.self.key_proj")};
  return rule;
}

// All layers but every n-th are local, by layer_types or by counting.
IsLocal localModern(const ModelConfig& config) {
  const auto every = config.integer({"global_attn_every_n_layers"}).value_or(3);
  return layerTypes(config, [every](int layer) { return every < 1 || layer % every != 0; });
}

// The window has half the width on either side.
Result<void> slideModern(const Checkpoint&, const ModelConfig& config, ModelPlan& plan) {
  SEPX_ASSIGN(const int window, windowOf(config, {"local_attention"}, 128));
  slide(plan, window / 2, localModern(config));
  return {};
}

// Every n-th layer is global and has a large base; the others are local and have a smaller one.
void alternateRope(const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
  const IsLocal isLocal = localModern(config);
  const double global =
      config.number({"global_rope_theta", "rope_parameters.full_attention.rope_theta"}).value_or(160000);
  const double local =
      config.number({"local_rope_theta", "rope_parameters.sliding_attention.rope_theta"}).value_or(10000);
  for (AttentionLayer& layer : map.layers)
    if (layer.rope) layer.rope->base = isLocal(layer.layer) ? local : global;
}

FamilyParts modernbertParts() {
  FamilyParts parts;
  parts.prefix = "model.";
  parts.projection = "layers.{layer}.attn.Wo";
  parts.feedForwardNorm = "layers.{layer}.mlp_norm";
  parts.up = "layers.{layer}.mlp.Wi";
  parts.down = "layers.{layer}.mlp.Wo";
  parts.gateInUp = parts.bareFirstLayer = true;
  parts.embeddingNorm = "embeddings.norm";
  parts.finalNorm = "final_norm";
  parts.headTransform = "head.dense";
  parts.headNorm = "head.norm";
  parts.head = "decoder.weight";
  parts.outputBias = {"decoder.bias"};
  parts.activation = FeedForwardActivation::GeluErf;
  parts.compute = slideModern;
  parts.wordsInLines = true;
  // Every layer is global: there are no local ones.
  parts.config = R"({
    "architectures": ["ModernBertForMaskedLM"], "model_type": "modernbert",
    "vocab_size": "{vocabulary}", "max_position_embeddings": "{length}",
    "hidden_size": "{d_model}", "num_hidden_layers": "{layers}", "num_attention_heads": "{heads}",
    "intermediate_size": "{d_ff}", "hidden_activation": "{activation}", "classifier_activation": "{activation}",
    "norm_eps": "{norm_epsilon}", "norm_bias": true,
    "global_rope_theta": "{rope_base}", "local_rope_theta": "{rope_base}",
    "global_attn_every_n_layers": 1, "local_attention": 128,
    "attention_bias": "{attention_bias}", "mlp_bias": true, "classifier_bias": true, "decoder_bias": true,
    "embedding_dropout": "{embedding_dropout}", "attention_dropout": "{attention_dropout}",
    "mlp_dropout": "{residual_dropout}", "tie_word_embeddings": "{tied}", "pad_token_id": null,
    "bos_token_id": null, "eos_token_id": null, "cls_token_id": null, "sep_token_id": null, "torch_dtype": "float32"
  })";
  return parts;
}

FamilyRule modernbert() {
  FamilyRule rule = family("modernbert", "ModernBERT", {"modernbert"},
                           {rotated(normed(fused(Stack::Self, "layers.{layer}.attn.Wqkv", Fusion::Blocks),
                                           "layers.{layer}.attn_norm", false),
                                    Rotation::Halves)},
                           "embeddings.tok_embeddings.weight");
  rule.finish = alternateRope;
  rule.parts = modernbertParts();
  return rule;
}

}  // namespace

std::vector<FamilyRule> bertFamilies() {
  FamilyRule written = bert();  // relatives are read with its names, but not written
  written.parts = bertParts();
  return {robertaByName(), robertaByType(), roberta("xlm-roberta", "XLM-R", {"xlm-roberta", "xlm-roberta-xl"}),
          written,         distilbert(),    albert(),
          deberta(),       deberta2(),      modernbert()};
}

}  // namespace sepx::checkpoint::families
