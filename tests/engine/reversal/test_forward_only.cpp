// SPDX-License-Identifier: Apache-2.0
// Forward-only training of small models in the layouts of LLaDA and Dream: compares the probabilities with those from
// logits, the cosine with gradients by central differences, and the step with the one that these gradients give.
#include <catch2/catch.hpp>

#include <cmath>
#include <utility>

#include "engine/reversal/forward_only.h"
#include "tests/engine/reversal/reversal_models.h"

using namespace sepx;
using namespace sepx::reversal;
using sepx::test::randomModel;
using sepx::test::smallPairsModel;

namespace {

const std::vector<Pair> kSomePairs{{3, 0, 4, 6}, {3, 1, 2, 6}, {20, 2, 5, 6}};

/// Blocks as in LLaDA: RMS norms, a gated feed-forward part, RoPE, no biases. Dream also has grouped keys and biases of
/// Q, K, V.
nn::ModelConfig diffusionLayout(bool dream) {
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  config.layers = 2;
  config.d_model = 8;
  config.heads = 2;
  config.d_ff = 12;
  config.norm = nn::Norm::Rms;
  config.activation = nn::Activation::SwiGlu;
  config.feedForwardBias = false;
  config.outputBias = false;
  config.kvHeads = dream ? 1 : 0;
  config.attentionBias = dream;
  return config;
}

/// Means of p and of -log p of the small letter, computed from logits.
std::pair<double, double> answers(nn::Transformer<double>& model, Direction direction) {
  double mean = 0, loss = 0;
  for (const Pair& pair : kSomePairs) {
    // 0 [M] 0 B 0, or with the two places exchanged.
    std::vector<std::int32_t> tokens(6, data::kPairPlaceholder);
    const int hidden = direction == Direction::Forward ? pair.lower : pair.upper;
    tokens[static_cast<std::size_t>(hidden)] = data::kPairMask;
    tokens[static_cast<std::size_t>(pair.lower + pair.upper - hidden)] = pair.capital();
    nn::Batch batch;
    batch.sequences = 1;
    batch.length = 6;
    batch.tokens = tokens;
    std::vector<double> logits(static_cast<std::size_t>(model.config().vocabulary));
    const std::int32_t row = hidden;
    model.logits(batch, std::span(&row, 1), logits);
    double sum = 0;
    for (const double one : logits)
      sum += std::exp(one);
    const double p = std::exp(logits[static_cast<std::size_t>(pair.letter)]) / sum;
    mean += p / 3;
    loss -= std::log(p) / 3;
  }
  return {mean, loss};
}

std::vector<double> differences(nn::Transformer<double>& model, Direction direction) {
  constexpr double h = 1e-5;
  std::vector<double> slopes;
  for (double& value : model.theta()) {
    const double before = value;
    value = before + h;
    const double above = answers(model, direction).second;
    value = before - h;
    const double below = answers(model, direction).second;
    value = before;
    slopes.push_back((above - below) / (2 * h));
  }
  return slopes;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

}  // namespace

TEST_CASE("forward only: probabilities, cosine and step are correct for models in the layouts of LLaDA and Dream") {
  ThreadPool pool(1);
  for (const bool dream : {false, true}) {
    INFO((dream ? "Dream" : "LLaDA"));
    const nn::ModelConfig config = diffusionLayout(dream);
    REQUIRE(nn::check(config));
    nn::Transformer<double> model = randomModel(config, pool, 31), same = randomModel(config, pool, 31);
    constexpr double kRate = 0.05;
    const auto points = forwardOnly(model, {.pairs = kSomePairs, .steps = 1, .rate = kRate});
    REQUIRE(points);
    REQUIRE(points->size() == 2);
    const auto compare = [&](const TransferPoint& point) {
      const auto [forward, forwardLoss] = answers(same, Direction::Forward);
      const auto [reverse, reverseLoss] = answers(same, Direction::Reverse);
      CHECK(point.forward == Approx(forward).epsilon(1e-6));
      CHECK(point.reverse == Approx(reverse).epsilon(1e-6));
      CHECK(point.forwardLoss == Approx(forwardLoss).epsilon(1e-6));
      CHECK(point.reverseLoss == Approx(reverseLoss).epsilon(1e-6));
    };
    compare(points->front());
    const std::vector<double> f = differences(same, Direction::Forward), r = differences(same, Direction::Reverse);
    CHECK(points->front().cosine == Approx(dot(f, r) / std::sqrt(dot(f, f) * dot(r, r))).margin(1e-6));
    const double length = std::sqrt(dot(f, f));
    REQUIRE(length > 1);  // so that the gradient is clipped
    for (std::size_t i = 0; i < f.size(); ++i)
      same.theta()[i] -= kRate * f[i] / length;
    compare(points->back());
    CHECK(points->back().forwardLoss < points->front().forwardLoss);
  }
}

TEST_CASE("forward only: a gradient shorter than 1 is not scaled") {
  ThreadPool pool(1);
  // Small weights, so that the gradient is shorter than 1.
  nn::Transformer<double> model = randomModel(diffusionLayout(false), pool, 32, 0.02),
                          same = randomModel(diffusionLayout(false), pool, 32, 0.02);
  const auto points = *forwardOnly(model, {.pairs = kSomePairs, .steps = 1, .rate = 0.3});
  const std::vector<double> f = differences(same, Direction::Forward);
  REQUIRE(std::sqrt(dot(f, f)) < 1);
  for (std::size_t i = 0; i < f.size(); ++i)
    same.theta()[i] -= 0.3 * f[i];
  CHECK(points.back().reverse == Approx(answers(same, Direction::Reverse).first).epsilon(1e-6));
  CHECK(points.back().forward == Approx(answers(same, Direction::Forward).first).epsilon(1e-6));
}

TEST_CASE("forward only: it stops when it is cancelled, and a rate that is too large gives a message") {
  ThreadPool pool(1);
  nn::Transformer<double> model = randomModel(diffusionLayout(true), pool, 33);
  int asked = 0;
  const auto stopped =
      forwardOnly(model, {.pairs = kSomePairs, .steps = 50, .cancelled = [&asked] { return ++asked > 3; }});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
  CHECK(asked == 4);
  const auto wild = forwardOnly(model, {.pairs = kSomePairs, .steps = 3, .rate = 1e300});
  REQUIRE_FALSE(wild);
  CHECK(wild.error().kind == ErrorKind::CheckFailed);
}
