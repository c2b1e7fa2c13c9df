// SPDX-License-Identifier: Apache-2.0
// The low-rank family of App. C and the softmax scalar. They are compared with the transformer written out entry by
// entry and with finite differences, all computed independently here.
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/markov/canonical_model.h"
#include "engine/markov/lambda.h"
#include "engine/markov/low_rank.h"
#include "engine/markov/softmax_scalar.h"

using namespace sepx;
using namespace sepx::markov;

namespace {

/// Section 2 with (12)-(15), entry by entry.
double writtenOut(const LowRank& at, int bit) {
  std::vector<double> y, z;
  for (int j = 0; j < at.d; ++j)
    y.push_back((bit * at.e - at.p) * (j % 3 == 0 ? -1 : 1));
  z = y;
  for (int i = 0; i < at.r; ++i) {
    const double sign = i < at.beta ? 1 : -1;
    double before = 0;
    for (int j = 0; j < at.d; ++j)
      before += at.w * sign * (j % 3 == 0 ? -1 : 1) * y[static_cast<std::size_t>(j)];
    if (before <= 0) continue;
    for (int j = 0; j < at.d; ++j)
      z[static_cast<std::size_t>(j)] += at.sign * at.w * sign * (j % 3 == 0 ? -1 : 1) * before;
  }
  double logit = at.b;
  for (int j = 0; j < at.d; ++j)
    logit += at.e * (j % 3 == 0 ? -1 : 1) * z[static_cast<std::size_t>(j)];
  return logit;
}

LowRank someFamily(RandomStream& random) {
  LowRank at;
  at.d = 1 + static_cast<int>(random.uniform(0, 7));
  at.r = 1 + static_cast<int>(random.uniform(0, 9));
  at.beta = static_cast<int>(random.uniform(0, at.r + 1));
  at.e = random.uniform(0.2, 1);
  at.p = random.uniform(-0.5, 1.5);
  at.w = random.uniform(-0.6, 0.6);
  at.b = random.uniform(-1, 1);
  at.sign = random.uniform() < 0.5 ? -1 : 1;
  return at;
}

double crossEntropy(const Chain& chain, double zero, double one) {
  const auto f = [](double z) { return 1 / (1 + std::exp(-z)); };
  const double pi1 = chain.p / (chain.p + chain.q);
  return -(1 - pi1) * (chain.p * std::log(f(zero)) + (1 - chain.p) * std::log(1 - f(zero))) -
         pi1 * ((1 - chain.q) * std::log(f(one)) + chain.q * std::log(1 - f(one)));
}

/// The loss with softmax for all sequences of N bits, one by one, at bias b.
double softmaxByHand(const Chain& chain, double e, double w, double v, double k, double b, int N) {
  double loss = 0;
  for (int s = 0; s < 2 << N; ++s) {
    std::vector<int> x;
    double probability = 1;
    for (int n = 0; n <= N; ++n) {
      x.push_back(s >> n & 1);
      const double one = n == 0                               ? chain.p / (chain.p + chain.q)
                         : x[static_cast<std::size_t>(n) - 1] ? 1 - chain.q
                                                              : chain.p;
      probability *= x.back() ? one : 1 - one;
    }
    for (int n = 0; n < N; ++n) {
      const double own = x[static_cast<std::size_t>(n)] - 0.5;
      double weights = 0, mean = 0;
      for (int i = 0; i <= n; ++i) {
        const double other = x[static_cast<std::size_t>(i)] - 0.5, weight = std::exp(k * e * e * own * other);
        weights += weight;
        mean += weight * other;
      }
      const double y = e * (own + v * mean / weights), z = y + 4 * w * std::abs(w) * std::max(y, 0.0);
      const double f = 1 / (1 + std::exp(-(e * z + b)));
      loss -= probability / N * std::log(x[static_cast<std::size_t>(n) + 1] ? f : 1 - f);
    }
  }
  return loss;
}

}  // namespace

TEST_CASE("Logits of the low-rank family agree with the explicit transformer for positions inside and outside (0, e)") {
  RandomStream random(3);
  for (int i = 0; i < 200; ++i) {
    const LowRank at = someFamily(random);
    INFO("d " << at.d << " r " << at.r << " beta " << at.beta << " p/e " << at.p / at.e);
    const auto logits = lowRankLogits(at);
    CHECK(logits[0] == Approx(writtenOut(at, 0)).epsilon(1e-12).margin(1e-12));
    CHECK(logits[1] == Approx(writtenOut(at, 1)).epsilon(1e-12).margin(1e-12));
  }
}

