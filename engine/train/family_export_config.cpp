// SPDX-License-Identifier: Apache-2.0
// Builds config.json of a family from the text in its description, with the model's values in the places of "{length}"
// and so on. Also reads from that description what the family's code does.
#include "engine/train/family_export_config.h"

#include "engine/train/family_export_parts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sepx::train {

namespace {

using Json = nlohmann::ordered_json;

const char* activationWord(nn::Activation activation) {
  constexpr std::array<const char*, 4> kWords{"relu", "gelu", "gelu_new", "silu"};
  return kWords[static_cast<std::size_t>(activation)];
}

/// The model's values by their names in descriptions. A field whose value is null is left out.
Json modelValues(const nn::ModelConfig& config) {
  const bool plain = config.ff() > 0 && config.activation != nn::Activation::SwiGlu;
  Json values = Json::object();
  values["vocabulary"] = config.input == nn::Input::Bit ? 2 : config.vocabulary;
  values["length"] = config.length;
  values["image"] = config.image;
  values["channels"] = config.channels;
  values["patch"] = config.patch;
  values["segments"] = std::max(config.segments, 1);
  values["d_model"] = config.d_model;
  values["layers"] = config.layers;
  values["heads"] = config.heads;
  values["kv_heads"] = config.kv();
  values["head_dim"] = config.d_h();
  values["own_head_dim"] = config.d_q() != config.d_model ? Json(config.d_h()) : Json();
  values["d_ff"] = config.ff() == 0 ? FamilyBuilder::kNoFeedForward : config.ff();
  values["activation"] = activationWord(config.activation);
  values["norm_epsilon"] = config.normEpsilon;
  values["rope_base"] = config.ropeBase;
  values["scaled"] = config.scale() != 1;
  values["attention_bias"] = config.attentionBias || config.projectionBias;
  // For a model without a gate the second factor is a constant, stored as a bias.
  values["feed_forward_bias"] = config.ff() > 0 && (config.feedForwardBias || plain);
  values["embedding_dropout"] = config.embeddingDropout;
  values["attention_dropout"] = config.attentionDropout;
  values["residual_dropout"] = config.residualDropout;
  values["tied"] = config.output == nn::Output::Tied;
  return values;
}

bool isFree(const checkpoint::FamilyParts& parts, std::string_view place) {
  return std::string_view(parts.config).find(fmt::format("\"{{{}}}\"", place)) != std::string_view::npos;
}

}  // namespace

Json familyConfig(const checkpoint::FamilyRule& family, const nn::ModelConfig& config) {
  const Json values = modelValues(config), text = Json::parse(family.parts->config);
  Json out = Json::object();
  for (const auto& [key, value] : text.items()) {
    const std::string place = value.is_string() ? value.get<std::string>() : std::string();
    const bool filled = place.starts_with('{');
    const Json& written = filled ? values.at(place.substr(1, place.size() - 2)) : value;
    if (!filled || !written.is_null()) out[key] = written;
  }
  return out;
}

FamilyCode codeOf(const checkpoint::FamilyRule& family) {
  const checkpoint::StackRule& stack = family.stacks.front();
  const checkpoint::FamilyParts& parts = *family.parts;
  FamilyCode code;
  code.name = family.name.substr(0, family.name.find(','));
  code.causal = stack.causal;
  code.rope = stack.rotation != checkpoint::Rotation::None;
  code.norm = stack.rms ? nn::Norm::Rms : nn::Norm::Layer;
  code.placement = stack.normGain.empty() ? nn::Placement::Post : nn::Placement::Pre;
  code.absolutePositions = !family.positionEmbedding.empty() || !parts.patchPositions.empty();
  code.embeddingNorm = !parts.embeddingNorm.empty();
  code.segments = !parts.segments.empty();
  code.gated = parts.gateInUp || !parts.gate.empty();
  code.bareFirstLayer = parts.bareFirstLayer;
  code.finalNorm = !parts.finalNorm.empty();
  code.headTransform = !parts.headTransform.empty();
  code.outputBias = !parts.outputBias.empty();
  code.anyHeadWidth = isFree(parts, "head_dim");
  code.grouped = isFree(parts, "kv_heads");
  code.anyScale = isFree(parts, "scaled");
  code.anyAttentionBias = isFree(parts, "attention_bias");
  code.anyFeedForwardBias = isFree(parts, "feed_forward_bias");
  return code;
}

}  // namespace sepx::train
