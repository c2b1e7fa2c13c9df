// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/pair_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/update.h"

namespace sepx::attention {
namespace {

using Eigen::Index;
using View = Eigen::Ref<const Matrix>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool both(const View& beta, Index i, Index j) {
  return beta(i, j) != 0 && beta(j, i) != 0;
}

/// Computes a pair from |x_i|^2 |x_j|^2 and (x_i . x_j)^2.
Pair pairFrom(const View& beta, int i, int j, double norms2, double product2) {
  Pair pair;
  pair.i = std::min(i, j);
  pair.j = std::max(i, j);
  const double b = pair.beta_ij = beta(pair.i, pair.j), c = pair.beta_ji = beta(pair.j, pair.i);
  // M = b x y^T + c y x^T
  const double squared = (b * b + c * c) * norms2 + 2 * b * c * product2;
  const double trace = (b * b + c * c) * product2 + 2 * b * c * norms2;
  pair.norm = std::sqrt(std::max(squared, 0.0));
  pair.symmetry = squared > 0 ? std::clamp(trace / squared, -1.0, 1.0) : kNone;
  return pair;
}

}  // namespace

Matrix rankOneTerm(const View& X, const View& beta, int i, int j) {
  return beta(i, j) * X.row(i).transpose() * X.row(j);
}

Matrix pairTerm(const View& X, const View& beta, int i, int j) {
  Matrix term = rankOneTerm(X, beta, i, j);
  if (i != j) term += rankOneTerm(X, beta, j, i);
  return term;
}

Pair pairOf(const View& X, const View& beta, int i, int j) {
  const double product = X.row(i).dot(X.row(j));
  return pairFrom(beta, i, j, X.row(i).squaredNorm() * X.row(j).squaredNorm(), product * product);
}

std::vector<Pair> strongestPairs(const View& X, const View& beta, std::size_t most) {
  const Matrix products = X * X.transpose();
  std::vector<Pair> pairs;
  for (int i = 0; i < static_cast<int>(X.rows()); ++i)
    for (int j = i + 1; j < static_cast<int>(X.rows()); ++j)
      pairs.push_back(pairFrom(beta, i, j, products(i, i) * products(j, j), products(i, j) * products(i, j)));
  most = std::min(most, pairs.size());
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(most), pairs.end(),
                    [](const Pair& a, const Pair& b) {
                      if (a.norm != b.norm) return a.norm > b.norm;
                      return a.i != b.i ? a.i < b.i : a.j < b.j;
                    });
  pairs.resize(most);
  return pairs;
}

MirroredTerms mirroredTerms(const View& beta) {
  MirroredTerms terms;
  double whole = 0, mirrored = 0;
  for (Index i = 0; i < beta.rows(); ++i)
    for (Index j = 0; j < beta.cols(); ++j) {
      if (i == j || beta(i, j) == 0) continue;
      const double square = beta(i, j) * beta(i, j);
      whole += square;
      if (beta(j, i) != 0) {
        ++terms.mirrored;
        mirrored += square;
      } else {
        ++terms.single;
      }
    }
  terms.energy = whole > 0 ? mirrored / whole : kNone;
  return terms;
}

GradientParts gradientParts(const View& X, const View& beta) {
  Matrix own = Matrix::Zero(beta.rows(), beta.cols()), mirrored = own, single = own;
  for (Index i = 0; i < beta.rows(); ++i)
    for (Index j = 0; j < beta.cols(); ++j)
      (i == j ? own : both(beta, i, j) ? mirrored : single)(i, j) = beta(i, j);
  return {formGradient(X, own), formGradient(X, mirrored), formGradient(X, single)};
}

BetaSymmetry betaSymmetry(const View& beta) {
  BetaSymmetry out;
  double sum = 0, whole = 0, products = 0;
  for (Index i = 0; i < beta.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      whole += beta(i, j) * beta(i, j) + beta(j, i) * beta(j, i);
      products += 2 * beta(i, j) * beta(j, i);
      if (!both(beta, i, j)) continue;
      ++out.pairs;
      sum += beta(i, j) + beta(j, i);
    }
  out.score = whole > 0 ? products / whole : kNone;
  const double mean = sum / (2 * static_cast<double>(out.pairs));
  double covariance = 0, variance = 0;
  for (Index i = 0; i < beta.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      if (!both(beta, i, j)) continue;
      const double a = beta(i, j) - mean, b = beta(j, i) - mean;
      covariance += 2 * a * b;
      variance += a * a + b * b;
    }
  out.correlation = out.pairs > 1 && variance > 0 ? covariance / variance : kNone;
  return out;
}

TokenUpdate tokenUpdate(const View& X, const View& beta, std::span<const int> places) {
  TokenUpdate update;
  update.context = update.predicted = Matrix::Zero(X.cols(), X.cols());
  for (const int place : places) {
    update.context += X.transpose() * beta.col(place) * X.row(place);
    update.predicted += X.row(place).transpose() * (beta.row(place) * X);
    for (Index other = 0; other < beta.rows(); ++other) {
      if (other == place) continue;
      update.contextTerms += beta(other, place) != 0;
      update.predictedTerms += beta(place, other) != 0;
    }
  }
  return update;
}

Eigen::VectorXd rowSums(const View& beta) {
  return beta.rowwise().sum();
}

}  // namespace sepx::attention
