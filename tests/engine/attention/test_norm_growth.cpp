// SPDX-License-Identifier: Apache-2.0
// Tests of the model for Theorem 2.3: (S56) holds, the conclusion that the paper draws from it does not, and Lemma A.11
// has a counterexample.
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/attention/norm_growth.h"

namespace sepx::attention::growth_tests {
namespace {

constexpr ScoreOptions kSum{2, Directionality::Sum, 0};

NormModel modelOf(Eigen::Index d, double predicted, double context) {
  return {powerVariances(d, predicted), powerVariances(d, context), 8};
}

}  // namespace

TEST_CASE("Power-law variances have mean 1") {
  for (const double power : {0.0, 0.5, 1.0, 2.0}) {
    const Eigen::VectorXd variances = powerVariances(10, power);
    CHECK(variances.mean() == Approx(1));
    CHECK(variances[0] / variances[9] == Approx(std::pow(10, power)));
  }
}

TEST_CASE("The sampled row and column norms of an update have the ratio of (S56)") {
  NormModel model;
  model.predicted.resize(6);
  model.predicted << 15, 10, 5, 2.5, 1.5, 1;
  model.context = Eigen::VectorXd::Ones(6);
  const NormGrowth growth = growNorms(model, 20000, 1);
  // Computed independently: Tr Sigma / (d Sigma_mm).
  const std::vector<double> expected{0.388889, 0.583333, 1.166667, 2.333333, 3.888889, 5.833333};
  for (Eigen::Index m = 0; m < 6; ++m) {
    CHECK(expectedRatio(model, 0, m) == Approx(expected[static_cast<std::size_t>(m)]).epsilon(1e-5));
    const double measured = growth.columns2.mean() / growth.rows2[m];
    const double error =
        measured * std::hypot(growth.rowErrors[m] / growth.rows2[m], growth.columnErrors[0] / growth.columns2[0]);
    CHECK(std::abs(measured - expected[static_cast<std::size_t>(m)]) < 4 * error);
    CHECK(error < 0.05 * measured);
  }
}

TEST_CASE("A predicted token has the ratio of (S61), and its updates are the transposed updates of a context token") {
  NormModel model;
  model.predicted.resize(6);
  model.predicted << 15, 10, 5, 2.5, 1.5, 1;
  model.context = Eigen::VectorXd::Ones(6);
  const NormGrowth asContext = growNorms(model, 400, 3);
  model.role = TokenRole::Predicted;
  CHECK(growNorms(model, 400, 3).sum == asContext.sum.transpose());
  const NormGrowth growth = growNorms(model, 20000, 3);
  for (Eigen::Index k = 0; k < 6; ++k) {
    const double expected = 6 * model.predicted[k] / 35;  // d Sigma_kk / Tr Sigma
    CHECK(expectedRatio(model, k, 2) == Approx(expected));
    const double measured = growth.columns2[k] / growth.rows2.mean();
    CHECK(std::abs(measured - expected) < 4 * measured * growth.columnErrors[k] / growth.columns2[k]);
  }
}

TEST_CASE("The norms of a token that is both context and predicted are averages over all positions or over all masks") {
  NormModel model = modelOf(5, 1, 0.5);
  model.tokens = 4;
  const double sigma = model.predicted.sum(), gamma = model.context.sum();
  // Sum over every position k = 1 ... 5.
  model.role = TokenRole::Autoregressive;
  model.early = 2;
  double whole = 0, asContext = 0, asPredicted = 0;
  for (int k = 1; k <= 5; ++k)
    whole += 1.0 / (k * k);
  for (int k = 1; k <= 5; ++k) {
    asContext += (5 - k) / (k * k * whole);
    asPredicted += (k - 1) / (k * k * whole);
  }
  const auto compare = [&] {
    const ExpectedNorms expected = expectedNorms(model);
    const NormGrowth growth = growNorms(model, 40000, 8);
    for (Eigen::Index m = 0; m < 5; ++m) {
      const double S = model.predicted[m], G = model.context[m];
      CHECK(expected.rows2[m] == Approx((asContext * S * gamma + asPredicted * G * sigma) / 4));
      CHECK(expected.columns2[m] == Approx((asContext * G * sigma + asPredicted * S * gamma) / 4));
      CHECK(std::abs(growth.rows2[m] - expected.rows2[m]) < 4.5 * growth.rowErrors[m]);
      CHECK(std::abs(growth.columns2[m] - expected.columns2[m]) < 4.5 * growth.columnErrors[m]);
      CHECK(growth.rowErrors[m] < 0.03 * growth.rows2[m]);
    }
  };
  compare();
  // Sum over every mask of the five positions, with t* at the first.
  model.role = TokenRole::Bidirectional;
  model.mask = 0.3;
  asContext = asPredicted = 0;
  for (unsigned mask = 0; mask < 32; ++mask) {
    int others = 0;
    for (unsigned j = 1; j < 5; ++j)
      others += (mask >> j) & 1;
    const bool own = (mask & 1) != 0;
    const int hidden = others + (own ? 1 : 0);
    const double share = std::pow(0.3, hidden) * std::pow(0.7, 5 - hidden);
    (own ? asPredicted : asContext) += share * (own ? 4 - others : others);
  }
  CHECK(asContext == Approx(asPredicted));
  compare();
  // A single update is the matrix whose row and column norms are measured.
  for (const TokenRole role : {TokenRole::Autoregressive, TokenRole::Bidirectional}) {
    model.role = role;
    model.mask = 0.5;
    const NormGrowth one = growNorms(model, 1, 21);
    REQUIRE(one.sum.norm() > 0);
    CHECK((one.rows2 - one.sum.rowwise().squaredNorm()).norm() < 1e-12 * one.rows2.norm());
    CHECK((one.columns2 - one.sum.colwise().squaredNorm().transpose()).norm() < 1e-12 * one.rows2.norm());
  }
}

TEST_CASE("Rows and columns have the same total energy for any covariances") {
  for (const double context : {0.0, 1.0}) {
    const NormGrowth growth = growNorms(modelOf(12, 1, context), 500, 2);
    CHECK(growth.rows2.sum() == Approx(growth.columns2.sum()));
    CHECK(growth.moments.rowNorms.squaredNorm() == Approx(growth.moments.columnNorms.squaredNorm()));
  }
}

TEST_CASE("Rows dominate when the context is isotropic, and columns dominate when it is anisotropic") {
  constexpr int kSeeds = 10;
  double ofRows = 0, ofColumns = 0;  // mean of the printed score: a single matrix of this width scatters widely
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const NormGrowth rows = growNorms(modelOf(64, 1, 0), 800, seed), columns = growNorms(modelOf(64, 0, 1), 800, seed);
    ofRows += scoresOf(rows.moments, kSum).directionality / kSeeds;
    ofColumns += scoresOf(columns.moments, kSum).directionality / kSeeds;
    // The excess over the threshold scatters less than the sum.
    CHECK(scoresOf(rows.moments, {}).directionality > 0.5);
    CHECK(scoresOf(columns.moments, {}).directionality < -0.5);
    CHECK(rows.rowVariance > 3 * rows.columnVariance);
    CHECK(columns.columnVariance > 3 * columns.rowVariance);
    // (18) at the threshold of the outliers: more rows than columns lie above it.
    const double w = directionality(rows.moments, kSum).rows.threshold;
    CHECK(rows.rows.at(w) > rows.columns.at(w));
  }
  CHECK(ofRows > 0.3);
  CHECK(ofColumns < -0.3);
}

