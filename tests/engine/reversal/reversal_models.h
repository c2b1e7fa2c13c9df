// SPDX-License-Identifier: Apache-2.0
// Small models that read the tokens of letter pairs, and random parameters for them.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/core/random.h"
#include "engine/data/pairs.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"
#include "engine/nn/transformer.h"

namespace sepx::test {

inline nn::ModelConfig smallPairsModel(nn::Positions positions, int length = 6) {
  nn::ModelConfig config;
  config.vocabulary = data::kPairVocabulary;
  config.length = length;
  config.layers = 1;
  config.d_model = 16;
  config.heads = 1;
  config.output = nn::Output::Untied;
  config.causal = false;
  config.positions = positions;
  config.alibiSlope = 0.1;
  config.alibiSigned = true;
  config.attentionBias = false;
  config.projectionBias = false;
  config.outputBias = true;
  return config;
}

/// N(0, deviation^2); the same values for the same seed.
template <class T = double>
std::vector<T> randomTheta(const nn::ModelConfig& config, std::uint64_t seed, double deviation = 0.4) {
  RandomStream random(seed, 1);
  std::vector<T> theta;
  for (std::size_t i = nn::ParameterLayout(config).size(); i > 0; --i)
    theta.push_back(static_cast<T>(deviation * random.normal()));
  return theta;
}

inline nn::Transformer<double> randomModel(const nn::ModelConfig& config, ThreadPool& pool, std::uint64_t seed,
                                           double deviation = 0.4) {
  nn::Transformer<double> model(config, pool);
  const std::vector<double> theta = randomTheta(config, seed, deviation);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  return model;
}

}  // namespace sepx::test
