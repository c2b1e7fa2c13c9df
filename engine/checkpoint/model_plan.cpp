// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/model_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/checkpoint/family_apply.h"
#include "engine/checkpoint/family_guess.h"
#include "engine/checkpoint/plan_block.h"
#include "engine/checkpoint/plan_image.h"
#include "engine/checkpoint/plan_own.h"
#include "engine/checkpoint/plan_rope.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

// Beginning of the map's note that each layer was taken as one head (family_apply.cpp).
constexpr std::string_view kHeadsUnknown = "the file does not say how many heads";
/// Beginning of recognisedBy if a user's rule made the map (attention_map.cpp).
constexpr std::string_view kByPerson = "the rule \"";
constexpr std::int64_t kMostPositions = std::int64_t{1} << 24;

// The rule whose names the map's queries have: that of the map's key, else any whose parts are known.
const FamilyRule* ruleOf(const Checkpoint& checkpoint, const AttentionMap& map) {
  const FamilyRule* other = nullptr;
  for (const FamilyRule& rule : allFamilies()) {
    if (!rule.parts || PlanNames(checkpoint, rule).placeOf(map.layers.front()).stack == nullptr) continue;
    const ProjectionSource& W_Q = map.layers.front().W_Q;
    if (rule.stacks.front().transposed != W_Q.transposed || rule.stacks.front().perHead != W_Q.perHead) continue;
    if (rule.key == map.family || (rule.key == "gguf" && checkpoint.format() == Format::Gguf)) return &rule;
    if (other == nullptr && rule.byNames) other = &rule;
  }
  return other;
}

// A user's rule gives the heads and the embedding, but not the particulars of the family whose names it uses.
AttentionMap withFamilyDetails(const FamilyRule& family, const Checkpoint& checkpoint, const AttentionMap& map) {
  if (!map.recognisedBy.starts_with(kByPerson)) return map;
  FamilyRule rule = family;
  rule.heads = map.layers.front().heads;
  rule.kvHeads = map.layers.front().kvHeads;
  rule.insteadOf = headsOfConfig(checkpoint);
  Attempt attempt = applyRule(checkpoint, NameIndex(checkpoint), ModelConfig(checkpoint), rule);
  if (!attempt.why.empty() || attempt.map.layers.empty()) return map;
  if (!map.tokenEmbedding.empty()) attempt.map.tokenEmbedding = map.tokenEmbedding;
  attempt.map.recognisedBy = map.recognisedBy;
  return std::move(attempt.map);
}

std::string agreementOf(const std::string& family, const std::string& type) {
#define AGREES(key, compared, figure) \
  if (family == (key) && (type.empty() || type == (compared))) return "compared with an independent one, " figure;
#include "engine/checkpoint/forward_agreement.inc"
#undef AGREES
  return {};
}

std::optional<FeedForwardActivation> activationNamed(std::string_view word) {
  using enum FeedForwardActivation;
  constexpr std::pair<std::string_view, FeedForwardActivation> kWords[] = {
      {"relu", Relu},           {"relu2", ReluSquared},      {"gelu", GeluErf},
      {"gelu_python", GeluErf}, {"gelu_new", GeluTanh},      {"gelu_fast", GeluTanh},
      {"silu", Silu},           {"gelu_accurate", GeluTanh}, {"gelu_pytorch_tanh", GeluTanh},
      {"swish", Silu},          {"quick_gelu", QuickGelu},   {"swiglu", Silu},
      {"geglu", GeluErf},       {"gelu_tanh", GeluTanh}};
  for (const auto& [name, activation] : kWords)
    if (name == word) return activation;
  return std::nullopt;
}

class Planner {
 public:
  Planner(const Checkpoint& checkpoint, AttentionMap map, const FamilyRule& rule)
      : checkpoint_(checkpoint),
        map_(std::move(map)),
        rule_(rule),
        parts_(*rule.parts),
        config_(checkpoint),
        names_(checkpoint, rule) {}

