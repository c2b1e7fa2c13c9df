// SPDX-License-Identifier: Apache-2.0
// Models with an encoder and a decoder: three stacks of attention. In cross attention the queries are the decoder's
// (rows of W_qk) and the keys the encoder's (columns); its norm, if there is one, applies to the query side.
#include <algorithm>
#include <cmath>

#include "engine/checkpoint/families/compute.h"
#include "engine/checkpoint/families/families.h"
#include "engine/checkpoint/family_match.h"

namespace sepx::checkpoint::families {

namespace {

std::vector<StackRule> bartStacks() {
  return {normed(separate(Stack::Encoder, "encoder.layers.{layer}.self_attn.q_proj",
                          "encoder.layers.{layer}.self_attn.k_proj"),
                 "encoder.layers.{layer}.self_attn_layer_norm", false),
          decoder(separate(Stack::Decoder, "decoder.layers.{layer}.self_attn.q_proj",
                           "decoder.layers.{layer}.self_attn.k_proj"),
                  "decoder.layers.{layer}.self_attn_layer_norm", false),
          normed(separate(Stack::Cross, "decoder.layers.{layer}.encoder_attn.q_proj",
                          "decoder.layers.{layer}.encoder_attn.k_proj"),
                 "decoder.layers.{layer}.encoder_attn_layer_norm", false)};
}

void postNorm(const Checkpoint&, const ModelConfig&, AttentionMap& map) {
  dropNorms(map);
}

// The encoder, with the norms before each branch (mBART).
FamilyParts encoderParts() {
  FamilyParts parts;
  parts.value = "encoder.layers.{layer}.self_attn.v_proj";
  parts.projection = "encoder.layers.{layer}.self_attn.out_proj";
  parts.feedForwardNorm = "encoder.layers.{layer}.final_layer_norm";
  parts.up = "encoder.layers.{layer}.fc1";
  parts.down = "encoder.layers.{layer}.fc2";
  parts.embeddingNorm = "encoder.layernorm_embedding";
  parts.finalNorm = "encoder.layer_norm";
  parts.activation = FeedForwardActivation::GeluErf;
  parts.compute = [](const Checkpoint&, const ModelConfig& config, ModelPlan& plan) -> Result<void> {
    if (!config.modelType().empty() && !isOfType(config, "bart") && !isOfType(config, "mbart"))
      return fail(ErrorKind::BadInput,
                  "among the models with BART's tensor names, only the encoders of BART and mBART are supported");
    if (config.flag("scale_embedding") == true) plan.embeddingScale = std::sqrt(static_cast<double>(plan.d_model));
    return {};
  };
  return parts;
}

FamilyRule preNormed() {
  FamilyRule rule = family("mbart", "mBART, M2M100, Pegasus",
                           {"mbart", "m2m_100", "pegasus", "blenderbot", "nllb-moe", "speech_to_text"}, bartStacks(),
                           "shared.weight", "encoder.embed_positions.weight");
  rule.needs = {"encoder.layer_norm.weight", "decoder.layers.{layer}.encoder_attn.q_proj.weight",
                "!encoder.conv1.weight"};
  rule.positionOffset = 2;
  rule.parts = encoderParts();
  return rule;
}

FamilyRule bart() {
  FamilyRule rule = named(preNormed(), "bart", "BART", {"bart", "marian", "blenderbot-small", "led", "plbart"});
  rule.needs = {"encoder.layers.{layer}.self_attn.q_proj.weight", "decoder.layers.{layer}.encoder_attn.q_proj.weight",
                "!encoder.conv1.weight", "!input_projection.weight"};
  rule.finish = postNorm;
  rule.parts->attentionNorm = "encoder.layers.{layer}.self_attn_layer_norm";
  rule.parts->finalNorm.clear();
  return rule;
}

FamilyRule whisper() {
  FamilyRule rule = family("whisper", "Whisper", {"whisper"}, bartStacks(), "decoder.embed_tokens.weight",
                           "decoder.embed_positions.weight");
  rule.needs = {"encoder.conv1.weight"};
  return rule;
}

FamilyRule whisperByType() {
  FamilyRule rule = whisper();
  rule.name.clear();
  rule.needs.clear();
  rule.byNames = false;
  rule.finish = shownAs("Whisper");
  return rule;
}

// Whisper as OpenAI published it.
FamilyRule whisperFirst() {
  FamilyRule rule = whisper();
  rule.name.clear();
  rule.modelTypes.clear();
  rule.stacks = {
      normed(separate(Stack::Encoder, "encoder.blocks.{layer}.attn.query", "encoder.blocks.{layer}.attn.key"),
             "encoder.blocks.{layer}.attn_ln", false),
      decoder(separate(Stack::Decoder, "decoder.blocks.{layer}.attn.query", "decoder.blocks.{layer}.attn.key"),
              "decoder.blocks.{layer}.attn_ln", false),
      normed(separate(Stack::Cross, "decoder.blocks.{layer}.cross_attn.query", "decoder.blocks.{layer}.cross_attn.key"),
             "decoder.blocks.{layer}.cross_attn_ln", false)};
  rule.needs.clear();
  rule.tokenEmbedding = "decoder.token_embedding.weight";
  rule.positionEmbedding = "decoder.positional_embedding";
  rule.finish = shownAs("Whisper");
  return rule;
}

// The norms come before each branch. In OPT 350M they come after each sum, and its embeddings are narrow.
FamilyParts optParts() {
  FamilyParts parts;
  parts.value = "decoder.layers.{layer}.self_attn.v_proj";
  parts.projection = "decoder.layers.{layer}.self_attn.out_proj";
  parts.feedForwardNorm = "decoder.layers.{layer}.final_layer_norm";
  parts.up = "decoder.layers.{layer}.fc1";
  parts.down = "decoder.layers.{layer}.fc2";
  parts.finalNorm = "decoder.final_layer_norm";
  parts.head = "lm_head.weight";
  parts.embeddingProjection = "decoder.project_in";
  parts.activation = FeedForwardActivation::Relu;
  parts.epsilon = 1e-5;
  parts.adapt = [](const Checkpoint&, const ModelConfig& config, FamilyParts& made) {
    if (config.flag("do_layer_norm_before") == false)
      made.attentionNorm = "decoder.layers.{layer}.self_attn_layer_norm";
    if (config.flag("do_layer_norm_before") == false || config.flag("_remove_final_layer_norm") == true)
      made.finalNorm.clear();
  };
  return parts;
}

FamilyRule opt() {
  FamilyRule rule =
      family("opt", "OPT", {"opt"}, {bartStacks()[1]}, "decoder.embed_tokens.weight", "decoder.embed_positions.weight");
  rule.needs = {"!decoder.layers.{layer}.encoder_attn.q_proj.weight", "decoder.embed_positions.weight"};
  rule.positionOffset = 2;
  rule.finish = [](const Checkpoint&, const ModelConfig& config, AttentionMap& map) {
    if (config.flag("do_layer_norm_before") == false) dropNorms(map);
  };
  rule.parts = optParts();
  return rule;
}

// All layers share the table of the first layer; in umT5 each layer has its own.
void addDistances(const Checkpoint& checkpoint, const ModelConfig& config, ModelPlan& plan) {
  const NameIndex names(checkpoint);
  const auto buckets = config.integer({"relative_attention_num_buckets", "attention.relative_buckets_count"});
  const auto farthest = config.integer({"relative_attention_max_distance"});
  for (BlockPlan& block : plan.blocks) {
    std::string table = block.attention.W_Q.tensor;
    for (const auto& [query, bias] :
         {std::pair{".q.weight", ".relative_attention_bias.weight"}, std::pair{".attn_q.weight", ".attn_rel_b.weight"}})
      if (table.ends_with(query)) table.replace(table.size() - std::string_view(query).size(), std::string::npos, bias);
    const TensorInfo* own = checkpoint.find(table);
    const BlockPlan& first = plan.blocks.front();
    if (own == nullptr && &block != &first) {
      block.score = first.score;
      continue;
    }
    if (own == nullptr || own->shape.size() != 2 || own->shape[1] != block.attention.heads) continue;
    block.score.distanceBias = own->name;
    block.score.distanceBuckets =
        static_cast<int>(std::clamp<std::int64_t>(buckets.value_or(own->shape[0]), 0, own->shape[0]));
    block.score.distanceFarthest = static_cast<int>(std::clamp<std::int64_t>(farthest.value_or(128), 0, 1 << 24));
  }
}

// The encoder. A distance bias is part of every score.
FamilyParts t5Parts() {
  FamilyParts parts;
  parts.value = "encoder.block.{layer}.layer.0.SelfAttention.v";
  parts.projection = "encoder.block.{layer}.layer.0.SelfAttention.o";
  parts.feedForwardNorm = "encoder.block.{layer}.layer.1.layer_norm";
  parts.up = "encoder.block.{layer}.layer.1.DenseReluDense.wi";
  parts.down = "encoder.block.{layer}.layer.1.DenseReluDense.wo";
  parts.finalNorm = "encoder.final_layer_norm";
  parts.activation = FeedForwardActivation::Relu;
  parts.epsilon = 1e-6;
  parts.adapt = [](const Checkpoint& checkpoint, const ModelConfig& config, FamilyParts& made) {
    if (!NameIndex(checkpoint).has(made.up + "_0.weight")) return;
    made.gate = made.up + "_0";
    made.up += "_1";
    made.activation = FeedForwardActivation::GeluTanh;
    made.ownActivation = config.text("feed_forward_proj") == "gated-gelu";  // "gelu" means the tanh form here
  };
  parts.compute = [](const Checkpoint& checkpoint, const ModelConfig& config, ModelPlan& plan) -> Result<void> {
    for (const char* type : {"longt5", "switch_transformers", "pop2piano"})
      if (isOfType(config, type))
        return fail(ErrorKind::BadInput,
                    std::string(type) + " has parts that T5 does not have: computing the whole model is not supported");
    addDistances(checkpoint, config, plan);
    if (plan.blocks.front().score.distanceBias.empty())
      return fail(ErrorKind::BadInput, "the table of relative position biases (relative_attention_bias) is missing");
    return {};
  };
  return parts;
}

FamilyRule t5() {
  const auto stack = [](Stack kind, const std::string& attention, const std::string& norm) {
    StackRule made = normed(separate(kind, attention + ".q", attention + ".k"), norm, true);
    made.scaled = false;
    return made;
  };
  FamilyRule rule = family(
      "t5", "T5", {"t5", "mt5", "umt5", "longt5", "switch_transformers", "pop2piano"},
      {stack(Stack::Encoder, "encoder.block.{layer}.layer.0.SelfAttention", "encoder.block.{layer}.layer.0.layer_norm"),
       causal(stack(Stack::Decoder, "decoder.block.{layer}.layer.0.SelfAttention",
                    "decoder.block.{layer}.layer.0.layer_norm")),
       stack(Stack::Cross, "decoder.block.{layer}.layer.1.EncDecAttention",
             "decoder.block.{layer}.layer.1.layer_norm")},
      "shared.weight");
  rule.notes = {"a learned bias of the distance is added to the score; W_qk leaves it out"};
  rule.parts = t5Parts();
  return rule;
}

constexpr const char* kPlacesNote = "queries and keys see x plus an encoding of its place, values x alone";

FamilyRule detr() {
  FamilyRule rule =
      family("detr", "DETR", {"detr", "conditional_detr", "table-transformer", "rt_detr", "yolos_detr"}, bartStacks());
  rule.stacks[1].causal = false;
  rule.needs = {"decoder.layers.{layer}.encoder_attn.q_proj.weight", "input_projection.weight"};
  rule.notes = {kPlacesNote};
  rule.finish = postNorm;
  return rule;
}

FamilyRule detrByType() {
  FamilyRule rule = detr();
  rule.name.clear();
  rule.needs.clear();
  rule.byNames = false;
  rule.finish = [](const Checkpoint&, const ModelConfig&, AttentionMap& map) {
    dropNorms(map);
    map.familyName = "DETR";
  };
  return rule;
}

// torch.nn.MultiheadAttention in an encoder, a decoder, and between them, as in the first DETR.
FamilyRule detrFirst() {
  FamilyRule rule = detr();
  rule.name.clear();
  rule.stacks = {inProjection(Stack::Encoder, "encoder.layers.{layer}.self_attn"),
                 inProjection(Stack::Decoder, "decoder.layers.{layer}.self_attn"),
                 inProjection(Stack::Cross, "decoder.layers.{layer}.multihead_attn")};
  rule.needs = {"query_embed.weight"};
  rule.finish = [](const Checkpoint&, const ModelConfig&, AttentionMap& map) {
    map.familyName = "DETR";
    dropNorms(map);
  };
  return rule;
}

// Detectors whose cross attention samples positions in the image and has no keys: only self-attention remains. The
// weights of the sampled positions show how many heads there are.
void headsFromPlaces(const Checkpoint& checkpoint, const ModelConfig&, AttentionMap& map) {
  for (AttentionLayer& layer : map.layers) {
    const std::string& name = layer.W_Q.tensor;
    const std::size_t cut = name.rfind("self_attn.");
    if (layer.heads != 1 || cut == std::string::npos) continue;
    const std::string cross = name.substr(0, cut) + "cross_attn.";
    const TensorInfo* weights = checkpoint.find(cross + "attention_weights.bias");
    const TensorInfo* places = checkpoint.find(cross + "num_points_scale");
    if (weights == nullptr || places == nullptr || places->values() == 0 || weights->values() % places->values() != 0)
      continue;
    const auto heads =
        static_cast<std::int64_t>(std::min<std::uint64_t>(weights->values() / places->values(), 1 << 16));
    if (heads < 1 || layer.d_h % heads != 0) continue;
    layer.heads = layer.kvHeads = static_cast<int>(heads);
    layer.d_h /= layer.heads;
    layer.scale = 1 / std::sqrt(static_cast<double>(layer.d_h));
    for (ProjectionSource* source :
         {&layer.W_Q, &layer.W_K, layer.b_Q ? &*layer.b_Q : nullptr, layer.b_K ? &*layer.b_K : nullptr})
      if (source != nullptr) source->headStride = layer.d_h;
  }
  if (map.layers.empty() || map.layers.front().heads == 1) return;
  std::erase_if(map.notes,
                [](const std::string& note) { return note.starts_with("the file does not say how many heads"); });
  map.notes.emplace_back("the number of heads follows from the weights of the sampled places in cross attention");
}

FamilyRule deformable() {
  FamilyRule rule = family("deformable-detr", "Deformable DETR, D-FINE, DEIM", {"deformable_detr", "d_fine", "deim"},
                           {inProjection(Stack::Encoder, "encoder.layers.{layer}.self_attn"),
                            inProjection(Stack::Decoder, "decoder.layers.{layer}.self_attn")});
  rule.needs = {"decoder.layers.{layer}.cross_attn.sampling_offsets.weight"};
  rule.notes = {kPlacesNote, "cross attention samples places of the picture: it has no keys and no W_qk"};
  rule.finish = headsFromPlaces;
  return rule;
}

// The names of torch.nn.Transformer.
FamilyRule torchTransformer() {
  FamilyRule rule = detrFirst();
  rule.key = "torch";
  rule.name = "torch.nn.Transformer";
  rule.modelTypes.clear();
  rule.needs = {"!query_embed.weight"};
  rule.stacks[1].causal = true;
  rule.notes.clear();
  rule.finish = nullptr;
  return rule;
}

FamilyRule torchEncoder() {
  FamilyRule rule = torchTransformer();
  rule.name.clear();
  rule.stacks = {inProjection(Stack::Self, "layers.{layer}.self_attn")};
  rule.needs.clear();
  rule.finish = shownAs("torch.nn.Transformer");
  return rule;
}

}  // namespace

std::vector<FamilyRule> twoStackFamilies() {
  return {whisper(), whisperByType(), whisperFirst(), detr(),       detrByType(),       detrFirst(),   preNormed(),
          bart(),    opt(),           t5(),           deformable(), torchTransformer(), torchEncoder()};
}

}  // namespace sepx::checkpoint::families
