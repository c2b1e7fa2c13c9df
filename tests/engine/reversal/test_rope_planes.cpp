// SPDX-License-Identifier: Apache-2.0
// Measurement of Assumption 4.2: scores computed from planes are those of the model, and keys that satisfy the
// assumption exactly are found to satisfy it, with the correlation of Reversal, A.3 and B.3.
#include <catch2/catch.hpp>

#include <cmath>

#include <Eigen/Dense>

#include "engine/reversal/rope_planes.h"
#include "tests/engine/reversal/reversal_models.h"

using namespace sepx;
using namespace sepx::reversal;
using sepx::test::randomTheta;
using sepx::test::smallPairsModel;

namespace {

constexpr int kDim = 8, kPlanes = kDim / 2, kLetters = data::kPairLetters;

/// Tokens are unit vectors and there is no norm, so that the columns of W_Q and W_K are the queries and keys.
nn::ModelConfig unitModel() {
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope, 4);
  config.d_model = data::kPairVocabulary;
  config.headDim = kDim;
  config.norm = nn::Norm::None;
  return config;
}

std::vector<double> thetaOf(const nn::ModelConfig& config, const Eigen::VectorXd& q, const Eigen::MatrixXd& keys) {
  const nn::ParameterLayout layout(config);
  std::vector<double> theta(layout.size(), 0.0);
  const auto of = [&](nn::ParameterRole role,
                      int layer) -> Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> {
    const nn::Parameter* const at = layout.find(
        role, role == nn::ParameterRole::Embedding ? nn::ParameterKind::Embedding : nn::ParameterKind::Weight, layer);
    REQUIRE(at != nullptr);
    return {theta.data() + at->offset, at->rows, at->columns};
  };
  of(nn::ParameterRole::Embedding, -1).setIdentity();
  of(nn::ParameterRole::Query, 0).col(data::kPairMask) = q;
  of(nn::ParameterRole::Key, 0).middleCols(kLetters, kLetters) = keys.transpose();
  return theta;
}

/// Centred columns, 1/26 Z^T Z = I.
Eigen::MatrixXd whiteSample() {
  RandomStream random(11, 1);
  Eigen::MatrixXd raw(kLetters, kDim + 1);
  for (double& value : raw.reshaped())
    value = random.normal();
  raw.col(0).setOnes();
  const Eigen::MatrixXd Q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(raw).householderQ() * Eigen::MatrixXd::Identity(kLetters, kDim + 1);
  return Q.rightCols(kDim) * std::sqrt(static_cast<double>(kLetters));
}

/// Keys of covariance tau^2 ((1 - rho_s)/2 I + rho_s q_s q_s^T/|q_s|^2) in plane s.
Eigen::MatrixXd keysOf(const Eigen::VectorXd& q, const std::vector<double>& rho, double tau2) {
  const Eigen::MatrixXd Z = whiteSample();
  Eigen::MatrixXd keys(kLetters, kDim);
  for (int s = 0; s < kPlanes; ++s) {
    const Eigen::Vector2d u = Eigen::Vector2d(q[s], q[s + kPlanes]).normalized(), v(-u.y(), u.x());
    const double r = rho[static_cast<std::size_t>(s)];
    const Eigen::VectorXd along = std::sqrt(tau2 * (1 + r) / 2) * Z.col(2 * s),
                          across = std::sqrt(tau2 * (1 - r) / 2) * Z.col(2 * s + 1);
    keys.col(s) = along * u.x() + across * v.x();
    keys.col(s + kPlanes) = along * u.y() + across * v.y();
  }
  return keys.rowwise() + Eigen::RowVectorXd::LinSpaced(kDim, -1, 2);  // the mean has no effect
}

RopePlanes planesOf(const nn::ModelConfig& config, std::span<const double> theta) {
  ThreadPool pool(1);
  const auto planes = ropePlanes<double>(config, theta, 0, pool);
  REQUIRE(planes);
  return *planes;
}

const Eigen::VectorXd kQuery = (Eigen::VectorXd(kDim) << 0.4, -1.1, 0.7, 0.2, 1.3, 0.5, -0.6, -0.9).finished();

}  // namespace

