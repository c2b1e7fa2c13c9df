// SPDX-License-Identifier: Apache-2.0
// Tests the decomposition of the gradient of W_qk: rank-1 terms and pairs add up to it, the numbers of a pair are those
// of its matrix, and the contributions of a token as context and as query are the columns and rows of Equations (13) to
// (16).
#include <cmath>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/attention/counts.h"
#include "engine/attention/pair_terms.h"
#include "engine/attention/scores.h"
#include "engine/attention/update.h"
#include "engine/core/random.h"

namespace sepx::attention::pair_tests {
namespace {

constexpr int kTokens = 9, kWidth = 5;

Matrix randomMatrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

Matrix causalBeta(std::uint64_t seed) {
  Matrix beta = randomMatrix(kTokens, kTokens, seed);
  for (int i = 0; i < kTokens; ++i)
    for (int j = i + 1; j < kTokens; ++j)
      beta(i, j) = 0;
  return beta;
}

}  // namespace

TEST_CASE("Pairs and the diagonal add up to the gradient of the form") {
  const Matrix X = randomMatrix(kTokens, kWidth, 1), beta = randomMatrix(kTokens, kTokens, 2);
  Matrix sum = Matrix::Zero(kWidth, kWidth), terms = sum;
  for (int i = 0; i < kTokens; ++i) {
    for (int j = i; j < kTokens; ++j)
      sum += pairTerm(X, beta, i, j);
    for (int j = 0; j < kTokens; ++j)
      terms += rankOneTerm(X, beta, i, j);
  }
  const Matrix G = formGradient(X, beta);
  CHECK((sum - G).norm() < 1e-13 * G.norm());
  CHECK((terms - G).norm() < 1e-13 * G.norm());
}

TEST_CASE("The numbers of a pair are those of its matrix; equal betas make it symmetric, opposite betas skew") {
  Matrix X = randomMatrix(kTokens, kWidth, 3), beta = randomMatrix(kTokens, kTokens, 4);
  for (int i = 0; i < kTokens; ++i)
    for (int j = 0; j < kTokens; ++j) {
      if (i == j) continue;
      const Matrix M = pairTerm(X, beta, i, j);
      const Pair pair = pairOf(X, beta, i, j);
      CHECK(pair.i < pair.j);
      CHECK(pair.norm == Approx(M.norm()));
      CHECK(pair.symmetry == Approx(symmetry(momentsOf(M))));
      CHECK(pair.beta_ij == beta(pair.i, pair.j));
      CHECK(pair.beta_ji == beta(pair.j, pair.i));
    }
  beta(2, 6) = beta(6, 2) = 0.7;
  CHECK(pairOf(X, beta, 6, 2).symmetry == Approx(1));
  beta(2, 6) = -0.7;
  CHECK(pairOf(X, beta, 2, 6).symmetry == Approx(-1));
  beta(2, 6) = beta(6, 2) = 0;
  CHECK(pairOf(X, beta, 2, 6).norm == 0);
  CHECK(std::isnan(pairOf(X, beta, 2, 6).symmetry));
  // With one direction only, as in a causal model, the symmetry is the squared cosine between the two embeddings.
  beta(6, 2) = 1;
  const double cosine = X.row(2).dot(X.row(6)) / X.row(2).norm() / X.row(6).norm();
  CHECK(pairOf(X, beta, 2, 6).symmetry == Approx(cosine * cosine));
}

TEST_CASE("The strongest pairs are sorted by their norms") {
  const Matrix X = randomMatrix(kTokens, kWidth, 5), beta = randomMatrix(kTokens, kTokens, 6);
  const auto all = strongestPairs(X, beta, 1000), few = strongestPairs(X, beta, 4);
  REQUIRE(all.size() == kTokens * (kTokens - 1) / 2);
  REQUIRE(few.size() == 4);
  for (std::size_t k = 0; k + 1 < all.size(); ++k)
    CHECK(all[k].norm >= all[k + 1].norm);
  for (std::size_t k = 0; k < few.size(); ++k) {
    CHECK(few[k].i == all[k].i);
    CHECK(few[k].norm == Approx(pairTerm(X, beta, few[k].i, few[k].j).norm()));
  }
}

TEST_CASE("A causal model has no terms in both orders; with some predicted rows their share is that of (S111)") {
  const MirroredTerms causal = mirroredTerms(causalBeta(7));
  CHECK(causal.mirrored == 0);
  CHECK(causal.single == kTokens * (kTokens - 1) / 2);
  CHECK(causal.ratio() == 0);
  CHECK(causal.energy == 0);
  // With the rows of three masked positions, the pairs among these positions occur in both orders.
  constexpr int kMasked = 3;
  Matrix beta = randomMatrix(kTokens, kTokens, 8);
  beta.bottomRows(kTokens - kMasked).setZero();
  const MirroredTerms masked = mirroredTerms(beta);
  const MaskedPairs expected = maskedPairs(kTokens, double(kMasked) / kTokens);
  CHECK(masked.mirrored == kMasked * (kMasked - 1));
  CHECK(masked.single == kMasked * (kTokens - kMasked));
  CHECK(masked.ratio() == Approx(expected.ratio));
  CHECK(masked.share() == Approx(expected.share));
  const double inside = beta.topLeftCorner(kMasked, kMasked).squaredNorm() -
                        beta.topLeftCorner(kMasked, kMasked).diagonal().squaredNorm();
  CHECK(masked.energy == Approx(inside / (beta.squaredNorm() - beta.diagonal().squaredNorm())));
  CHECK(std::isnan(mirroredTerms(Matrix::Zero(4, 4)).energy));
}

TEST_CASE("The parts of the gradient are the terms of single tokens, the pairs in both orders and the single terms") {
  const Matrix X = randomMatrix(kTokens, kWidth, 16);
  Matrix beta = randomMatrix(kTokens, kTokens, 17);
  beta.bottomRows(kTokens - 4).setZero();
  const GradientParts parts = gradientParts(X, beta);
  CHECK((parts.own + parts.mirrored + parts.single - formGradient(X, beta)).norm() < 1e-12);
  CHECK(symmetry(momentsOf(parts.own)) == Approx(1));
  CHECK(parts.single.norm() > 0.1);
  Matrix pairs = Matrix::Zero(kWidth, kWidth), even = pairs;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      pairs += pairTerm(X, beta, i, j);
      const Matrix K = X.row(i).transpose() * X.row(j);
      even += (beta(i, j) + beta(j, i)) / 2 * (K + K.transpose());
    }
  CHECK((parts.mirrored - pairs).norm() < 1e-12);
  CHECK(((parts.mirrored + parts.mirrored.transpose()) / 2 - even).norm() < 1e-12);
  // Equal betas make the pairs symmetric. A causal model has no pairs in both orders.
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j)
      beta(j, i) = beta(i, j);
  CHECK(symmetry(momentsOf(gradientParts(X, beta).mirrored)) == Approx(1));
  CHECK(gradientParts(X, causalBeta(18)).mirrored.norm() == 0);
}

