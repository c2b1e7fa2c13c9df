// SPDX-License-Identifier: Apache-2.0
// Symmetry and directionality from the moments of W_qk; see scores.h. No loop over the matrix in here.
#include "engine/attention/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sepx::attention {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();
/// A norm counts as above a threshold only when it is so by more than rounding can do: norms that are all the same
/// (a permutation, an orthogonal matrix) have no outlier at any gamma.
constexpr double kTie = 1e-12;

OutlyingNorms aboveThreshold(const Eigen::VectorXd& norms, double threshold) {
  OutlyingNorms side;
  side.threshold = threshold;
  const double least = threshold + kTie * std::abs(threshold);
  for (const double norm : norms) {
    if (!(norm > least)) continue;
    ++side.outliers;
    side.sum += norm;
    side.excess += norm - threshold;
  }
  return side;
}

OutlyingNorms sideOf(const Eigen::VectorXd& norms, const ScoreOptions& options) {
  const Eigen::Index n = norms.size();
  if (n == 0) return {};
  const double mean = norms.mean();
  const Eigen::Index freedom = n - options.ddof;
  const double deviation = freedom > 0 ? std::sqrt((norms.array() - mean).square().sum() / double(freedom)) : 0;
  OutlyingNorms side = aboveThreshold(norms, mean + options.gamma * deviation);
  side.mean = mean;
  side.deviation = deviation;
  return side;
}

double ratio(double r, double c) {
  const double total = r + c;
  return total == 0 ? 0 : (r - c) / total;
}

double weightOf(const OutlyingNorms& side, Directionality variant) {
  return variant == Directionality::Sum ? side.sum : side.excess;
}

bool comparable(const Moments& moments) {
  return moments.nonfinite == 0 && moments.rowNorms.allFinite() && moments.columnNorms.allFinite();
}

}  // namespace

double symmetry(const Moments& moments) {
  const double s = moments.traceMM / moments.frobenius2;
  if (moments.nonfinite != 0 || !std::isfinite(s)) return kNoScore;
  return std::clamp(s, -1.0, 1.0);
}

double symmetryCode(double s) {
  return (1 + s) / 2;
}

DirectionalityParts directionality(const Moments& moments, const ScoreOptions& options) {
  DirectionalityParts parts;
  parts.rows = sideOf(moments.rowNorms, options);
  parts.columns = sideOf(moments.columnNorms, options);
  parts.value = comparable(moments)
                    ? ratio(weightOf(parts.rows, options.variant), weightOf(parts.columns, options.variant))
                    : kNoScore;
  return parts;
}

double directionalityAt(const Moments& moments, double rowThreshold, double columnThreshold, Directionality variant) {
  if (!comparable(moments) || std::isnan(rowThreshold) || std::isnan(columnThreshold)) return kNoScore;
  return ratio(weightOf(aboveThreshold(moments.rowNorms, rowThreshold), variant),
               weightOf(aboveThreshold(moments.columnNorms, columnThreshold), variant));
}

double gammaAt(const OutlyingNorms& side, double threshold) {
  return side.deviation > 0 ? (threshold - side.mean) / side.deviation : 0;
}

Scores scoresOf(const Moments& moments, const ScoreOptions& options) {
  return {symmetry(moments), directionality(moments, options).value};
}

}  // namespace sepx::attention