TEST_CASE("Loss, gradient and best bias of the low-rank family agree with explicit formulas and differences") {
  RandomStream random(4);
  for (const Chain chain : {Chain{0.5, 0.8}, {0.2, 0.3}})
    for (int i = 0; i < 50; ++i) {
      LowRank at = someFamily(random);
      if (std::abs(at.p) < 1e-3 || std::abs(at.e - at.p) < 1e-3) continue;
      CHECK(lowRankLoss(chain, at) == Approx(crossEntropy(chain, writtenOut(at, 0), writtenOut(at, 1))).epsilon(1e-7));
      const auto gradient = lowRankGradient(chain, at);
      const double h = 1e-6;
      double LowRank::*const members[] = {&LowRank::e, &LowRank::p, &LowRank::w, &LowRank::b};
      for (std::size_t k = 0; k < 4; ++k) {
        LowRank up = at, down = at;
        up.*members[k] += h;
        down.*members[k] -= h;
        const double difference = (lowRankLoss(chain, up) - lowRankLoss(chain, down)) / (2 * h);
        CHECK(std::abs(difference - gradient[k]) < 1e-7 * (1 + std::abs(gradient[k])));
      }
      at.b = lowRankBias(chain, at);
      CHECK(std::abs(lowRankGradient(chain, at)[3]) < 1e-12);
    }
}

TEST_CASE("Fixed points of the low-rank family reproduce the transition probabilities where a root exists") {
  for (const auto& [chain, sign] : {std::pair{Chain{0.5, 0.8}, -1}, {Chain{0.2, 0.3}, 1}})
    for (const double part : {0.2, 0.5, 0.8})
      for (const int beta : {0, 5, 12}) {
        const LowRank at = lowRankMinimum(chain, {.w = 0.7, .d = 4, .r = 12, .beta = beta, .sign = sign}, part);
        if (std::isnan(at.e)) continue;
        CHECK(1 / (1 + std::exp(-writtenOut(at, 0))) == Approx(chain.p).epsilon(1e-10));
        CHECK(1 / (1 + std::exp(-writtenOut(at, 1))) == Approx(1 - chain.q).epsilon(1e-10));
        for (const double g : lowRankGradient(chain, at))
          CHECK(std::abs(g) < 1e-12);
      }
  CHECK(std::isnan(lowRankMinimum({0.5, 0.8}, {.w = 0.7, .d = 4, .r = 12, .beta = 6, .sign = 1}, 0.5).e));
}

TEST_CASE("The kind of the family's unigram point depends on r - beta where positions are below 0") {
  // At e = 0, p > 0 the loss across this point has S = d e^2 (1 + sign w^2 d (r - beta)). With p tied to e/2 it would
  // be r/2 instead of r - beta for every beta.
  const Chain chain{0.5, 0.8};
  for (const int beta : {0, 16}) {
    LowRank at{.e = 1e-3, .p = 0.4, .w = 0.2, .d = 4, .r = 16, .beta = beta, .sign = -1};
    at.b = lowRankBias(chain, at);
    const double gain = 1 - 0.04 * 4 * (16 - beta);
    const double pi01 = 0.5 * 0.8 / (1.3 * 1.3);
    const double change = lowRankLoss(chain, at) - chain.marginalEntropy();
    CHECK(change / (1e-6 * 4) == Approx(pi01 * 0.3 * gain).epsilon(1e-2));
    CHECK((change < 0) == (beta == 0));
  }
}

TEST_CASE("The softmax loss equals the sum over all sequences, and its bias is optimal") {
  for (const Chain chain : {Chain{0.5, 0.8}, {0.2, 0.3}})
    for (const auto& [e, w, v, k] : {std::tuple{0.9, -1.1, 0.7, 2.0}, {-1.2, 0.6, -1.5, 4.0}, {0.4, -0.3, 2.0, 0.0}}) {
      const BestLoss best = softmaxLoss(chain, e, w, {v, k}, 5);
      CHECK(best.loss == Approx(softmaxByHand(chain, e, w, v, k, best.bias, 5)).epsilon(1e-12));
      CHECK(best.loss < softmaxByHand(chain, e, w, v, k, best.bias + 1e-3, 5));
      CHECK(best.loss < softmaxByHand(chain, e, w, v, k, best.bias - 1e-3, 5));
    }
}