TEST_CASE("The symmetry of beta_ij and beta_ji is measured by a correlation and a score") {
  const Matrix A = randomMatrix(kTokens, kTokens, 9);
  const Matrix even = A + A.transpose(), odd = A - A.transpose();
  CHECK(betaSymmetry(even).correlation == Approx(1));
  CHECK(betaSymmetry(even).score == Approx(1));
  CHECK(betaSymmetry(odd).correlation == Approx(-1));
  CHECK(betaSymmetry(odd).score == Approx(-1));
  CHECK(betaSymmetry(even).pairs == kTokens * (kTokens - 1) / 2);
  // Adding a constant to all entries changes the score but not the correlation.
  Matrix shifted = A;
  shifted.array() += 10;
  CHECK(betaSymmetry(shifted).correlation == Approx(betaSymmetry(A).correlation).epsilon(1e-9));
  CHECK(betaSymmetry(shifted).score > 0.9);
  CHECK(std::abs(betaSymmetry(A).score) < 0.5);
  const BetaSymmetry causal = betaSymmetry(causalBeta(10));
  CHECK(causal.pairs == 0);
  CHECK(causal.score == 0);
  CHECK(std::isnan(causal.correlation));
  CHECK(std::isnan(betaSymmetry(Matrix::Zero(3, 3)).score));
}

TEST_CASE("The updates by a token as context and as query are the columns and rows of (13) to (16)") {
  const Matrix X = randomMatrix(kTokens, kWidth, 11), beta = randomMatrix(kTokens, kTokens, 12);
  const int place = 4;
  const TokenUpdate update = tokenUpdate(X, beta, std::vector{place});
  for (int k = 0; k < kWidth; ++k) {
    Eigen::VectorXd column = Eigen::VectorXd::Zero(kWidth), row = column;
    double inRow = 0, inColumn = 0;
    for (int i = 0; i < kTokens; ++i) {
      column += beta(i, place) * X(place, k) * X.row(i).transpose();
      inRow += beta(i, place) * X(i, k);
      row += beta(place, i) * X(place, k) * X.row(i).transpose();
      inColumn += beta(place, i) * X(i, k);
    }
    CHECK((update.context.col(k) - column).norm() < 1e-12);
    CHECK((update.context.row(k) - inRow * X.row(place)).norm() < 1e-12);
    CHECK((update.predicted.row(k).transpose() - row).norm() < 1e-12);
    CHECK((update.predicted.col(k) - inColumn * X.row(place).transpose()).norm() < 1e-12);
  }
  CHECK(update.contextTerms == kTokens - 1);
  CHECK(update.predictedTerms == kTokens - 1);
  // With all positions, both are the whole gradient.
  std::vector<int> all(kTokens);
  std::iota(all.begin(), all.end(), 0);
  const TokenUpdate whole = tokenUpdate(X, beta, all);
  CHECK((whole.context - formGradient(X, beta)).norm() < 1e-12);
  CHECK((whole.predicted - formGradient(X, beta)).norm() < 1e-12);
}

TEST_CASE("The counted terms of a token are those of Proposition A.9 for one sequence") {
  const Matrix X = randomMatrix(kTokens, kWidth, 13), beta = causalBeta(14);
  const std::vector<int> places{1, 4, 5};
  std::vector<double> P(kTokens, 0.0);
  for (const int place : places)
    P[static_cast<std::size_t>(place)] = 1;
  const TokenUpdate update = tokenUpdate(X, beta, places);
  const TokenCounts counts = autoregressiveCounts(P);
  CHECK(static_cast<double>(update.contextTerms) == counts.context);
  CHECK(static_cast<double>(update.predictedTerms) == counts.predicted);
}

TEST_CASE("Row sums of beta are the sums of its rows") {
  Matrix beta = randomMatrix(kTokens, kTokens, 15);
  const Eigen::VectorXd sums = rowSums(beta);
  for (int i = 0; i < kTokens; ++i)
    CHECK(sums[i] == Approx(beta.row(i).sum()));
}

}  // namespace sepx::attention::pair_tests
