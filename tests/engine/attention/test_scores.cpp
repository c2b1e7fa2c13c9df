// SPDX-License-Identifier: Apache-2.0
// Compares scores with literal loops and tests their properties: range, transposition, symmetric and skew parts,
// permutations, outliers, and the handling of NaN and infinity.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>
#include <Eigen/QR>

#include "engine/attention/scores.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx;
using namespace sepx::attention;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<ScoreOptions> manyOptions() {
  std::vector<ScoreOptions> list;
  for (const double gamma : {0.0, 0.5, 1.0, 2.0})
    for (const Directionality variant : {Directionality::Excess, Directionality::Sum})
      for (const int ddof : {0, 1})
        list.push_back({gamma, variant, ddof});
  return list;
}

double literalDirectionality(const Matrix& M, const ScoreOptions& options) {
  const auto weight = [&](bool rows) {
    std::vector<double> norms;
    for (Eigen::Index i = 0; i < (rows ? M.rows() : M.cols()); ++i)
      norms.push_back(rows ? M.row(i).norm() : M.col(i).norm());
    double mean = 0, variance = 0, sum = 0;
    for (const double norm : norms)
      mean += norm / double(norms.size());
    for (const double norm : norms)
      variance += (norm - mean) * (norm - mean) / (double(norms.size()) - options.ddof);
    const double threshold = mean + options.gamma * std::sqrt(variance);
    for (const double norm : norms)
      if (norm > threshold) sum += options.variant == Directionality::Sum ? norm : norm - threshold;
    return sum;
  };
  const double r = weight(true), c = weight(false);
  return r + c == 0 ? 0 : (r - c) / (r + c);
}

double literalSymmetry(const Matrix& M) {
  const Matrix S = (M + M.transpose()) / 2, N = (M - M.transpose()) / 2;
  return (S.squaredNorm() - N.squaredNorm()) / M.squaredNorm();
}

void checkMoments(const Moments& moments, const Matrix& M) {
  const Moments whole = momentsOf(M);
  REQUIRE(moments.rowNorms.size() == M.rows());
  REQUIRE(moments.columnNorms.size() == M.cols());
  CHECK((moments.rowNorms - M.rowwise().norm()).norm() <= 1e-11 * M.norm());
  CHECK((moments.columnNorms - M.colwise().norm().transpose()).norm() <= 1e-11 * M.norm());
  CHECK(moments.frobenius2 == Approx(M.squaredNorm()).epsilon(1e-12));
  CHECK(whole.frobenius2 == Approx(M.squaredNorm()).epsilon(1e-12));
  CHECK((whole.rowNorms - M.rowwise().norm()).norm() <= 1e-13 * M.norm());
  if (M.rows() != M.cols()) {
    CHECK(std::isnan(moments.traceMM));
    CHECK(std::isnan(symmetry(moments)));
    return;
  }
  CHECK(moments.traceMM == Approx((M * M).trace()).margin(1e-11 * M.squaredNorm()));
  CHECK(whole.traceMM == Approx((M * M).trace()).margin(1e-12 * M.squaredNorm()));
  CHECK(symmetry(moments) == Approx(literalSymmetry(M)).margin(1e-11));
}

bool same(const Moments& a, const Moments& b) {
  const bool traces = a.traceMM == b.traceMM || (std::isnan(a.traceMM) && std::isnan(b.traceMM));
  return traces && a.rowNorms == b.rowNorms && a.columnNorms == b.columnNorms && a.frobenius2 == b.frobenius2;
}

}  // namespace

TEST_CASE("Moments computed from factors equal those of the literal product", "[attention][scores]") {
  // Narrow heads use Gram matrices and wide heads use tiles. The cases include more rows than a tile, rectangular forms
  // and grouped queries.
  const auto factors = GENERATE(randomFactors(7, 7, 1, 1, 2, 1), randomFactors(60, 60, 3, 3, 4, 2),
                                randomFactors(60, 60, 4, 2, 5, 3), randomFactors(40, 40, 4, 4, 12, 4),
                                randomFactors(420, 420, 2, 1, 150, 5), randomFactors(30, 50, 2, 2, 3, 6),
                                randomFactors(230, 410, 6, 2, 70, 7), randomFactors(1, 1, 1, 1, 1, 8));
  const Matrix M = literal(factors);
  const auto moments = momentsOf(factors);
  REQUIRE(moments);
  checkMoments(*moments, M);
  for (const ScoreOptions& options : manyOptions()) {
    if (M.rows() == 1 || M.cols() == 1) continue;  // 0/0 with ddof 1
    const double d = directionality(*moments, options).value;
    CHECK(d == Approx(literalDirectionality(M, options)).margin(1e-9));
    CHECK(std::abs(d) <= 1);
  }
  const auto heads = momentsOfHeads(factors);
  REQUIRE(heads);
  REQUIRE(heads->size() == static_cast<std::size_t>(factors.heads));
  for (int h = 0; h < factors.heads; ++h) {
    checkMoments((*heads)[static_cast<std::size_t>(h)], literal(headOf(factors, h)));
    CHECK(same((*heads)[static_cast<std::size_t>(h)], *momentsOf(headOf(factors, h))));
  }
}