  Result<ModelPlan> plan() {
    if (parts_.adapt) parts_.adapt(checkpoint_, config_, parts_);
    chooseStack();
    SEPX_ASSIGN(own_, ownModelOf(checkpoint_));
    if (own_) SEPX_TRY(applyRunConfig());
    SEPX_TRY(chooseKind());
    SEPX_TRY(parts_.patches.empty() ? tokens() : image());
    SEPX_TRY(blocks());
    SEPX_TRY(head());
    lengths();
    if (parts_.compute) SEPX_TRY(parts_.compute(checkpoint_, config_, plan_));
    if (own_) applyOwn(*own_, plan_);
    // A model with deviations of a run is not the family's.
    if (own_ && checkpoint_.config().contains("separatrix_deviation")) return std::move(plan_);
    if (isRelative()) {
      plan_.notes.push_back(fmt::format("{} says model_type {}, which is computed as {}", config_.from(),
                                        excerpt(config_.modelType(), 40), title()));
    } else {
      plan_.agreement = agreementOf(map_.family, config_.modelType());
    }
    return std::move(plan_);
  }

 private:
  PlanNames::Place first() const { return names_.placeOf(layers_.front()); }
  std::string title() const { return map_.familyName.empty() ? std::string("the model") : map_.familyName; }

  // Whether the rule does not know the type and matched by names alone: the model may be computed differently.
  bool isRelative() const {
    return !config_.isGguf() && !config_.modelType().empty() && !rule_.modelTypes.empty() &&
           std::ranges::none_of(config_.modelTypes(), [this](const std::string& type) {
             return std::ranges::find(rule_.modelTypes, type) != rule_.modelTypes.end();
           });
  }

  // Chooses one stack: the encoder, if there are an encoder and a decoder.
  void chooseStack() {
    const Stack stack = map_.layers.front().stack;
    for (const AttentionLayer& layer : map_.layers)
      if (layer.stack == stack) layers_.push_back(layer);
    if (layers_.size() != map_.layers.size())
      plan_.missing.push_back(
          fmt::format("only the {} of a model with an encoder and a decoder is computed", toString(stack)));
    plan_.d_model = layers_.front().d_model;
    plan_.causal = layers_.front().causal;
  }

  // If the family's norms have no bias, the biases of the run are stored under names of their own.
  void addOwnBias(const PlanNames::Place& place, const char* name, std::optional<NormSource>& norm) const {
    if (!own_ || !norm || !norm->bias.empty()) return;
    const TensorInfo* bias = names_.find(place, name);
    const TensorInfo* gain = checkpoint_.find(norm->gain);
    if (bias != nullptr && gain != nullptr && bias->values() == gain->values()) norm->bias = bias->name;
  }

  // A run's own config overrides the family's conventions.
  Result<void> applyRunConfig() {
    const PlanNames::Place place = first();
    if (place.stack == nullptr || place.stack->perHead) return {};
    const std::string norm = adaptToRunConfig(*own_, place.stack->normGain, parts_);
    const NormKind kind{own_->rms ? NormSource::Kind::Rms : NormSource::Kind::Layer, own_->epsilon, false};
    for (AttentionLayer& layer : layers_) {
      applyOwn(*own_, layer);
      const PlanNames::Place at = names_.placeOf(layer);
      layer.norm = names_.norm(at, norm, layer.d_model, kind);
      addOwnBias(at, "layers.{layer}.attention_norm.bias", layer.norm);
    }
    plan_.causal = own_->causal;
    if (!own_->positionTable || !rule_.positionEmbedding.empty() || !parts_.patchPositions.empty()) return {};
    if (own_->sinusoidal)
      return fail(ErrorKind::BadInput,
                  "sinusoidal positions are not in this file, and computing them is not supported");
    return {};
  }

  Result<void> chooseKind() {
    const AttentionLayer& layer = layers_.front();
    const PlanNames::Place place = first();
    const bool rms = place.stack != nullptr && place.stack->rms;
    kind_.norm.kind = layer.norm ? layer.norm->kind : rms ? NormSource::Kind::Rms : NormSource::Kind::Layer;
    if (parts_.norm) kind_.norm.kind = *parts_.norm;
    kind_.norm.onePlusGain = place.stack != nullptr && place.stack->onePlusGain;
    const auto epsilon = config_.normEpsilon();
    kind_.epsilonKnown = !epsilon && parts_.epsilon > 0;
    kind_.norm.epsilon = epsilon                             ? *epsilon
                         : parts_.epsilon > 0                ? parts_.epsilon
                         : layer.norm && !kind_.epsilonKnown ? layer.norm->epsilon
                         : rms                               ? 1e-6
                                                             : 1e-5;
    if (own_) kind_.norm = {own_->rms ? NormSource::Kind::Rms : NormSource::Kind::Layer, own_->epsilon, false};
    return chooseActivation();
  }

