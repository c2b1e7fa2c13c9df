// SPDX-License-Identifier: Apache-2.0
// Compares the columns and rows of Proposition 2.2 with sums over the entries, and the step of W_qk with factors that
// are actually moved.
#include <numeric>

#include <catch2/catch.hpp>

#include "engine/attention/token_lines.h"
#include "tests/engine/attention/random_factors.h"

namespace sepx::attention::token_line_tests {
namespace {

constexpr int kTokens = 5, kWidth = 6;

struct Rig {
  std::mt19937_64 generator{11};
  Matrix X = gaussian(generator, kTokens, kWidth), beta = gaussian(generator, kTokens, kTokens);
};

/// The sum of beta_ij [x_i]_m [x_j]_k over the pairs that `counts` selects: an entry of the update.
double entry(const Rig& rig, int m, int k, const auto& counts) {
  double sum = 0;
  for (int i = 0; i < kTokens; ++i)
    for (int j = 0; j < kTokens; ++j)
      if (counts(i, j)) sum += rig.beta(i, j) * rig.X(i, m) * rig.X(j, k);
  return sum;
}

}  // namespace

TEST_CASE("(13) to (16): each entry of a column and a row sums over the pairs in which the token is key or query") {
  const Rig rig;
  const std::vector<int> places{1, 4};
  const auto isPlace = [](int n) { return n == 1 || n == 4; };
  for (const int k : {0, 3})
    for (const int m : {2, 5}) {
      const TokenLines context = contextLines(rig.X, rig.beta, places, k, m),
                       target = targetLines(rig.X, rig.beta, places, k, m);
      for (int at = 0; at < kWidth; ++at) {
        CHECK(context.column(at) == Approx(entry(rig, at, k, [&](int, int j) { return isPlace(j); })));
        CHECK(context.row(at) == Approx(entry(rig, m, at, [&](int, int j) { return isPlace(j); })));
        CHECK(target.column(at) == Approx(entry(rig, at, k, [&](int i, int) { return isPlace(i); })));
        CHECK(target.row(at) == Approx(entry(rig, m, at, [&](int i, int) { return isPlace(i); })));
      }
    }
}

TEST_CASE("Proposition 2.2: for one position, rows as context and columns as target are parallel to the token vector") {
  const Rig rig;
  const std::vector<int> place{2};
  const Eigen::VectorXd x = rig.X.row(2).transpose();
  const auto along = [&x](const Eigen::VectorXd& v) { return std::abs(v.dot(x)) / (v.norm() * x.norm()); };
  const TokenLines context = contextLines(rig.X, rig.beta, place, 1, 3),
                   other = contextLines(rig.X, rig.beta, place, 4, 0),
                   target = targetLines(rig.X, rig.beta, place, 1, 3);
  CHECK(along(context.row) == Approx(1));
  CHECK(along(target.column) == Approx(1));
  CHECK(along(context.column) < 0.99);
  CHECK(along(target.row) < 0.99);
  // Every column is the same sum of queries, multiplied by the token's own entry.
  CHECK((context.column * x(4) - other.column * x(1)).norm() < 1e-12 * context.column.norm());
  CHECK((context.column * x(4)).norm() > 1e-3);
}

TEST_CASE("The step of W_qk from sums over tokens equals the step of moved factors, with biases and shared keys") {
  // The scores are s_ij = (W_Q^T x_i + b_Q) . (W_K^T x_j + b_K), and the loss is sum beta_ij s_ij. The gradients come
  // from central differences, which are exact because the loss is linear in each factor.
  const Rig rig;
  std::mt19937_64 generator(5);
  LayerFactors factors = randomFactors(kWidth, kWidth, 2, 1, 3, 21);
  const std::vector<Matrix> beta{rig.beta, gaussian(generator, kTokens, kTokens)};
  const Eigen::VectorXd b_Q = gaussian(generator, 6, 1), b_K = gaussian(generator, 3, 1);
  const auto loss = [&](const LayerFactors& of) {
    double sum = 0;
    for (int h = 0; h < 2; ++h)
      for (int i = 0; i < kTokens; ++i)
        for (int j = 0; j < kTokens; ++j) {
          const Eigen::VectorXd q =
              of.W_Q.middleCols(3 * h, 3).transpose() * rig.X.row(i).transpose() + b_Q.segment(3 * h, 3);
          const Eigen::VectorXd k = of.W_K.transpose() * rig.X.row(j).transpose() + b_K;
          sum += beta[static_cast<std::size_t>(h)](i, j) * q.dot(k);
        }
    return sum;
  };
  LayerFactors measured = factors;
  for (Matrix LayerFactors::*const which : {&LayerFactors::W_Q, &LayerFactors::W_K})
    for (Eigen::Index n = 0; n < (factors.*which).size(); ++n) {
      LayerFactors up = factors, down = factors;
      (up.*which).data()[n] += 0.5;
      (down.*which).data()[n] -= 0.5;
      (measured.*which).data()[n] = loss(up) - loss(down);
    }
  const LayerFactors made = gradientsByTokens(factors, rig.X, beta, b_Q, b_K);
  CHECK((made.W_Q - measured.W_Q).norm() < 1e-10 * measured.W_Q.norm());
  CHECK((made.W_K - measured.W_K).norm() < 1e-10 * measured.W_K.norm());
  const LayerFactors without = gradientsByTokens(factors, rig.X, beta, {}, {});
  CHECK((without.W_K - measured.W_K).norm() > 0.01 * measured.W_K.norm());  // the biases contribute
  const double eta = 0.25;
  LayerFactors moved = factors;
  moved.W_Q -= eta * measured.W_Q;
  moved.W_K -= eta * measured.W_K;
  for (int h = 0; h < 2; ++h) {
    const Matrix change = literal(headOf(moved, h)) - literal(headOf(factors, h));
    CHECK((stepOfForm(factors, made, h, eta) + change / eta).norm() < 1e-10 * change.norm() / eta);
  }
}

}  // namespace sepx::attention::token_line_tests
