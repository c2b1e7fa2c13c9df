// SPDX-License-Identifier: Apache-2.0
// The sampled loss equals the population loss if the counts are the population shares. It is unbiased with a scatter
// that falls as 1/sqrt(BN), and the same for the same seed.
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/markov/sampled_loss.h"

namespace {

using namespace sepx;
using namespace sepx::markov;

State pointOf(Model model) {
  State theta(dimension(model));
  theta[0] = 0.7, theta[1] = -0.6;
  if (hasAttention(model)) theta[2] = -2.9;  // 1 + a e^2 < 0, so that the absolute value of u matters
  if (hasFreeBias(model)) theta[theta.size() - 1] = 0.35;
  return theta;
}

constexpr Model kModels[] = {Model::EW, Model::EWB, Model::EWA, Model::EWAB};

}  // namespace

TEST_CASE("Counts in the population's proportions give the population's loss and gradient") {
  const Chain chain{0.25, 0.5};  // pi = (2/3, 1/3): of 12 transitions 0->0 6, 0->1 2, 1->0 2, 1->1 2
  TransitionCounts counts;
  counts.n = {{{6, 2}, {2, 2}}};
  for (const Model model : kModels)
    for (const double sign : {1.0, -1.0}) {
      State theta = pointOf(model);
      if (hasAttention(model)) theta[2] *= sign;
      INFO(modelName(model) << " " << sign);
      const SampledEvaluation sampled = evaluateSampled(chain, model, theta, counts);
      const Evaluation exact = evaluate(chain, model, theta);
      CHECK(sampled.loss == Approx(exact.loss).epsilon(1e-13));
      for (Eigen::Index i = 0; i < theta.size(); ++i)
        CHECK(sampled.gradient[i] == Approx(exact.gradient[i]).margin(1e-14).epsilon(1e-11));
    }
}

TEST_CASE("Sampled gradients are unbiased, and their scatter falls as 1/sqrt(B N)") {
  const Chain chain{0.5, 0.8};
  const Model model = Model::EW;
  const State theta = pointOf(model);
  const State exact = gradient(chain, model, theta);
  double scatter[2] = {};
  const int lengths[2] = {64, 1024};
  constexpr int kBatches = 1500;
  for (int which = 0; which < 2; ++which) {
    State mean = State::Zero(2);
    double meanLoss = 0;
    for (int k = 0; k < kBatches; ++k) {
      RandomStream stream(7, static_cast<std::uint64_t>(k));
      const SampledEvaluation sampled =
          evaluateSampled(chain, model, theta, sampleTransitions(chain, 2, lengths[which], stream));
      mean += sampled.gradient / kBatches;
      meanLoss += sampled.loss / kBatches;
      scatter[which] += (sampled.gradient - exact).squaredNorm() / kBatches;
    }
    INFO("length " << lengths[which]);
    // Within four standard errors of the mean.
    CHECK((mean - exact).norm() < 4 * std::sqrt(scatter[which] / kBatches));
    CHECK(meanLoss == Approx(loss(chain, model, theta)).margin(0.005));
  }
  CHECK(std::sqrt(scatter[0] / scatter[1]) == Approx(4).epsilon(0.1));
}

TEST_CASE("A long sample has the transition frequencies of the chain") {
  const Chain chain{0.3, 0.6};
  RandomStream stream(3);
  const TransitionCounts counts = sampleTransitions(chain, 100, 2000, stream);
  CHECK(counts.total() == 200000);
  const double total = static_cast<double>(counts.total());
  CHECK(static_cast<double>(counts.n[0][1]) / total == Approx(chain.pi0() * chain.p).margin(0.004));
  CHECK(static_cast<double>(counts.n[1][0]) / total == Approx(chain.pi1() * chain.q).margin(0.004));
  CHECK(static_cast<double>(counts.n[1][1]) / total == Approx(chain.pi1() * (1 - chain.q)).margin(0.004));
}

TEST_CASE("Sampling is the same for the same seed and stream") {
  const Chain chain{0.5, 0.8};
  RandomStream one(5, 9), same(5, 9), other(5, 10);
  const TransitionCounts counts = sampleTransitions(chain, 3, 50, one);
  CHECK(counts.n == sampleTransitions(chain, 3, 50, same).n);
  CHECK(counts.n != sampleTransitions(chain, 3, 50, other).n);
}

TEST_CASE("No transitions and far points give finite or infinite numbers, never NaN") {
  const Chain chain{0.5, 0.8};
  const SampledEvaluation none = evaluateSampled(chain, Model::EW, pointOf(Model::EW), {});
  CHECK(none.loss == 0);
  CHECK(none.gradient.isZero(0));
  TransitionCounts one;
  one.n[0][1] = 4;  // symbol 1 never occurs as a context, so its logit must not matter
  State far(2);
  far << 1e80, -3;
  CHECK_FALSE(std::isnan(evaluateSampled(chain, Model::EW, far, one).loss));
}
