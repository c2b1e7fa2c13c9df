// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/exact_transformer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sepx::studies {
namespace {

int bitOf(int sequence, int place) {
  return sequence >> place & 1;
}

nn::Batch sequencesFrom(int first, int count, int places) {
  nn::Batch batch;
  batch.sequences = count;
  batch.length = places;
  for (int s = 0; s < count; ++s)
    for (int n = 0; n < places; ++n) {
      batch.tokens.push_back(bitOf(first + s, n));
      batch.targets.push_back({s * places + n, bitOf(first + s, n + 1), 1.0F});
    }
  return batch;
}

double probabilityOf(const markov::Chain& chain, int sequence, int places) {
  double probability = bitOf(sequence, 0) == 1 ? chain.pi1() : chain.pi0();
  for (int n = 0; n < places; ++n) {
    const double one = bitOf(sequence, n) == 1 ? 1 - chain.q : chain.p;
    probability *= bitOf(sequence, n + 1) == 1 ? one : 1 - one;
  }
  return probability;
}

}  // namespace

ExactTransformer::ExactTransformer(const markov::Chain& chain, const nn::ModelConfig& config, ThreadPool& pool)
    : chain_(chain),
      places_(config.length),
      model_(config, pool),
      all_(sequencesFrom(0, 2 << config.length, config.length)) {
  assert(config.input == nn::Input::Bit && config.length <= 10);
  for (int s = 0; s < all_.sequences; ++s)
    probabilities_.push_back(probabilityOf(chain_, s, places_));
}

std::vector<double> ExactTransformer::placeLosses() {
  std::vector<double> losses(all_.targets.size());
  model_.evaluate(all_, losses);
  return losses;
}

double ExactTransformer::loss() {
  const std::vector<double> losses = placeLosses();
  double sum = 0;
  for (std::size_t i = 0; i < losses.size(); ++i)
    sum += probabilities_[i / static_cast<std::size_t>(places_)] * losses[i];
  return sum / places_;
}

std::vector<double> ExactTransformer::gradient() {
  model_.clearGradient();
  // One sequence at a time, because the weight of a target is a float and a probability is a double.
  for (int s = 0; s < all_.sequences; ++s)
    model_.accumulate(sequencesFrom(s, 1, places_), {}, probabilities_[static_cast<std::size_t>(s)] / places_);
  const auto gradient = model_.gradient();
  return {gradient.begin(), gradient.end()};
}

double ExactTransformer::farthestFrom(double afterZero, double afterOne) {
  std::vector<std::int32_t> rows(all_.targets.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<std::int32_t>(i);
  std::vector<double> logits(rows.size());
  model_.logits(all_, rows, logits);
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double wanted = all_.tokens[i] == 1 ? afterOne : afterZero;
    const double error = std::abs(1 / (1 + std::exp(-logits[i])) - wanted);
    worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
  }
  return worst;
}

double ExactTransformer::lossChange(std::span<const double> step) {
  const std::vector<double> before = placeLosses();
  const std::vector<double> kept(model_.theta().begin(), model_.theta().end());
  for (std::size_t i = 0; i < step.size(); ++i)
    model_.theta()[i] += step[i];
  const std::vector<double> after = placeLosses();
  std::copy(kept.begin(), kept.end(), model_.theta().begin());
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    sum += probabilities_[i / static_cast<std::size_t>(places_)] * (after[i] - before[i]);
  return sum / places_;
}

}  // namespace sepx::studies