TEST_CASE("planes of RoPE: their scores at a distance are those of the model") {
  const nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  const std::vector<double> theta = randomTheta(config, 9);
  const RopePlanes planes = planesOf(config, theta);
  ThreadPool pool(1);
  const LetterScores scores = *letterScores<double>(config, theta, 0, pool);
  for (const auto& [mask, capital] : {std::pair{0, 0}, {0, 4}, {5, 1}}) {
    const std::vector<double> found = planes.scoresAt(capital - mask);
    for (std::size_t letter = 0; letter < found.size(); ++letter)
      CHECK(found[letter] == Approx(scores.at(mask, capital)[letter]).margin(1e-11));
  }
}

TEST_CASE("planes of RoPE: keys that satisfy Assumption 4.2 are found to satisfy it") {
  const std::vector<double> rho{0.9, 0, 0.35, 1};
  const nn::ModelConfig config = unitModel();
  const RopePlanes found = planesOf(config, thetaOf(config, kQuery, keysOf(kQuery, rho, 2.5)));
  REQUIRE(found.planes.size() == kPlanes);
  double weights = 0;
  for (std::size_t s = 0; s < rho.size(); ++s) {
    CHECK(found.planes[s].alignment() == Approx(rho[s]).margin(1e-10));
    CHECK(found.planes[s].trace() == Approx(2.5).epsilon(1e-10));
    CHECK(found.planes[s].angle == Approx(std::pow(10000.0, -2.0 * static_cast<double>(s) / kDim)));
    weights += found.planes[s].weight;
  }
  CHECK(weights == Approx(1).epsilon(1e-12));
  CHECK(found.planes[1].weight == Approx((1.1 * 1.1 + 0.5 * 0.5) / kQuery.squaredNorm()));
  CHECK(found.traceSpread < 1e-6);
  CHECK(found.tilt < 1e-10);
  CHECK(std::abs(found.between) < 1e-10);
  for (const auto& [forward, reverse] : {std::pair{1.0, 1.0}, {3.0, 7.0}, {40.0, 2.0}}) {
    CHECK(found.correlationAt(forward, reverse) == Approx(found.assumedCorrelation(forward, reverse)).margin(1e-10));
  }
  // Theorem 4.3 before the expectation: the correlation is at least the weighted cosine.
  double bound = 0;
  for (const RopePlane& plane : found.planes)
    bound += plane.weight * std::cos(2 * 6 * plane.angle);
  CHECK(found.correlationAt(6, 6) >= bound);
}

TEST_CASE("planes of RoPE: a plane whose keys vary more across the query violates the assumption") {
  const nn::ModelConfig config = unitModel();
  const RopePlanes found = planesOf(config, thetaOf(config, kQuery, keysOf(kQuery, {0.2, -0.6, 0.1, 0.3}, 1)));
  CHECK(found.violating == 1);
  CHECK(found.planes[1].violates());
  CHECK(found.planes[1].alignment() == Approx(-0.6).margin(1e-10));
  CHECK(found.violatingWeight == Approx(found.planes[1].weight));
  Eigen::MatrixXd uneven = keysOf(kQuery, {0.2, 0.6, 0.1, 0.3}, 1);
  uneven.col(2) *= 3;
  uneven.col(2 + kPlanes) *= 3;
  uneven.col(3) += 3 * uneven.col(0);  // correlated planes
  const RopePlanes other = planesOf(config, thetaOf(config, kQuery, uneven));
  CHECK(other.traceSpread > 0.5);
  CHECK(other.between > 0.01);
  CHECK(other.tilt > 0.1);
}

TEST_CASE("planes of RoPE: a model without planes is refused") {
  ThreadPool pool(1);
  for (const auto& [positions, dim, word] :
       {std::tuple{nn::Positions::Alibi, 0, "rotary"}, {nn::Positions::Rope, 7, "even"}}) {
    nn::ModelConfig config = smallPairsModel(positions);
    config.headDim = dim;
    const std::vector<double> theta = randomTheta(config, 2);
    const auto refused = ropePlanes<double>(config, theta, 0, pool);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find(word) != std::string::npos);
  }
}
