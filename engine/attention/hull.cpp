// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/hull.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <Eigen/QR>

namespace sepx::attention {
namespace {

using Eigen::Index;
using Vector = Eigen::VectorXd;
using Given = Eigen::Ref<const Matrix>;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-14;  // for squared lengths, scaled so that the longest is 1
constexpr int kMostSteps = 10000;

/// A subset of the points, with positive weights that sum to 1.
struct Corral {
  std::vector<Index> points;
  std::vector<double> weights;

  Vector sum(const Matrix& P) const {
    Vector z = Vector::Zero(P.cols());
    for (std::size_t i = 0; i < points.size(); ++i)
      z += weights[i] * P.row(points[i]).transpose();
    return z;
  }
  /// Weights, of any sign, of the point nearest to 0 in the affine hull.
  Vector affine(const Matrix& P) const {
    Matrix chosen(static_cast<Index>(points.size()), P.cols());
    for (std::size_t i = 0; i < points.size(); ++i)
      chosen.row(static_cast<Index>(i)) = P.row(points[i]);
    const Eigen::MatrixXd gram = (chosen * chosen.transpose()).array() + 1;
    const Vector u = gram.completeOrthogonalDecomposition().solve(Vector::Ones(gram.rows()));
    return u / u.sum();
  }
  /// Moves towards the affine point until a weight becomes 0, and drops that point. Returns false if the affine point
  /// was reached.
  bool shorten(const Vector& v) {
    double share = 1;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (const double to = v(static_cast<Index>(i)); to <= kTolerance)
        share = std::min(share, weights[i] / (weights[i] - to));
    bool all = true;
    Corral left;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double weight = (1 - share) * weights[i] + share * v(static_cast<Index>(i));
      if (weight <= kTolerance) {
        all = false;
        continue;
      }
      left.points.push_back(points[i]);
      left.weights.push_back(weight);
    }
    *this = std::move(left);
    return !all;
  }
};

Combination combinationOf(const Given& keys, const std::vector<double>& weights, double radius) {
  const Eigen::Map<const Vector> of(weights.data(), static_cast<Index>(weights.size()));
  const double distance = nearestInHull(keys, keys.transpose() * of).distance;
  return {of.sum(), of.minCoeff(), radius > 0 ? distance / radius : kUndefined};
}

}  // namespace

HullPoint nearestInHull(const Given& points, const Vector& y) {
  assert(points.rows() > 0 && points.cols() == y.size());
  Matrix P = points.rowwise() - y.transpose();
  const double scale = std::sqrt(P.rowwise().squaredNorm().maxCoeff());
  HullPoint found{Vector::Zero(points.rows()), 0};
  Index nearest = 0;
  P.rowwise().squaredNorm().minCoeff(&nearest);
  Corral corral{{nearest}, {1}};
  if (scale > 0) P /= scale;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector z = corral.sum(P);
    Index next = 0;
    const double least = (P * z).minCoeff(&next);
    const bool known = std::find(corral.points.begin(), corral.points.end(), next) != corral.points.end();
    if (known || z.squaredNorm() - least <= kTolerance) break;
    corral.points.push_back(next);
    corral.weights.push_back(0);
    while (corral.shorten(corral.affine(P))) {
    }
  }
  for (std::size_t i = 0; i < corral.points.size(); ++i)
    found.weights(corral.points[i]) = corral.weights[i];
  found.distance = scale * corral.sum(P).norm();
  return found;
}

FormReading readForm(const LayerFactors& factors, int head, const Given& keys, const Ranking& ranking) {
  assert(keys.rows() == static_cast<Index>(ranking.raw.size()));
  Matrix scores = Matrix::Zero(keys.rows(), keys.rows());  // x_k^T W_qk x_j
  for (int h = 0; h < factors.heads; ++h)
    if (head < 0 || head == h) scores += (keys * factors.query(h)) * (keys * factors.key(h)).transpose();
  const Eigen::RowVectorXd mean = keys.colwise().mean();
  const double radius = std::sqrt((keys.rowwise() - mean).rowwise().squaredNorm().maxCoeff());
  FormReading reading{combinationOf(keys, ranking.softmax, radius), combinationOf(keys, ranking.raw, radius), {}, 0};
  for (Index j = 0; j < keys.rows(); ++j)
    reading.own.push_back(scores(j, j));
  const Eigen::Map<const Vector> raw(ranking.raw.data(), static_cast<Index>(ranking.raw.size()));
  const Vector once = keys.transpose() * raw, again = keys.transpose() * (scores.transpose() * raw);
  reading.twice = once.norm() > 0 ? (again - once).norm() / once.norm() : kUndefined;
  return reading;
}

}  // namespace sepx::attention