TEST_CASE("The bits of the moments do not depend on the number of threads", "[attention][scores]") {
  ThreadPool two(2), five(5);
  const auto factors = GENERATE(randomFactors(700, 700, 4, 4, 10, 11), randomFactors(450, 450, 3, 3, 100, 12));
  const Moments alone = *momentsOf(factors);
  CHECK(same(alone, *momentsOf(factors, &two)));
  CHECK(same(alone, *momentsOf(factors, &five)));
  const std::vector<Moments> heads = *momentsOfHeads(factors), pooled = *momentsOfHeads(factors, &five);
  for (std::size_t h = 0; h < heads.size(); ++h)
    CHECK(same(heads[h], pooled[h]));
}

TEST_CASE("The computation of moments can be stopped", "[attention][scores]") {
  ThreadPool pool(2);
  const auto factors = GENERATE(randomFactors(600, 600, 4, 4, 10, 13), randomFactors(600, 600, 1, 1, 600, 14));
  CHECK_FALSE(momentsOf(factors, &pool, [] { return true; }));
  CHECK_FALSE(momentsOfHeads(factors, &pool, [] { return true; }));
  CHECK(momentsOf(factors, &pool, [] { return false; }));
}

TEST_CASE("The symmetry score has the range and the invariances of its definition", "[attention][scores]") {
  std::mt19937_64 generator(21);
  for (const int n : {2, 3, 5, 17, 64}) {
    const Matrix M = gaussian(generator, n, n), transposed = M.transpose();
    const double s = symmetry(momentsOf(M));
    CHECK(std::abs(s) <= 1);
    CHECK(s == Approx(literalSymmetry(M)).margin(1e-13));
    CHECK(symmetry(momentsOf(transposed)) == Approx(s).margin(1e-13));
    CHECK(symmetry(momentsOf(Matrix(M + transposed))) == Approx(1).epsilon(1e-14));
    CHECK(symmetry(momentsOf(Matrix(M - transposed))) == Approx(-1).epsilon(1e-14));
    CHECK(symmetry(momentsOf(Matrix(-3e7 * M))) == Approx(s).margin(1e-13));
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n);
    P.setIdentity();
    std::shuffle(P.indices().data(), P.indices().data() + n, generator);
    CHECK(symmetry(momentsOf(Matrix(P * M * P.transpose()))) == Approx(s).margin(1e-13));
    CHECK(symmetryCode(s) == Approx((1 + s) / 2));
  }
  CHECK(symmetry(momentsOf(Matrix::Identity(6, 6))) == 1);
  CHECK(std::isnan(symmetry(momentsOf(Matrix::Zero(3, 3)))));
}

TEST_CASE("Factors with W_K = W_Q have s = 1, and those with W_K = W_Q S^T and a skew S have s = -1",
          "[attention][scores]") {
  LayerFactors factors = randomFactors(50, 50, 2, 2, 4, 23);
  factors.W_K = factors.W_Q;
  CHECK(symmetry(*momentsOf(factors)) == Approx(1).epsilon(1e-13));
  CHECK(directionality(*momentsOf(factors), {}).value == Approx(0).margin(1e-12));
  for (int h = 0; h < 2; ++h) {
    std::mt19937_64 generator(static_cast<unsigned>(h));
    const Matrix A = gaussian(generator, 4, 4), S = A - A.transpose();
    factors.W_K.middleCols(h * 4, 4) = factors.W_Q.middleCols(h * 4, 4) * S.transpose();
  }
  CHECK(symmetry(*momentsOf(factors)) == Approx(-1).epsilon(1e-13));
  const auto heads = momentsOfHeads(factors);
  for (const Moments& head : *heads)
    CHECK(symmetry(head) == Approx(-1).epsilon(1e-13));
}

TEST_CASE("The directionality score has the range and the invariances of its definition", "[attention][scores]") {
  std::mt19937_64 generator(31);
  for (const int n : {2, 5, 33, 100}) {
    const Matrix M = gaussian(generator, n, n);
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n), Q(n);
    P.setIdentity();
    Q.setIdentity();
    std::shuffle(P.indices().data(), P.indices().data() + n, generator);
    std::shuffle(Q.indices().data(), Q.indices().data() + n, generator);
    for (const ScoreOptions& options : manyOptions()) {
      const double d = directionality(momentsOf(M), options).value;
      CHECK(std::abs(d) <= 1);
      CHECK(d == Approx(literalDirectionality(M, options)).margin(1e-10));
      CHECK(directionality(momentsOf(Matrix(M.transpose())), options).value == Approx(-d).margin(1e-12));
      CHECK(directionality(momentsOf(Matrix(P * M * Q)), options).value == Approx(d).margin(1e-10));
      CHECK(directionality(momentsOf(Matrix(1e-9 * M)), options).value == Approx(d).margin(1e-10));
    }
  }
}