  Result<void> chooseActivation() {
    kind_.activation = parts_.activation;
    if (parts_.ownActivation) return {};
    for (const char* key : {"hidden_activation", "hidden_act", "activation_function", "activation", "afn",
                            "feed_forward_proj", "dense_act_fn", "activation_type", "n_activation"}) {
      std::string said = config_.text(key);
      if (said.starts_with("gated-")) said.erase(0, 6);
      if (said.empty()) continue;
      const auto activation = activationNamed(said);
      if (!activation)
        return fail(ErrorKind::BadInput, fmt::format("{} says {} \"{}\", an activation that is not supported",
                                                     config_.from(), key, excerpt(said, 40)));
      kind_.activation = *activation;
      return {};
    }
    return {};
  }

  Result<void> tokens() {
    plan_.tokenEmbedding = map_.tokenEmbedding;
    if (plan_.tokenEmbedding.empty()) narrowEmbedding();
    if (plan_.tokenEmbedding.empty()) embeddingOfHead();
    if (plan_.tokenEmbedding.empty())
      return fail(ErrorKind::BadInput,
                  fmt::format("{} has no token embedding ({}): a sentence cannot be read", checkpoint_.name(),
                              rule_.tokenEmbedding.empty() ? title() + " has none" : rule_.tokenEmbedding));
    const auto shape = matrixShape(*checkpoint_.find(plan_.tokenEmbedding));
    if (!shape) return fail(ErrorKind::BadInput, plan_.tokenEmbedding + " is not a table of tokens");
    plan_.vocabulary = (*shape)[0];
    SEPX_TRY(positions());
    if (const TensorInfo* table = names_.find(first(), parts_.segments)) {
      const auto rows = matrixShape(*table);
      if (!rows || (*rows)[1] != width())
        return fail(ErrorKind::BadInput, fmt::format("{} is not {} wide", table->name, width()));
      plan_.segments = table->name;
    }
    return embeddingNorm(width());
  }

  std::int64_t width() const { return (*matrixShape(*checkpoint_.find(plan_.tokenEmbedding)))[1]; }

  // ALBERT, ELECTRA, OPT 350M: a linear layer widens the embedding.
  void narrowEmbedding() {
    const TensorInfo* table = names_.find(first(), rule_.tokenEmbedding);
    const auto projection = names_.linear(first(), parts_.embeddingProjection, false);
    if (table == nullptr || !projection) return;
    const auto shape = matrixShape(*table);
    if (!shape || (*shape)[1] != projection->in || projection->out != plan_.d_model) return;
    plan_.tokenEmbedding = table->name;
    plan_.embeddingProjection = *projection;
  }

  // A file of a tied model may keep the head in place of the embedding.
  void embeddingOfHead() {
    const TensorInfo* table = names_.find(first(), parts_.head);
    if (table == nullptr || config_.flag("tie_word_embeddings") != true) return;
    const auto shape = matrixShape(*table);
    if (!shape || (*shape)[1] != plan_.d_model) return;
    plan_.tokenEmbedding = table->name;
    plan_.notes.push_back(fmt::format(
        "{} is the token embedding: the config says that the embedding and the output are tied", table->name));
  }

  Result<void> positions() {
    const TensorInfo* table = checkpoint_.find(map_.positionEmbedding);
    if (table == nullptr) table = names_.find(first(), rule_.positionEmbedding);
    if (table != nullptr) {
      plan_.positionOffset = map_.positionEmbedding.empty() ? rule_.positionOffset : map_.positionOffset;
    } else if (const TensorInfo* own = own_ && own_->positionTable ? checkpoint_.find("positions.weight") : nullptr) {
      table = own;
    } else if (!rule_.positionEmbedding.empty() && !layers_.front().rope) {
      return fail(ErrorKind::BadInput, fmt::format("{} has no position embedding ({}): a sentence cannot be read",
                                                   checkpoint_.name(), rule_.positionEmbedding));
    }
    if (table == nullptr) return {};
    const auto shape = matrixShape(*table);
    // If a narrow token embedding is widened, the position embedding may be added after that.
    const std::int64_t wide = map_.positionEmbedding.empty() ? width() : plan_.d_model;
    if (!shape || (*shape)[1] != wide)
      return fail(ErrorKind::BadInput, fmt::format("{} is not a table of positions {} wide", table->name, wide));
    plan_.positionEmbedding = table->name;
    return {};
  }