TEST_CASE("Without a value scalar, or with a very sharp softmax, the model reduces to the plane without attention") {
  const Chain chain{0.3, 0.6};
  for (const double e : {0.8, -0.8})
    for (const double w : {-1.1, 0.4}) {
      const State point = Eigen::Vector2d(e, w);
      CHECK(softmaxLoss(chain, e, w, {0, 3}, 7).loss == Approx(loss(chain, Model::EW, point)).epsilon(1e-12));
      CHECK(softmaxLimit(chain, e, w, {0, 3}).S == Approx(reducedS(Model::EW, point)).epsilon(1e-13));
      // Every bit attends only to equal bits: h = (1 + v)(x - 1/2).
      CHECK(softmaxLimit(chain, e, w, {0.5, 1e4}).S == Approx(1.5 * reducedS(Model::EW, point)).epsilon(1e-12));
    }
}

TEST_CASE(
    "S of the limit is the difference of the logits at the share pi_1, and its derivatives agree with differences") {
  RandomStream random(9);
  for (const Chain chain : {Chain{0.5, 0.8}, {0.7, 0.2}, {0.4, 0.4}})
    for (int i = 0; i < 30; ++i) {
      const SoftmaxScalar attention{random.uniform(-0.9, 2), random.uniform(0, 5)};
      const double e = random.uniform(-1.5, 1.5), w = random.uniform(-1.3, 1.3);
      const auto S = [&](double x, double y) {
        // (13) with all counts at their expected share: weight A for equal bits, 1/A for unequal bits.
        const double A = std::exp(attention.k * x * x / 4), pi1 = chain.p / (chain.p + chain.q), pi0 = 1 - pi1;
        const double h1 = 0.5 + attention.v * (pi1 * A - pi0 / A) / (pi1 * A + pi0 / A) / 2;
        const double h0 = -0.5 + attention.v * (pi1 / A - pi0 * A) / (pi1 / A + pi0 * A) / 2;
        const auto logit = [&](double h) { return x * (x * h + 4 * y * std::abs(y) * std::max(x * h, 0.0)); };
        return logit(h1) - logit(h0);
      };
      const SoftmaxLimit at = softmaxLimit(chain, e, w, attention);
      CHECK(at.S == Approx(S(e, w)).epsilon(1e-11).margin(1e-13));
      const double h = 1e-4;
      CHECK(at.gradient[0] == Approx((S(e + h, w) - S(e - h, w)) / (2 * h)).epsilon(1e-5).margin(1e-5));
      CHECK(at.gradient[1] == Approx((S(e, w + h) - S(e, w - h)) / (2 * h)).epsilon(1e-5).margin(1e-5));
      CHECK(at.hessian(0, 0) == Approx((S(e + h, w) - 2 * S(e, w) + S(e - h, w)) / (h * h)).epsilon(1e-3).margin(1e-3));
      CHECK(at.hessian(0, 1) ==
            Approx((S(e + h, w + h) - S(e + h, w - h) - S(e - h, w + h) + S(e - h, w - h)) / (4 * h * h))
                .epsilon(1e-3)
                .margin(1e-3));
    }
}

TEST_CASE("Without attention the energy of the softmax flow is (4), and its e-derivative is that of the quadrature") {
  CHECK(softmaxEnergy(0.7, -1.2, {0, 3}) == Approx(0.49 - (1.44 - std::log(1.2))).epsilon(1e-13));
  const SoftmaxScalar attention{1.5, 2.5};
  const double e = 0.8, h = 1e-4, t = 2.5 * e * e / 4, D = 1 + 1.5 * std::tanh(t);
  const double slope = 1.5 / (std::cosh(t) * std::cosh(t));
  const double wanted = 2 * e * D / (D + t * slope);
  CHECK((softmaxEnergy(e + h, 0.3, attention) - softmaxEnergy(e - h, 0.3, attention)) / (2 * h) ==
        Approx(wanted).epsilon(1e-6));
}
