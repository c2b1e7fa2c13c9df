// SPDX-License-Identifier: Apache-2.0
#include "engine/markov/basin.h"
#include "engine/markov/chain_map.h"
#include "engine/markov/convergence_time.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;

TEST_CASE("The expected excess loss is the average over Gaussian starts", "[markov][chain]") {
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.15, 0.3}, Chain{0.9, 0.9}})
    for (const double sigma : {0.5, 1.5}) {
      constexpr int kStarts = 4000;
      double sum = 0, squares = 0;
      for (int i = 0; i < kStarts; ++i) {
        const State theta = gaussianStart(Model::EW, sigma, 2, static_cast<std::uint64_t>(i));
        const auto limit = exactLimit(chain, theta[0], theta[1]);
        REQUIRE(limit);
        const double excess = loss(chain, Model::EW, limit->theta) - chain.entropyRate();
        sum += excess;
        squares += excess * excess;
      }
      const double mean = sum / kStarts, error = std::sqrt((squares / kStarts - mean * mean) / kStarts);
      const double p = probabilityLocalMinimum(sigma, chain.switching() > 0);
      INFO("p = " << chain.p << ", sigma = " << sigma);
      CHECK(std::abs(chainValue(ChainQuantity::Excess, chain, Model::EW, sigma, p) - mean) < 4 * error + 1e-12);
    }
}

TEST_CASE("The nearest global minimum lies on Theta*, and no other point of Theta* is nearer", "[markov][chain]") {
  for (const Chain& chain :
       {Chain{0.5, 0.8}, Chain{0.2, 0.3}, Chain{0.45, 0.5}, Chain{0.02, 0.01}, Chain{0.99, 0.97}}) {
    const PlanePoint nearest = nearestMinimum(chain);
    const double S_star = chain.S_star(), distance = minimumDistance(chain);
    CHECK(nearest.e * nearest.e * (1 + 2 * nearest.w * std::abs(nearest.w)) == Approx(S_star));
    double least = 1e9;
    for (int i = -400000; i <= 400000; ++i) {
      const double w = i * 1e-5, ee = S_star / (1 + 2 * w * std::abs(w));
      if (ee > 0) least = std::min(least, std::sqrt(ee + w * w));
    }
    INFO("p = " << chain.p << ", q = " << chain.q);
    CHECK(distance == Approx(least).epsilon(1e-6));
  }
  CHECK(minimumDistance(Chain{0.3, 0.7}) == 0);
}

TEST_CASE("The map is symmetric in p and q, and its pixels have the right positions", "[markov][chain]") {
  sepx::ThreadPool pool(2);
  for (const ChainQuantity quantity : {ChainQuantity::Excess, ChainQuantity::Gap, ChainQuantity::S_star,
                                       ChainQuantity::Distance, ChainQuantity::Time}) {
    constexpr int kSize = 8;
    const std::vector<float> map = chainMap({quantity, Model::EW, 0.5, kSize}, pool);
    REQUIRE(map.size() == kSize * kSize);
    for (int row = 0; row < kSize; ++row)
      for (int column = 0; column < kSize; ++column) {
        const Chain chain{(column + 0.5) / kSize, 1 - (row + 0.5) / kSize};  // computed directly, also for p > q
        const double p = probabilityLocalMinimum(0.5, chain.switching() > 0);
        double value = chainValue(quantity, chain, Model::EW, 0.5, p);
        if (quantity == ChainQuantity::Time) value = std::log10(value);
        const float shown = map[static_cast<std::size_t>(row * kSize + column)];
        INFO(static_cast<int>(quantity) << " at p = " << chain.p << ", q = " << chain.q);
        if (chain.degenerate() && quantity == ChainQuantity::Time)
          CHECK(std::isnan(shown));
        else
          CHECK(shown == Approx(value).epsilon(1e-4).margin(1e-6));
      }
  }
  int asked = 0;
  const auto cancelled = chainMap({ChainQuantity::Gap, Model::EW, 0.5, 16}, pool, [&] { return ++asked > 0; });
  CHECK(std::isnan(cancelled.front()));
}

TEST_CASE("The median time scales as 1/|p+q-1| where |S| is far below |S_star|", "[markov][chain]") {
  const auto near = medianTime({0.5, 0.51}, Model::EW, 0.002), nearer = medianTime({0.5, 0.501}, Model::EW, 0.002);
  REQUIRE(near);
  REQUIRE(nearer);
  CHECK(*nearer / *near == Approx(10).epsilon(0.03));
  // Farther out the loss above the limit falls as S^2 for any distance to the line: its last percent is soon reached.
  CHECK(medianTime({0.5, 0.500001}, Model::EW, 1).value() < 100);
  CHECK_FALSE(medianTime({0.5, 0.5}, Model::EW, 0.3));
  CHECK(medianTime({0.5, 0.8}, Model::EWA, 0.1).value() ==
        Approx(*medianTime({0.5, 0.8}, Model::EW, 0.1)).epsilon(0.5));
}

TEST_CASE("The loss gap is the difference of the entropies", "[markov][chain]") {
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.01, 0.02}, Chain{0.6, 0.4 + 1e-9}})
    CHECK(lossGap(chain) == Approx(chain.marginalEntropy() - chain.entropyRate()).margin(1e-15));
  CHECK(lossGap(Chain{0.3, 0.7}) == Approx(0).margin(1e-30));
}