  Result<void> embeddingNorm(std::int64_t wide) {
    if (parts_.embeddingNorm.empty()) return {};
    plan_.embeddingNorm = names_.norm(first(), parts_.embeddingNorm, wide, kind_.norm);
    if (plan_.embeddingNorm) return {};
    return fail(ErrorKind::BadInput,
                fmt::format("{} has no {}: a sentence cannot be read", checkpoint_.name(), parts_.embeddingNorm));
  }

  Result<void> image();

  Result<void> blocks() {
    for (const AttentionLayer& layer : layers_) {
      Result<BlockFound> found = blockOf(checkpoint_, names_, parts_, kind_, layer);
      if (!found && plan_.blocks.empty()) return tl::unexpected(std::move(found).error());
      if (!found) {
        plan_.missing.push_back(std::move(found).error().message);
        return {};
      }
      BlockPlan& block = plan_.blocks.emplace_back(std::move(found->block));
      addOwnBias(names_.placeOf(layer), "layers.{layer}.attention_norm.bias", block.attentionAfter);
      for (std::optional<NormSource>* norm : {&block.feedForwardNorm, &block.feedForwardAfter})
        addOwnBias(names_.placeOf(layer), "layers.{layer}.feed_forward_norm.bias", *norm);
      if (block.attention.rope) SEPX_TRY(stretch(block));
      if (found->lacks.empty()) continue;
      plan_.missing.push_back(
          layer.layer == 0
              ? fmt::format("{} in this file: only the attention of layer 0 is available", found->lacks)
              : fmt::format("{} of layer {} in this file: only the layers before it and its attention are available",
                            found->lacks, layer.layer));
      return {};
    }
    return {};
  }

  Result<void> stretch(BlockPlan& block) {
    SEPX_ASSIGN(RopeStretch made, ropeStretch(checkpoint_, config_, *block.attention.rope));
    block.ropeScaling = std::move(made.scaling);
    if (block.attention.layer != 0) return {};
    longest_ = made.longest;
    if (!made.note.empty()) plan_.notes.push_back(made.note);
    return {};
  }

  // There are logits only if every block is complete.
  Result<void> head();
  bool maskedHead(HeadPlan& made);
  bool logitsOf(HeadPlan& made);

  void lengths() {
    if (plan_.image) return;
    std::int64_t most = 0;
    if (!plan_.positionEmbedding.empty()) {
      most = (*matrixShape(*checkpoint_.find(plan_.positionEmbedding)))[0] - plan_.positionOffset;
    } else {
      most = config_
                 .integer({"max_position_embeddings", "context_length", "n_positions", "n_ctx", "max_seq_len",
                           "max_sequence_length", "seq_length"})
                 .value_or(0);
    }
    if (most < 0 || most > kMostPositions) most = 0;
    if (longest_ > 0) most = most > 0 ? std::min(most, longest_) : longest_;
    plan_.positions = most;
  }

  const Checkpoint& checkpoint_;
  AttentionMap map_;
  const FamilyRule& rule_;
  FamilyParts parts_;
  ModelConfig config_;
  PlanNames names_;
  std::vector<AttentionLayer> layers_;
  std::optional<OwnModel> own_;
  BlockKind kind_;
  std::int64_t longest_ = 0;
  ModelPlan plan_;
};

Result<void> Planner::image() {
  SEPX_ASSIGN(plan_.image, imageOf(checkpoint_, names_, parts_, first(), plan_.d_model, kind_.norm));
  if (own_ && own_->segments > 0)
    return fail(ErrorKind::BadInput, "segments are not supported in a model that reads images");
  return embeddingNorm(plan_.d_model);
}

