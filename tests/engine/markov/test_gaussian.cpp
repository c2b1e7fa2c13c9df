// SPDX-License-Identifier: Apache-2.0
#include <boost/math/special_functions/lambert_w.hpp>

#include "engine/markov/attention_basin.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;

namespace {

/// P(I_min) in three dimensions by brute force: a sum over a lattice of (e,a), with the error function for w.
double bySum(double sigma, bool above) {
  constexpr int kSide = 240;
  constexpr double kReach = 5;
  const double step = 2 * kReach * sigma / kSide;
  double sum = 0;
  for (int i = kSide / 2; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      const double e = -kReach * sigma + (i + 0.5) * step, a = -kReach * sigma + (j + 0.5) * step;
      const auto end = landing(e, a);
      if (!end) continue;
      const double x = -std::exp(-1 - 2 * end->D);
      const double w = std::sqrt(0.5 * (above ? -boost::math::lambert_w0(x) : -boost::math::lambert_wm1(x)));
      const double tail = 0.5 * std::erfc(w / (sigma * std::sqrt(2.0)));
      sum += std::exp(-(e * e + a * a) / (2 * sigma * sigma)) * (above ? 1 - tail : tail);
    }
  return 2 * sum * step * step / (2 * M_PI * sigma * sigma);
}

}  // namespace

TEST_CASE("P(I_min) with attention: quadrature, lattice sum and counts agree", "[markov][gauss]") {
  for (const bool above : {true, false})
    for (const double sigma : {0.3, 1.0, 3.0}) {
      const double p = probabilityLocalMinimum3(sigma, above);
      INFO("sigma = " << sigma << (above ? ", p+q > 1" : ", p+q < 1"));
      CHECK(p ==
            Approx(bySum(sigma, above)).margin(2.5e-3));  // the lattice approximates the unbounded surface by steps
      const Chain chain = above ? Chain{0.5, 0.8} : Chain{0.2, 0.3};
      const GaussCount count = countLocalMinima(chain, Model::EWA, sigma, {20000, false, 3});
      const double error = std::sqrt(p * (1 - p) / 20000);
      CHECK(std::abs(count.byTheory.share() - p) < 4 * error + 1e-6);
    }
}

TEST_CASE("P(I_min): the third dimension matters only where sigma is not small", "[markov][gauss]") {
  CHECK(probabilityLocalMinimum3(0.1, true) == Approx(probabilityLocalMinimum(0.1, true)).epsilon(1e-8));
  CHECK(probabilityLocalMinimum3(0.1, false) == Approx(probabilityLocalMinimum(0.1, false)).epsilon(1e-6));
  CHECK(probabilityLocalMinimum3(1, true) < probabilityLocalMinimum(1, true) - 0.1);
  // At large sigma only directions matter: the share of (e,a) with a > |e|/2, and half of all w.
  CHECK(probabilityLocalMinimum3(50, true) == Approx(0.25 - std::atan(0.5) / (2 * M_PI)).margin(2e-3));
  CHECK(std::isnan(probabilityLocalMinimum3(0, true)));
  CHECK(std::isnan(probabilityLocalMinimum3(std::nan(""), true)));
  CHECK(probabilityLocalMinimum3(1e-3, false) == 0);
  CHECK(probabilityLocalMinimum3(1, true, 1e-4) == Approx(probabilityLocalMinimum3(1, true)).epsilon(1e-4));
}

TEST_CASE("Counts of Gaussian starts by theory and by integration agree, with their confidence interval",
          "[markov][gauss]") {
  for (const Model model : {Model::EW, Model::EWA})
    for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}}) {
      const GaussCount count = countLocalMinima(chain, model, 1, {1500, true, 11});
      const double p = probabilityLocalMinimum(model, 1, chain.switching() > 0);
      INFO(modelName(model) << ", p = " << chain.p);
      CHECK(count.disagreements == 0);
      CHECK(std::abs(count.integrated.share() - p) < 4 * std::sqrt(p * (1 - p) / 1500));
      CHECK(count.integrated.low < count.integrated.share());
      CHECK(count.integrated.high > count.integrated.share());
    }
  CHECK(gaussianStart(Model::EWA, 2, 5, 9) == 2 * gaussianStart(Model::EWA, 1, 5, 9));
  const GaussCount none = countLocalMinima({0.5, 0.8}, Model::EW, 1, {100, false, 0}, [] { return true; });
  CHECK(none.byTheory.samples == 0);
}

TEST_CASE("The confidence interval is that of Clopper and Pearson", "[markov][gauss]") {
  const BinomialShare half = binomialShare(5, 10), none = binomialShare(0, 10), all = binomialShare(10, 10);
  CHECK(half.low == Approx(0.1870860284).epsilon(1e-8));
  CHECK(half.high == Approx(0.8129139716).epsilon(1e-8));
  CHECK(none.low == 0);
  CHECK(none.high == Approx(1 - std::pow(0.025, 0.1)).epsilon(1e-10));
  CHECK(all.high == 1);
  CHECK(all.low == Approx(std::pow(0.025, 0.1)).epsilon(1e-10));
}
