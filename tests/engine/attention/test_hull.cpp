// SPDX-License-Identifier: Apache-2.0
// Compares the nearest point of a convex hull with triangles worked out by hand and with the optimality condition, and
// the combinations of keys by attention with the operators of Remark A.4 written as matrices.
#include <catch2/catch.hpp>

#include "engine/attention/hull.h"
#include "tests/engine/attention/random_factors.h"

namespace sepx::attention::hull_tests {

TEST_CASE("The nearest point of a triangle is found from inside, from beyond a side and from beyond a corner") {
  Matrix corners(3, 2);
  corners << 0, 0, 4, 0, 0, 2;
  const auto at = [&](double x, double y) { return nearestInHull(corners, Eigen::Vector2d(x, y)); };
  const HullPoint inside = at(1, 0.5);  // weights 1/2, 1/4, 1/4
  CHECK(inside.distance < 1e-12);
  CHECK(inside.weights(0) == Approx(0.5));
  CHECK(inside.weights(1) == Approx(0.25));
  CHECK(inside.weights(2) == Approx(0.25));
  CHECK(at(1, -3).distance == Approx(3));
  CHECK(at(1, -3).weights(1) == Approx(0.25));
  CHECK(at(7, -4).distance == Approx(5));
  CHECK(at(7, -4).weights(1) == Approx(1));
  CHECK(at(4, 2).distance == Approx(4 / std::sqrt(5.0)));  // distance from the line x + 2 y = 4
}

TEST_CASE("The nearest point of a hull satisfies the optimality condition at every corner") {
  std::mt19937_64 generator(8);
  for (const Eigen::Index d : {2, 5, 40})
    for (int n = 0; n < 20; ++n) {
      Matrix points = gaussian(generator, 24, d);
      points.row(3) = points.row(7);  // a repeated point
      const Eigen::VectorXd y = (n % 2 == 0 ? 3.0 : 0.3) * gaussian(generator, d, 1);
      const HullPoint found = nearestInHull(points, y);
      const Eigen::VectorXd z = points.transpose() * found.weights - y;
      CHECK(found.weights.minCoeff() >= 0);
      CHECK(found.weights.sum() == Approx(1));
      CHECK(found.distance == Approx(z.norm()).margin(1e-12));
      for (Eigen::Index k = 0; k < 24; ++k)
        CHECK(z.dot(points.row(k).transpose() - y) >= z.squaredNorm() - 1e-9 * (1 + y.squaredNorm()));
    }
}

TEST_CASE("The softmax sum of keys lies in their hull, the raw sum only in their span; P is idempotent where c is 1") {
  const LayerFactors factors = randomFactors(12, 12, 3, 3, 4, 17);
  std::mt19937_64 generator(2);
  const Matrix keys = 0.3 * gaussian(generator, 6, 12);
  const Eigen::VectorXd x = gaussian(generator, 12, 1);
  for (const int head : {-1, 1}) {
    const Matrix M = head < 0 ? literal(factors) : literal(headOf(factors, head));
    std::vector<double> raw;
    for (Eigen::Index j = 0; j < 6; ++j)
      raw.push_back(x.dot(M * keys.row(j).transpose()));
    const FormReading reading = readForm(factors, head, keys, ranking(raw, 0.5));
    CHECK(reading.softmax.sum == Approx(1));
    CHECK(reading.softmax.least > 0);
    CHECK(reading.softmax.outside < 1e-10);
    CHECK(reading.raw.outside > 0.1);
    double sum = 0;
    for (const double score : raw)
      sum += score;
    CHECK(reading.raw.sum == Approx(sum));
    CHECK(reading.raw.least == *std::min_element(raw.begin(), raw.end()));
    Matrix S = Matrix::Zero(12, 12);
    for (Eigen::Index j = 0; j < 6; ++j) {
      const Eigen::VectorXd key = keys.row(j).transpose();
      const Matrix P = key * key.transpose() * M.transpose();  // P x = (x^T M key) key
      CHECK((P * x - raw[static_cast<std::size_t>(j)] * key).norm() < 1e-12);
      const double c = reading.own[static_cast<std::size_t>(j)];
      CHECK((P * P - P).norm() / P.norm() == Approx(std::abs(c - 1)));
      CHECK((P * P - c * P).norm() < 1e-12 * P.norm());
      S += P;
    }
    CHECK(reading.twice == Approx((S * (S * x) - S * x).norm() / (S * x).norm()));
  }
  // For orthonormal keys and the identity as form, S is a projection.
  LayerFactors identity{1, 12, Matrix::Identity(12, 12), Matrix::Identity(12, 12), {0}};
  const Matrix axes = Matrix::Identity(5, 12);
  const FormReading plain = readForm(identity, -1, axes, ranking({x(0), x(1), x(2), x(3), x(4)}, 1));
  CHECK(plain.own == std::vector<double>(5, 1));
  CHECK(plain.twice < 1e-14);
}

}  // namespace sepx::attention::hull_tests
