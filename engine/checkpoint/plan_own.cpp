// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/plan_own.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* kPlace = "config.json, separatrix.model";

// The fields of one object; the name of the last invalid one is kept for the error message.
class OwnFields {
 public:
  explicit OwnFields(const json& object) : object_(object) {}

  bool flag(const char* key, bool otherwise) {
    const json* found = at(key);
    if (found == nullptr) return otherwise;
    if (!found->is_boolean()) wrong_ = key;
    return found->is_boolean() ? found->get<bool>() : otherwise;
  }
  double number(const char* key, double otherwise) {
    const json* found = at(key);
    if (found == nullptr) return otherwise;
    const double value = found->is_number() ? found->get<double>() : -1;
    if (value >= -1 && value <= 1e9 && found->is_number()) return value;
    wrong_ = key;
    return otherwise;
  }
  std::string word(const char* key, const char* otherwise) {
    const json* found = at(key);
    if (found == nullptr) return otherwise;
    if (!found->is_string()) wrong_ = key;
    return found->is_string() ? found->get<std::string>() : std::string();
  }
  /// Empty: all fields were valid.
  const std::string& wrong() const { return wrong_; }
  void refuse(const char* key) { wrong_ = key; }

 private:
  const json* at(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  const json& object_;
  std::string wrong_;
};

Result<void> refuseOdd(OwnFields& fields) {
  if (fields.word("attention", "softmax") == "linear")
    return fail(ErrorKind::BadInput, "a model whose attention has no softmax (attention linear) is not supported");
  if (!fields.flag("residual", true))
    return fail(ErrorKind::BadInput,
                "a model whose branches are not added to the stream (residual false) is not supported");
  return {};
}

void readPositions(OwnFields& fields, OwnModel& model) {
  const std::string positions = fields.word("positions", "learned");
  model.alibi = positions == "alibi";
  model.rope = positions == "rope";
  model.sinusoidal = positions == "sinusoidal";
  model.positionTable = positions == "learned" || model.sinusoidal;
  if (!model.alibi && !model.rope && !model.positionTable && positions != "none") fields.refuse("positions");
  model.alibiSlope = fields.number("alibi_slope", 0);
  model.signedDistances = fields.flag("alibi_signed", false);
  model.ropeBase = fields.number("rope_base", 10000);
}

void readNorms(OwnFields& fields, OwnModel& model) {
  const std::string norm = fields.word("norm", "layer"), placement = fields.word("placement", "pre");
  model.norms = norm != "none";
  model.rms = norm == "rms";
  model.pre = placement == "pre";
  if (model.norms && !model.rms && norm != "layer") fields.refuse("norm");
  if (!model.pre && placement != "post") fields.refuse("placement");
  model.embeddingNorm = model.norms && fields.flag("embedding_norm", false);
  model.finalNorm = model.norms && fields.flag("final_norm", true);
  model.epsilon = fields.number("norm_epsilon", 1e-5);
}

void readActivation(OwnFields& fields, OwnModel& model) {
  using enum FeedForwardActivation;
  const std::string activation = fields.word("activation", "gelu_tanh");
  model.gated = activation == "swiglu";
  model.activation = activation == "relu" ? Relu : activation == "gelu_erf" ? GeluErf : model.gated ? Silu : GeluTanh;
  if (model.activation == GeluTanh && activation != "gelu_tanh") fields.refuse("activation");
}

}  // namespace

Result<std::optional<OwnModel>> ownModelOf(const Checkpoint& checkpoint) {
  const json& config = checkpoint.config();
  if (!config.is_object() || !config.contains("separatrix")) return std::optional<OwnModel>{};
  const json& run = config["separatrix"];
  if (!run.is_object() || !run.contains("model") || !run["model"].is_object()) return std::optional<OwnModel>{};
  OwnFields fields(run["model"]);
  SEPX_TRY(refuseOdd(fields));
  OwnModel model;
  readPositions(fields, model);
  readNorms(fields, model);
  readActivation(fields, model);
  model.causal = fields.flag("causal", true);
  model.scale = fields.number("attention_scale", 0);
  model.feedForward = fields.number("d_ff", -1) != 0;
  model.headTransform = fields.flag("head_transform", false);
  model.outputBias = fields.flag("output_bias", false);
  model.bit = fields.word("input", "table") == "bit";
  model.segments = static_cast<int>(fields.number("segments", 0));
  if (!fields.wrong().empty())
    return fail(ErrorKind::BadInput, fmt::format("{}: {} has an invalid value", kPlace, fields.wrong()));
  return std::optional(model);
}

std::string adaptToRunConfig(const OwnModel& model, const std::string& normGain, FamilyParts& parts) {
  std::string before = normGain;
  if (before.ends_with(".weight")) before.resize(before.size() - std::string_view(".weight").size());
  std::string attentionNorm = before.empty() ? parts.attentionNorm : before;
  if (!model.norms) attentionNorm.clear();
  parts.attentionNorm = model.pre ? std::string() : attentionNorm;
  if (!model.norms || !model.feedForward) parts.feedForwardNorm.clear();
  parts.bareLayers = true;  // norms that are not in the file do not exist
  const auto settle = [](bool has, std::string& name, const char* own) {
    if (!has) name.clear();
    if (has && name.empty()) name = own;
  };
  settle(model.embeddingNorm, parts.embeddingNorm, "embedding_norm");
  settle(model.finalNorm, parts.finalNorm, "final_norm");
  settle(model.headTransform, parts.headTransform, "head");
  settle(model.headTransform && model.norms, parts.headNorm, "head_norm");
  if (model.segments > 0 && parts.segments.empty()) parts.segments = "segments.weight";
  if (!model.outputBias) parts.outputBias.clear();
  if (model.outputBias && parts.outputBias.empty()) parts.outputBias = {"output.bias"};
  if (model.gated && parts.gate.empty() && !parts.gateInUp) {
    parts.gate = "layers.{layer}.feed_forward.W_gate";
    parts.plainGate = true;
  }
  parts.activation = model.activation;
  parts.ownActivation = true;
  parts.parallel = false;
  return model.pre ? attentionNorm : std::string();
}

void applyOwn(const OwnModel& model, AttentionLayer& layer) {
  layer.causal = model.causal;
  layer.scale = model.scale > 0 ? model.scale : 1 / std::sqrt(static_cast<double>(layer.d_h));
  layer.rope.reset();
  if (model.rope) layer.rope = RopeSource{model.ropeBase, layer.d_h - layer.d_h % 2, false};
}

void applyOwn(const OwnModel& model, ModelPlan& plan) {
  plan.causal = model.causal;
  if (plan.head) plan.head->masked = !model.causal;
  if (!model.alibi) return;
  for (BlockPlan& block : plan.blocks) {
    const int heads = block.attention.heads;
    block.score.slopes.clear();
    block.score.slopesSigned = model.signedDistances;
    for (int head = 1; head <= heads; ++head)
      block.score.slopes.push_back(model.alibiSlope > 0 ? model.alibiSlope : std::exp2(-8.0 * head / heads));
  }
}

}  // namespace sepx::checkpoint
