// SPDX-License-Identifier: Apache-2.0
// The order of the parameters follows the computation: embedding first, output last. W_Q, W_K, W_V and their biases are
// adjacent, and so are W_1 and the gate, so that one product computes a fused row. Any thread.
#include "engine/nn/parameters.h"

#include <algorithm>

namespace sepx::nn {

namespace {

using Kind = ParameterKind;
using Role = ParameterRole;

class LayoutWriter {
 public:
  LayoutWriter(const ModelConfig& config, std::vector<Parameter>& out) : config_(config), out_(out) {}

  void add(std::string name, Kind kind, Role role, int layer, int rows, int columns) {
    out_.push_back({std::move(name), kind, role, layer, rows, columns, size_});
    size_ += out_.back().size();
  }
  void norm(const std::string& name, Role role, int layer = -1) {
    if (config_.norm == Norm::None) return;
    add(name + ".gain", Kind::NormGain, role, layer, config_.d_model, 1);
    if (config_.norm == Norm::Layer && config_.normBias)
      add(name + ".bias", Kind::NormBias, role, layer, config_.d_model, 1);
  }
  void start() {
    const int d = config_.d_model;
    if (config_.readsImages()) {
      add("class_token.weight", Kind::Embedding, Role::ClassToken, -1, 1, d);
      add("patches.weight", Kind::Weight, Role::PatchProjection, -1, d, config_.patchValues());
      add("patches.bias", Kind::Bias, Role::PatchProjection, -1, d, 1);
    } else {
      const int rows = config_.input == Input::Bit ? 1 : config_.vocabulary;
      add("embedding.weight", Kind::Embedding, Role::Embedding, -1, rows, d);
    }
    if (config_.positions == Positions::Learned)
      add("positions.weight", Kind::Position, Role::Position, -1, config_.length, d);
    if (config_.segments > 0) add("segments.weight", Kind::Segment, Role::Segment, -1, config_.segments, d);
    if (config_.embeddingNorm) norm("embedding_norm", Role::EmbeddingNorm);
  }
  void block(int layer) {
    const std::string in = "layers." + std::to_string(layer) + ".";
    const bool pre = config_.placement == Placement::Pre;
    if (pre) norm(in + "attention_norm", Role::AttentionNorm, layer);
    attention(in + "attention.", layer);
    if (!pre) norm(in + "attention_norm", Role::AttentionNorm, layer);
    if (config_.ff() == 0) return;
    if (pre) norm(in + "feed_forward_norm", Role::FeedForwardNorm, layer);
    feedForward(in + "feed_forward.", layer);
    if (!pre) norm(in + "feed_forward_norm", Role::FeedForwardNorm, layer);
  }
  void head() {
    const int d = config_.d_model;
    if (config_.finalNorm) norm("final_norm", Role::FinalNorm);
    if (config_.headTransform) {
      add("head.weight", Kind::Weight, Role::HeadTransform, -1, d, d);
      add("head.bias", Kind::Bias, Role::HeadTransform, -1, d, 1);
      norm("head_norm", Role::HeadNorm);
    }
    if (config_.output == Output::Untied) add("output.weight", Kind::Embedding, Role::Output, -1, config_.logits(), d);
    if (config_.outputBias) add("output.bias", Kind::Bias, Role::OutputBias, -1, config_.logits(), 1);
  }
  std::size_t size() const { return size_; }

 private:
  void attention(const std::string& in, int layer) {
    const int d = config_.d_model, q = config_.d_q(), kv = config_.kv() * config_.d_h();
    add(in + "W_Q.weight", Kind::Weight, Role::Query, layer, q, d);
    add(in + "W_K.weight", Kind::Weight, Role::Key, layer, kv, d);
    add(in + "W_V.weight", Kind::Weight, Role::Value, layer, kv, d);
    if (config_.attentionBias) {
      add(in + "W_Q.bias", Kind::Bias, Role::Query, layer, q, 1);
      add(in + "W_K.bias", Kind::Bias, Role::Key, layer, kv, 1);
      add(in + "W_V.bias", Kind::Bias, Role::Value, layer, kv, 1);
    }
    add(in + "W_O.weight", Kind::Weight, Role::Projection, layer, d, q);
    if (config_.projectionBias) add(in + "W_O.bias", Kind::Bias, Role::Projection, layer, d, 1);
  }
  void feedForward(const std::string& in, int layer) {
    const int d = config_.d_model, ff = config_.ff();
    const bool gated = config_.activation == Activation::SwiGlu;
    add(in + "W_1.weight", Kind::Weight, Role::Up, layer, ff, d);
    if (gated) add(in + "W_gate.weight", Kind::Weight, Role::Gate, layer, ff, d);
    if (config_.feedForwardBias) {
      add(in + "W_1.bias", Kind::Bias, Role::Up, layer, ff, 1);
      if (gated) add(in + "W_gate.bias", Kind::Bias, Role::Gate, layer, ff, 1);
    }
    add(in + "W_2.weight", Kind::Weight, Role::Down, layer, d, ff);
    if (config_.feedForwardBias) add(in + "W_2.bias", Kind::Bias, Role::Down, layer, d, 1);
  }

  const ModelConfig& config_;
  std::vector<Parameter>& out_;
  std::size_t size_ = 0;
};

}  // namespace

ParameterLayout::ParameterLayout(const ModelConfig& config) {
  LayoutWriter writer(config, parameters_);
  writer.start();
  for (int layer = 0; layer < config.layers; ++layer)
    writer.block(layer);
  writer.head();
  size_ = writer.size();
}

const Parameter* ParameterLayout::find(ParameterRole role, ParameterKind kind, int layer) const {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) {
    return p.role == role && p.kind == kind && p.layer == layer;
  });
  return found == parameters_.end() ? nullptr : &*found;
}

const Parameter* ParameterLayout::find(std::string_view name) const {
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; });
  return found == parameters_.end() ? nullptr : &*found;
}

}  // namespace sepx::nn
