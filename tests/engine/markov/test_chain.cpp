// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/core/random.h"
#include "engine/markov/chain.h"
#include "engine/markov/lambda.h"

using sepx::markov::Chain;
using sepx::markov::lambda;

TEST_CASE("p and q must lie inside (0, 1)") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, 1.0, -0.1, 1.2, nan, inf, -inf}) {
    for (const auto& result : {Chain::make(bad, 0.5), Chain::make(0.5, bad)}) {
      REQUIRE_FALSE(result);
      CHECK(result.error().kind == sepx::ErrorKind::Usage);
      CHECK(result.error().message.find("(0, 1)") != std::string::npos);
    }
  }
  CHECK(Chain::make(1.2, 0.5).error().message.find("p = 1.2") != std::string::npos);
  CHECK(Chain::make(0.5, 1.2).error().message.find("q = 1.2") != std::string::npos);
  CHECK(Chain::make(1e-300, 1 - 1e-16));
}

TEST_CASE("Entropies satisfy their identities") {
  sepx::RandomStream random(1);
  for (int i = 0; i < 200; ++i) {
    const Chain chain{random.uniform(0.001, 0.999), random.uniform(0.001, 0.999)};
    CHECK(chain.pi0() + chain.pi1() == Approx(1));
    CHECK(chain.mutualInformation() == Approx(chain.marginalEntropy() - chain.entropyRate()).margin(1e-14));
    CHECK(chain.mutualInformation() >= 0);
    CHECK(chain.marginalEntropy() <= std::numbers::ln2 + 1e-15);
    // Theorem 1: Lambda(0) = H(pi), Lambda(S_star) is the entropy rate, and S_star has the sign of 1 - p - q.
    CHECK(lambda(chain, 0).value == Approx(chain.marginalEntropy()).epsilon(1e-13));
    CHECK(lambda(chain, chain.S_star()).value == Approx(chain.entropyRate()).epsilon(1e-12));
    CHECK(chain.S_star() * chain.switching() <= 0);
  }
}

TEST_CASE("S_star is accurate near p + q = 1 and at the corners") {
  const double tiny = 1e-10;
  const Chain near{0.4, 0.6 + tiny};
  CHECK(near.S_star() == Approx(-near.switching() / (near.p * near.q)).epsilon(1e-8));
  CHECK(Chain{0.3, 0.7}.degenerate());
  CHECK(Chain{0.3, 0.7}.S_star() == 0);
  CHECK(Chain{1e-200, 1e-200}.S_star() == Approx(400 * std::numbers::ln10));
  CHECK(Chain{1 - 1e-9, 1 - 1e-9}.S_star() == Approx(2 * std::log(1e-9)).epsilon(1e-6));
}

TEST_CASE("Lambda is convex, smooth and finite everywhere") {
  sepx::RandomStream random(2);
  for (int i = 0; i < 300; ++i) {
    const Chain chain{random.uniform(0.01, 0.99), i % 10 == 0 ? 0.5 : random.uniform(0.01, 0.99)};
    const double S = random.uniform(-40, 40), h = 1e-4;
    const auto at = lambda(chain, S), up = lambda(chain, S + h), down = lambda(chain, S - h);
    CHECK(at.first == Approx((up.value - down.value) / (2 * h)).margin(1e-9));
    CHECK(at.second == Approx((up.first - down.first) / (2 * h)).margin(1e-8));
    CHECK(at.second >= 0);
    CHECK(sepx::markov::lambdaFirst(chain, S) == at.first);
    CHECK(at.first == Approx(chain.pi1() * (at.f1 + at.f2)).margin(1e-15));  // Lemma 7
    for (const double far : {-1e300, -1e5, -1e3, 1e3, 1e5, 1e300}) {
      const auto there = lambda(chain, far);
      CHECK(std::isfinite(there.value));
      CHECK(std::isfinite(there.first));
      CHECK(std::isfinite(there.second));
      CHECK((far > 0) == (there.first > 0));
    }
  }
}
