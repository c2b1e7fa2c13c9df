// SPDX-License-Identifier: Apache-2.0
// Writes a model as a family's description says. A tensor that the family has and the model lacks is added where the
// function stays exactly the same: zeros for a bias, a second factor that is always 1 for a feed-forward part without a
// gate.
#include "engine/train/family_export_body.h"

#include <utility>

#include "engine/train/family_export.h"
#include "engine/train/family_export_config.h"
#include "engine/train/family_export_parts.h"

namespace sepx::train {

namespace {

using Role = FamilyBuilder::Role;

class Body {
 public:
  Body(const checkpoint::FamilyRule& family, const nn::ModelConfig& config, const nn::ParameterLayout& layout,
       std::span<const float> theta)
      : family_(family),
        parts_(*family.parts),
        stack_(family.stacks.front()),
        config_(config),
        code_(codeOf(family)),
        out_(config, layout, theta, code_),
        attentionBiased_(!code_.anyAttentionBias || config.attentionBias || config.projectionBias) {}

  FamilyExport write() {
    if (parts_.patches.empty()) {
      out_.embedding(name(family_.tokenEmbedding));
      if (code_.absolutePositions) out_.positions(name(family_.positionEmbedding));
    } else {
      out_.images(name(parts_.classToken), name(parts_.patches), name(parts_.patchPositions));
    }
    if (code_.segments) out_.segments(name(parts_.segments));
    if (code_.embeddingNorm) out_.norm(name(parts_.embeddingNorm), Role::EmbeddingNorm);
    for (layer_ = 0; layer_ < config_.layers; ++layer_)
      layer();
    if (code_.finalNorm) out_.norm(name(parts_.finalNorm), Role::FinalNorm);
    if (code_.headTransform) headTransform();
    out_.untiedHead(parts_.head);
    if (code_.outputBias) out_.outputBias(parts_.outputBias);
    return out_.finish(family_.key, familyConfig(family_, config_));
  }

 private:
  /// The full name for a pattern, with prefix and layer number. layerName() gives that of a linear layer or norm for
  /// the pattern of its weight.
  std::string name(const std::string& pattern) const {
    std::string full = parts_.prefix + pattern;
    constexpr std::string_view kLayer = "{layer}";
    if (const std::size_t at = full.find(kLayer); at != std::string::npos)
      full.replace(at, kLayer.size(), std::to_string(layer_));
    return full;
  }
  std::string layerName(std::string weight) const {
    constexpr std::string_view kWeight = ".weight";
    if (weight.ends_with(kWeight)) weight.resize(weight.size() - kWeight.size());
    return name(weight);
  }

  void layer() {
    const bool pre = code_.placement == nn::Placement::Pre;
    if (pre) out_.norm(layerName(stack_.normGain), Role::AttentionNorm, layer_);
    attention();
    if (!pre) out_.norm(name(parts_.attentionNorm), Role::AttentionNorm, layer_);
    if (pre) out_.norm(name(parts_.feedForwardNorm), Role::FeedForwardNorm, layer_);
    feedForward();
    if (!pre) out_.norm(name(parts_.feedForwardNorm), Role::FeedForwardNorm, layer_);
  }

  void attention() {
    const std::string query = layerName(stack_.query);
    switch (stack_.fusion) {
      case checkpoint::Fusion::Separate:
        out_.linear(query, Role::Query, layer_, attentionBiased_);
        out_.keyOrValue(layerName(stack_.key), Role::Key, layer_, attentionBiased_);
        out_.keyOrValue(name(parts_.value), Role::Value, layer_, attentionBiased_);
        break;
      case checkpoint::Fusion::Blocks:
        out_.fused(query, attentionBiased_, layer_, stack_.transposed);
        break;
      case checkpoint::Fusion::PerHead:
        out_.fusedByHead(query, attentionBiased_, layer_);
        break;
    }
    out_.linear(name(parts_.projection), Role::Projection, layer_, attentionBiased_, stack_.transposed);
  }

  void feedForward() {
    const bool gated = config_.activation == nn::Activation::SwiGlu;
    const bool biased = !code_.anyFeedForwardBias || config_.feedForwardBias || (code_.gated && !gated);
    const std::string up = name(parts_.up), down = name(parts_.down);
    if (config_.ff() == 0) return noFeedForward();
    if (parts_.gateInUp) {
      out_.gateAndUp(up, layer_);
    } else if (parts_.gate.empty() || gated) {
      if (!parts_.gate.empty()) out_.linear(name(parts_.gate), Role::Gate, layer_, biased, stack_.transposed);
      out_.linear(up, Role::Up, layer_, biased, stack_.transposed);
    } else {
      // W_1 takes the place of the gate, and "up" is 0 x + 1.
      out_.linear(name(parts_.gate), Role::Up, layer_, biased);
      out_.constant(up + ".weight", {config_.ff(), config_.d_model}, 0);
      out_.constant(up + ".bias", {config_.ff()}, 1);
    }
    out_.linear(down, Role::Down, layer_, biased, stack_.transposed);
  }

  /// Writes a feed-forward part that adds nothing.
  void noFeedForward() {
    const int width = FamilyBuilder::kNoFeedForward, d = config_.d_model;
    const auto zeros = [this](const std::string& linear, int rows, int columns) {
      if (stack_.transposed)
        out_.constant(linear + ".weight", {columns, rows}, 0);
      else
        out_.constant(linear + ".weight", {rows, columns}, 0);
      if (!code_.anyFeedForwardBias) out_.constant(linear + ".bias", {rows}, 0);
    };
    if (!parts_.gate.empty()) zeros(name(parts_.gate), width, d);
    zeros(name(parts_.up), (parts_.gateInUp ? 2 : 1) * width, d);
    zeros(name(parts_.down), d, width);
  }

  /// The transform before the logits. If the model has none, the closest one that the family can express.
  void headTransform() {
    const int d = config_.d_model;
    const std::string &dense = parts_.headTransform, &norm = parts_.headNorm;
    if (config_.headTransform) {
      out_.linear(dense, Role::HeadTransform, -1, true);
      out_.norm(norm, Role::HeadNorm);
      return;
    }
    const auto side = static_cast<std::size_t>(d);
    std::vector<float> unit(side * side, 0.0f);
    for (std::size_t i = 0; i < side; ++i)
      unit[i * side + i] = 1;
    out_.own(dense + ".weight", {d, d}, std::move(unit));
    out_.constant(dense + ".bias", {d}, 0);
    out_.constant(norm + ".weight", {d}, 1);
    out_.constant(norm + ".bias", {d}, 0);
  }

  const checkpoint::FamilyRule& family_;
  const checkpoint::FamilyParts& parts_;
  const checkpoint::StackRule& stack_;
  const nn::ModelConfig& config_;
  FamilyCode code_;
  FamilyBuilder out_;
  bool attentionBiased_;
  int layer_ = 0;
};

}  // namespace

FamilyExport exportAs(const checkpoint::FamilyRule& family, const nn::ModelConfig& config,
                      const nn::ParameterLayout& layout, std::span<const float> theta) {
  return Body(family, config, layout, theta).write();
}

}  // namespace sepx::train