Result<void> Planner::head() {
  if (plan_.blocks.size() != layers_.size() || layers_.size() != map_.layers.size() || !plan_.missing.empty())
    return {};
  HeadPlan made;
  made.masked = !plan_.causal;
  if (!parts_.finalNorm.empty()) {
    made.finalNorm = names_.norm(first(), parts_.finalNorm, plan_.d_model, kind_.norm);
    addOwnBias(first(), "final_norm.bias", made.finalNorm);
    if (!made.finalNorm) {
      plan_.missing.push_back(fmt::format("there is no {} in this file: no predictions", parts_.finalNorm));
      return {};
    }
  } else if (parts_.normsWithoutWeights) {
    made.finalNorm = NormSource{kind_.norm.kind, {}, {}, kind_.norm.epsilon, false};
  }
  if (maskedHead(made) && logitsOf(made)) plan_.head = std::move(made);
  return {};
}

bool Planner::maskedHead(HeadPlan& made) {
  if (parts_.headTransform.empty()) return true;
  made.transform = names_.linear(first(), parts_.headTransform, false);
  made.transformActivation = kind_.activation;
  if (!made.transform) {
    plan_.missing.push_back(
        fmt::format("there is no {} in this file: it has no head that predicts tokens", parts_.headTransform));
    return false;
  }
  if (!parts_.headNorm.empty())
    made.transformNorm = names_.norm(first(), parts_.headNorm, made.transform->out, kind_.norm);
  return true;
}

bool Planner::logitsOf(HeadPlan& made) {
  const TensorInfo* own = names_.find(first(), parts_.head);
  const bool untied = parts_.separateHead || plan_.image || config_.flag("tie_word_embeddings") == false;
  if (own == nullptr && untied && !parts_.head.empty()) {
    plan_.missing.push_back(fmt::format("there is no {} in this file: no predictions", parts_.head));
    return false;
  }
  const std::string table = own != nullptr ? own->name : plan_.tokenEmbedding;
  const TensorInfo* tensor = checkpoint_.find(table);
  const auto shape = tensor == nullptr ? std::nullopt : matrixShape(*tensor);
  const std::int64_t in = made.transform ? made.transform->out : std::int64_t{plan_.d_model};
  if (!shape || (*shape)[1] != in) {
    plan_.missing.push_back(fmt::format("{} does not take the {} values of the last layer: no predictions", table, in));
    return false;
  }
  made.logits.tensor = table;
  made.logits.out = (*shape)[0];
  made.logits.in = in;
  for (const std::string& name : parts_.outputBias) {
    const TensorInfo* bias = names_.find(first(), name);
    if (bias == nullptr || bias->values() != static_cast<std::uint64_t>(made.logits.out)) continue;
    made.outputBias = bias->name;
    break;
  }
  if (!own_ || !own_->outputBias || !made.outputBias.empty()) return true;
  plan_.missing.emplace_back("the bias of the logits does not fit the rows of the head: no predictions");
  return false;
}

}  // namespace

Result<ModelPlan> planModel(const Checkpoint& checkpoint, const AttentionMap& map) {
  if (map.layers.empty())
    return fail(ErrorKind::BadInput,
                map.noQkReason.empty() ? std::string("no attention is recognised") : map.noQkReason);
  if (std::ranges::any_of(map.notes, [](const std::string& note) { return note.starts_with(kHeadsUnknown); }))
    return fail(ErrorKind::BadInput,
                "the file does not say how many heads there are: set the number on the page Mapping, "
                "and the whole model can be computed");
  const FamilyRule* rule = ruleOf(checkpoint, map);
  if (rule == nullptr)
    return fail(ErrorKind::BadInput,
                fmt::format("computing a whole model of the family {} is not supported: its attention can be viewed, "
                            "but a sentence cannot be read",
                            map.familyName.empty() ? map.family : map.familyName));
  const bool rotary =
      std::ranges::any_of(map.layers, [](const AttentionLayer& layer) { return layer.rope.has_value(); });
  if (const std::string odd = ModelConfig(checkpoint).oddValue(rotary); !odd.empty())
    return fail(ErrorKind::BadInput, odd);
  auto plan = Planner(checkpoint, withFamilyDetails(*rule, checkpoint, map), *rule).plan();
  if (plan) return plan;
  // The message may contain tensor names.
  return fail(plan.error().kind, printableSentence(plan.error().message));
}

}  // namespace sepx::checkpoint