TEST_CASE("The same seed gives the same updates, and a cancelled computation makes fewer updates") {
  const NormModel model = modelOf(8, 1, 0);
  CHECK(growNorms(model, 300, 5).sum == growNorms(model, 300, 5).sum);
  CHECK(growNorms(model, 300, 5).sum != growNorms(model, 300, 6).sum);
  int asked = 0;
  CHECK(growNorms(model, 100000, 5, [&] { return ++asked > 2; }).updates < 1000);
  CHECK(growNorms(model, 100, 5, [] { return true; }).updates == 0);
}

TEST_CASE("Lemma A.11 has a counterexample at every value above the mean") {
  const TailExample known = tailExample(10, 4.97, 1, 12.24);
  CHECK(lemmaThreshold(10, 4.97, 1) < 12.24);
  CHECK(10 + std::sqrt(4.97) < 12.24);
  CHECK(known.wide.above(12.24) == 0);
  CHECK(known.narrow.above(12.24) == Approx(0.166).margin(0.002));
  const TailExample norms = tailExample(10, 4.97, 1, 12.5);  // with values that norms can take
  CHECK(norms.wide.low == Approx(0.12).margin(0.001));
  CHECK(norms.wide.above(12.5) == 0);
  CHECK(norms.narrow.above(12.5) == Approx(1 / (1 + 2.5 * 2.5)).epsilon(1e-4));
  for (const double z : {10.01, 11.0, 20.0, 1000.0}) {
    const TailExample example = tailExample(10, 3, 2, z);
    CHECK(example.wide.mean() == Approx(10));
    CHECK(example.narrow.mean() == Approx(10));
    CHECK(example.wide.deviation() == Approx(3));
    CHECK(example.narrow.deviation() == Approx(2));
    CHECK(example.wide.above(z) == 0);
    CHECK(example.narrow.above(z) > 0);
  }
}

}  // namespace sepx::attention::growth_tests