TEST_CASE("Outliers are counted correctly for known rows and columns", "[attention][scores]") {
  Matrix M = Matrix::Constant(20, 20, 1e-3);
  M.row(4).setConstant(5);
  const Moments moments = momentsOf(M);
  DirectionalityParts parts = directionality(moments, {});
  CHECK(parts.rows.outliers == 1);
  CHECK(parts.columns.outliers == 0);  // all columns are equal
  CHECK(parts.value == 1);
  CHECK(parts.rows.excess == Approx(5 * std::sqrt(20.0) - parts.rows.threshold).epsilon(1e-12));
  parts = directionality(momentsOf(Matrix(M.transpose())), {});
  CHECK(parts.value == -1);
  // No row and no column is an outlier: 0/0 is defined as 0.
  CHECK(directionality(momentsOf(Matrix::Identity(9, 9)), {}).value == 0);
  CHECK(directionality(momentsOf(Matrix::Zero(9, 9)), {}).value == 0);
  const Matrix orthogonal = Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::MatrixXd::Random(40, 40)).householderQ();
  CHECK(directionality(momentsOf(orthogonal), {0, Directionality::Sum, 0}).value == 0);
}

TEST_CASE("A dragged threshold corresponds to a gamma, and that gamma gives the same score", "[attention][scores]") {
  const Moments moments = *momentsOf(randomFactors(90, 90, 1, 1, 8, 41));
  for (const ScoreOptions& options : manyOptions()) {
    const DirectionalityParts parts = directionality(moments, options);
    CHECK(gammaAt(parts.rows, parts.rows.threshold) == Approx(options.gamma).margin(1e-12));
    CHECK(directionalityAt(moments, parts.rows.threshold, parts.columns.threshold, options.variant) ==
          Approx(parts.value).margin(1e-12));
    ScoreOptions dragged = options;
    dragged.gamma = gammaAt(parts.rows, parts.rows.mean + 1.25 * parts.rows.deviation);
    CHECK(dragged.gamma == Approx(1.25));
    const DirectionalityParts after = directionality(moments, dragged);
    CHECK(directionalityAt(moments, after.rows.threshold, after.columns.threshold, options.variant) ==
          Approx(after.value).margin(1e-12));
  }
  CHECK(gammaAt(OutlyingNorms{}, 3) == 0);
}

TEST_CASE("NaN and infinite weights are counted, and the scores are then NaN", "[attention][scores]") {
  const auto [n, d_h] = GENERATE(std::pair{50, 3}, std::pair{40, 40});
  LayerFactors factors = randomFactors(n, n, 2, 2, d_h, 51);
  factors.W_Q(3, 1) = std::numeric_limits<double>::quiet_NaN();
  factors.W_K(9, d_h) = kInfinity;
  factors.W_K(9, d_h + 1) = -kInfinity;
  const Moments moments = *momentsOf(factors);
  CHECK(moments.nonfinite == 3);
  CHECK(std::isnan(moments.rowNorms(3)));
  CHECK(std::isnan(moments.columnNorms(9)));
  const Scores scores = scoresOf(moments, {});
  CHECK(std::isnan(scores.symmetry));
  CHECK(std::isnan(scores.directionality));
  const std::vector<Moments> heads = *momentsOfHeads(factors);
  CHECK(heads[0].nonfinite == 1);
  CHECK(heads[1].nonfinite == 2);
  Matrix M = literal(randomFactors(6, 6, 1, 1, 2, 52));
  M(2, 3) = kInfinity;
  CHECK(momentsOf(M).nonfinite == 1);
  CHECK(std::isnan(scoresOf(momentsOf(M), {}).directionality));
}

TEST_CASE("Median and quartiles interpolate between order statistics", "[attention][scores]") {
  const double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Quartiles five = quartiles({5, 1, 4, kNaN, 2, 3});
  CHECK(five.q1 == 2);
  CHECK(five.median == 3);
  CHECK(five.q3 == 4);
  const Quartiles four = quartiles({4, 1, 3, 2});
  CHECK(four.q1 == Approx(1.75));
  CHECK(four.median == Approx(2.5));
  CHECK(four.q3 == Approx(3.25));
  CHECK(quartiles({7}).q1 == 7);
  CHECK(std::isnan(quartiles({}).median));
  CHECK(std::isnan(quartiles({kNaN}).q3));
}
