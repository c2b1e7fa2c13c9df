// SPDX-License-Identifier: Apache-2.0
// Compares the cosines of the idealised layer with gradients by central differences, and with known values for models.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>

#include <Eigen/Dense>

#include "engine/reversal/ideal_cosines.h"
#include "tests/engine/reversal/reversal_models.h"

using namespace sepx;
using namespace sepx::reversal;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using sepx::test::randomModel;
using sepx::test::smallPairsModel;

namespace {

constexpr int kWords = 5, kWidth = 4;

MatrixXd randomMatrix(RandomStream& random, int rows, int columns) {
  MatrixXd matrix(rows, columns);
  for (double& value : matrix.reshaped())
    value = random.normal();
  return matrix;
}

/// W_U, W_V, W_Q, W_K, and W_E with the columns [M] and B.
using Matrices = std::array<MatrixXd, 5>;

MatrixXd rotation(double angle) {
  MatrixXd R = MatrixXd::Identity(kWidth, kWidth);
  for (const int s : {0, 1}) {
    const double a = s == 0 ? angle : 0.1 * angle;
    R(s, s) = R(s + 2, s + 2) = std::cos(a);
    R(s + 2, s) = std::sin(a);
    R(s, s + 2) = -std::sin(a);
  }
  return R;
}

struct Forward {
  double alpha = 0;
  VectorXd p;
  double loss = 0;
};
/// The layer of Proposition C.1 with target 0.
Forward run(const Matrices& m, const MatrixXd& R) {
  const VectorXd q = m[2] * m[4].col(0), k = m[3] * m[4].col(1), v = m[1] * m[4].col(1);
  Forward out;
  out.alpha = 1 / (1 + std::exp(-q.dot(R * k) / std::sqrt(static_cast<double>(kWidth))));
  const VectorXd z = m[0] * (out.alpha * v);
  out.p = (z.array() - z.maxCoeff()).exp();
  out.p /= out.p.sum();
  out.loss = -std::log(out.p[0]);
  return out;
}

VectorXd gradientOf(const Matrices& m, std::size_t which, const MatrixXd& R) {
  constexpr double h = 1e-6;
  VectorXd gradient(m[which].size());
  for (Eigen::Index i = 0; i < gradient.size(); ++i) {
    Matrices up = m, down = m;
    up[which].reshaped()[i] += h;
    down[which].reshaped()[i] -= h;
    gradient[i] = (run(up, R).loss - run(down, R).loss) / (2 * h);
  }
  return gradient;
}

IdealQuery queryOf(const Matrices& m, const MatrixXd& R) {
  const Forward at = run(m, R);
  IdealQuery query;
  query.alpha = at.alpha;
  query.scale = 1 / std::sqrt(static_cast<double>(kWidth));
  query.error = at.p;
  query.error[0] -= 1;
  query.mask = m[4].col(0);
  query.evidence = m[4].col(1);
  query.queryGradient = R * (m[3] * query.evidence);
  query.keyGradient = R.transpose() * (m[2] * query.mask);
  return query;
}

}  // namespace

TEST_CASE("ideal cosines: they equal those of gradients by central differences") {
  RandomStream random(5, 1);
  for (int draw = 0; draw < 3; ++draw) {
    const Matrices m{randomMatrix(random, kWords, kWidth), randomMatrix(random, kWidth, kWidth),
                     randomMatrix(random, kWidth, kWidth), randomMatrix(random, kWidth, kWidth),
                     randomMatrix(random, kWidth, 2)};
    const MatrixXd forward = rotation(0.8), reverse = rotation(-1.7);
    const IdealCosines found = idealCosines({m[0], m[1], m[2], m[3]}, queryOf(m, forward), queryOf(m, reverse));
    const std::array<double, 5> expected = [&] {
      std::array<double, 5> cosines{};
      for (std::size_t i = 0; i < cosines.size(); ++i) {
        const VectorXd f = gradientOf(m, i, forward), r = gradientOf(m, i, reverse);
        cosines[i] = f.dot(r) / (f.norm() * r.norm());
      }
      return cosines;
    }();
    CHECK(found.output == Approx(expected[0]).margin(1e-6));
    CHECK(found.value == Approx(expected[1]).margin(1e-6));
    CHECK(found.query == Approx(expected[2]).margin(1e-6));
    CHECK(found.key == Approx(expected[3]).margin(1e-6));
    CHECK(found.embedding == Approx(expected[4]).margin(1e-6));
  }
}

TEST_CASE(
    "ideal cosines of a model: with ALiBi those of W_Q and W_K are 1 or -1, with RoPE they depend on the rotation") {
  ThreadPool pool(1);
  const Pair pair{4, 1, 4, 6};
  for (const nn::Positions positions : {nn::Positions::Alibi, nn::Positions::Rope}) {
    nn::Transformer<double> model = randomModel(smallPairsModel(positions), pool, 61);
    const MaskedPass forward = maskedPass(model, maskedQuery(pair, Direction::Forward));
    const IdealQuery f = idealQuery(model, forward);
    const MaskedPass reverse = maskedPass(model, maskedQuery(pair, Direction::Reverse));
    const IdealQuery r = idealQuery(model, reverse);
    const IdealCosines found = idealCosines(idealLayer(model), f, r);
    // grad_q S . q = grad_k S . k = the score without its scale.
    const VectorXd q = idealLayer(model).W_Q * f.mask, k = idealLayer(model).W_K * f.evidence;
    CHECK(f.queryGradient.dot(q) == Approx(f.keyGradient.dot(k)).epsilon(1e-12));
    CHECK(found.output == Approx(storageFactors(forward, reverse).errorCosine).epsilon(1e-12));
    if (positions == nn::Positions::Alibi) {
      CHECK(std::abs(found.query) == Approx(1).epsilon(1e-12));
      CHECK(std::abs(found.key) == Approx(1).epsilon(1e-12));
      continue;
    }
    double kRk = 0;
    for (Eigen::Index s = 0; s < k.size() / 2; ++s)
      kRk += std::cos(6 * std::pow(10000.0, -2.0 * static_cast<double>(s) / static_cast<double>(k.size()))) *
             (k[s] * k[s] + k[s + k.size() / 2] * k[s + k.size() / 2]);
    CHECK(std::abs(found.query) == Approx(std::abs(kRk / k.squaredNorm())).epsilon(1e-12));
  }
}
