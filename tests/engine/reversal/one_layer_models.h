// SPDX-License-Identifier: Apache-2.0
// Small models of one layer for the tests of engine/reversal: one for each difference from the paper's layer.
#pragma once

#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/data/pairs.h"
#include "engine/nn/transformer.h"

namespace sepx::test {

struct NamedModel {
  std::string name;
  nn::ModelConfig config;
};

inline nn::ModelConfig pairModel() {
  nn::ModelConfig config;
  config.vocabulary = data::kPairVocabulary;
  config.length = 7;
  config.d_model = 8;
  config.causal = false;
  config.output = nn::Output::Untied;
  config.outputBias = true;
  config.positions = nn::Positions::Rope;
  return config;
}

inline std::vector<NamedModel> oneLayerModels() {
  std::vector<NamedModel> all;
  const auto add = [&all](const std::string& name, auto&& change) {
    nn::ModelConfig config = pairModel();
    change(config);
    all.push_back({name, config});
  };
  using nn::ModelConfig, nn::Norm, nn::Positions;
  add("RoPE", [](ModelConfig&) {});
  add("ALiBi", [](ModelConfig& c) { c.positions = Positions::Alibi, c.alibiSlope = 0.3; });
  add("ALiBi of one head's slope", [](ModelConfig& c) { c.positions = Positions::Alibi; });
  add("signed ALiBi", [](ModelConfig& c) { c.positions = Positions::Alibi, c.alibiSlope = 0.2, c.alibiSigned = true; });
  add("learned, causal, tied",
      [](ModelConfig& c) { c.positions = Positions::Learned, c.causal = true, c.output = nn::Output::Tied; });
  add("sinusoidal, RMS", [](ModelConfig& c) { c.positions = Positions::Sinusoidal, c.norm = Norm::Rms; });
  add("no positions, no norm", [](ModelConfig& c) { c.positions = Positions::None, c.norm = Norm::None; });
  add("no feed-forward part, no last norm", [](ModelConfig& c) { c.d_ff = 0, c.finalNorm = false; });
  add("SwiGLU, norm of the embedding, segments",
      [](ModelConfig& c) { c.activation = nn::Activation::SwiGlu, c.embeddingNorm = true, c.segments = 2; });
  add("narrow head, own scale", [](ModelConfig& c) { c.headDim = 6, c.attentionScale = 0.9; });
  add("no residual stream", [](ModelConfig& c) { c.residual = false, c.d_ff = 0; });
  return all;
}

/// The paper's layer: attention applied to the embedding, without other parts.
inline nn::ModelConfig bareModel(nn::Positions positions) {
  nn::ModelConfig config = pairModel();
  config.positions = positions;
  config.norm = nn::Norm::None;
  config.residual = false;
  config.d_ff = 0;
  config.attentionBias = config.projectionBias = config.outputBias = false;
  return config;
}

/// Parameters N(0, scale^2), gains N(1, scale^2). The values are float, so that models of float and double are the
/// same.
inline std::vector<float> fillPairModel(nn::Transformer<double>& model, std::uint64_t seed, double scale = 0.5) {
  RandomStream random(seed, 3);
  std::vector<float> theta(model.layout().size());
  for (const nn::Parameter& p : model.layout().all())
    for (std::size_t i = p.offset; i < p.offset + p.size(); ++i)
      theta[i] = static_cast<float>((p.kind == nn::ParameterKind::NormGain ? 1 : 0) + scale * random.normal());
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  return theta;
}

}  // namespace sepx::test
