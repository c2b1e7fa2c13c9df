// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/random_band.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include <boost/math/special_functions/erf.hpp>

#include "engine/core/random.h"

namespace sepx::attention {
namespace {

using Eigen::Index;

constexpr std::uint64_t kSeed = 0x5e9a4a7b;
constexpr int kNormalRank = 16;  ///< from this rank on s is normal to three digits (skewness 3/r^2, kurtosis 12/r^2)
/// Above this gamma few of kBandSize norms exceed the threshold, and d has atoms that shrink with n.
constexpr double kFarTail = 2.5;
constexpr int kFarBandSize = 4 * kBandSize;
constexpr std::size_t kRemembered = 512;

Matrix gaussian(RandomStream& random, Index rows, Index columns) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped<Eigen::RowMajor>())
    entry = random.normal();
  return matrix;
}

/// Gamma variate, shape a, scale 1 [Marsaglia and Tsang 2000]: from a normal and a uniform number, by rejection.
double gammaVariate(RandomStream& random, double a) {
  if (a < 1) return gammaVariate(random, a + 1) * std::pow(1 - random.uniform(), 1 / a);
  const double d = a - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root, u = 1 - random.uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

/// E Tr((M^T M)^2) / E |M|^4.
double concentration(double n, double r) {
  if (r == 0) return (2 * n + 1) / (n * n + 2);
  return ((n + 1) * (n + r + 1) + n * r + 2) / (n * (n * r + 2) + 2 * (n + r + 1));
}

/// Distribution of a squared norm q^T G q, G = W_K^T W_K, approximated by shift + scale chi^2_freedom with the same
/// first three moments.
struct NormShape {
  double shift = 0, scale = 1, freedom = 1;
};

/// From Tr G, Tr G^2, Tr G^3.
NormShape shapeOfTraces(double p1, double p2, double p3) {
  return {p1 - p2 * p2 / p3, p3 / p2, p2 * p2 * p2 / (p3 * p3)};
}

/// The shape for the expected traces. Their deviations are negligible unless the rank is small.
NormShape expectedShape(double n, double r) {
  if (r == 0) return {0, 1, n};
  return shapeOfTraces(r * n, r * n * (n + r + 1), r * n * (n * n + 3 * n * r + r * r + 3 * n + 3 * r + 4));
}

/// A lower triangular L for which L L^T is a Wishart matrix of r dimensions and `freedom` degrees of freedom
/// [Bartlett].
Matrix bartlett(RandomStream& random, Index r, double freedom) {
  Matrix L = Matrix::Zero(r, r);
  for (Index i = 0; i < r; ++i) {
    for (Index j = 0; j < i; ++j)
      L(i, j) = random.normal();
    L(i, i) = std::sqrt(2 * gammaVariate(random, (freedom - double(i)) / 2));
  }
  return L;
}

/// Samples s of a form with n rows and small rank r without drawing the n rows. After a rotation with W_K = [R; 0],
/// only the upper r rows of W_Q are multiplied by R. The other rows enter through their Gram matrix, a Wishart matrix
/// of n - r degrees of freedom.
double symmetryOfRank(RandomStream& random, Index n, Index r) {
  const Matrix L = bartlett(random, r, double(n));
  const Matrix upper = gaussian(random, r, r);
  Matrix gramQ = upper.transpose() * upper;
  if (n - r >= r) {
    const Matrix rest = bartlett(random, r, double(n - r));
    gramQ += rest * rest.transpose();
  } else {
    const Matrix rest = gaussian(random, n - r, r);
    gramQ += rest.transpose() * rest;
  }
  const Matrix C = L * upper;  // W_K^T W_Q, R^T = L
  return C.cwiseProduct(C.transpose()).sum() / gramQ.cwiseProduct(L * L.transpose()).sum();
}

double weight(const Eigen::VectorXd& norms, const ScoreOptions& options) {
  Moments one;
  one.rowNorms = norms;
  const OutlyingNorms side = directionality(one, options).rows;
  return options.variant == Directionality::Sum ? side.sum : side.excess;
}

/// The shape for a randomly drawn W_K of small rank.
NormShape drawnShape(RandomStream& random, Index n, Index r) {
  const Matrix L = bartlett(random, r, double(n)), G = L * L.transpose();
  return shapeOfTraces(G.trace(), G.squaredNorm(), (G * G).cwiseProduct(G).sum());
}

/// Samples n norms, scaled so that their squares sum to 1. The sum is the same for the rows and the columns of a
/// matrix.
Eigen::VectorXd drawnNorms(RandomStream& random, Index n, const NormShape& shape) {
  Eigen::VectorXd squares(n);
  for (double& square : squares)
    square = std::max(0.0, shape.shift) + shape.scale * 2 * gammaVariate(random, shape.freedom / 2);
  return (squares / squares.sum()).cwiseSqrt();
}

/// Samples d from `drawn` independent row norms and as many column norms of a form with n rows.
double directionalityOfNorms(RandomStream& random, Index n, Index rank, Index drawn, const ScoreOptions& options) {
  const bool small = rank > 0 && rank <= std::min<Index>(kNormalRank, n);
  const auto shape = [&] { return small ? drawnShape(random, n, rank) : expectedShape(double(n), double(rank)); };
  const double r = weight(drawnNorms(random, drawn, shape()), options);
  const double c = weight(drawnNorms(random, drawn, shape()), options);
  return r + c == 0 ? 0 : (r - c) / (r + c);
}

/// The `share` quantile of sorted values. On average a share k / (N + 1) of the distribution lies below the k-th of N
/// values.
double order(const std::vector<double>& sorted, double share) {
  const double place = share * double(sorted.size() + 1);
  const auto k = static_cast<std::ptrdiff_t>(share > 0.5 ? std::ceil(place) : std::floor(place));
  return sorted[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k, 1, std::ptrdiff_t(sorted.size())) - 1)];
}

Band symmetryBand(std::vector<double> values, int n, int rank, double level) {
  Band band;
  band.mean = 1.0 / n;
  band.deviation = symmetryDeviation(n, rank);
  if (values.empty()) {
    const double reach = std::sqrt(2.0) * boost::math::erf_inv(level) * band.deviation;
    band.low = std::max(-1.0, band.mean - reach);
    band.high = std::min(1.0, band.mean + reach);
    return band;
  }
  std::sort(values.begin(), values.end());
  band.low = order(values, (1 - level) / 2);
  band.high = order(values, (1 + level) / 2);
  return band;
}

/// The distribution of d is symmetric about 0, and so is the band.
Band directionalityBand(std::vector<double> values, double level) {
  Band band;
  double squares = 0;
  for (double& value : values) {
    squares += value * value;
    value = std::abs(value);
  }
  std::sort(values.begin(), values.end());
  band.deviation = std::sqrt(squares / double(values.size()));
  band.high = order(values, level);
  band.low = -band.high;
  return band;
}

RandomBands sample(int n, int rank, const ScoreOptions& options, double level) {
  std::vector<double> s, d;
  const bool direct = n <= kDirectSize;
  const int drawn = std::min(n, options.gamma > kFarTail ? kFarBandSize : kBandSize);
  const double shrink = std::sqrt(double(drawn) / n);
  for (int i = 0; i < kBandSamples; ++i) {
    RandomStream random(kSeed, static_cast<std::uint64_t>(i));
    if (direct) {
      const Matrix Q = gaussian(random, n, rank == 0 ? n : rank);
      const Moments moments = momentsOf(rank == 0 ? Q : Matrix(Q * gaussian(random, n, rank).transpose()));
      s.push_back(symmetry(moments));
      d.push_back(directionality(moments, options).value);
      continue;
    }
    const double value = directionalityOfNorms(random, n, rank, drawn, options);
    d.push_back(shrink == 1 || std::abs(value) == 1 ? value : std::tanh(shrink * std::atanh(value)));
    if (rank > 0 && rank <= kNormalRank) s.push_back(symmetryOfRank(random, n, rank));
  }
  RandomBands bands;
  bands.symmetry = symmetryBand(std::move(s), n, rank, level);
  bands.directionality = directionalityBand(std::move(d), level);
  bands.samples = kBandSamples;
  bands.level = level;
  return bands;
}

}  // namespace

double symmetryDeviation(int n, int rank) {
  if (n <= 1) return 0;
  const double size = n;
  const double second = (3 * (size + 1) - 6 * concentration(size, rank)) / (size * (size - 1) * (size + 2));
  return std::sqrt(std::max(0.0, second - 1 / (size * size)));
}

RandomBands randomBands(int n, int rank, const ScoreOptions& options, double level) {
  using Key = std::tuple<int, int, double, Directionality, int, double>;
  // A cache for the whole process: values of a pure function that take seconds to sample, shared by all windows,
  // commands and tests.
  static std::mutex mutex;
  static std::map<Key, RandomBands> remembered;
  if (n < 1 || !std::isfinite(options.gamma) || !(level > 0 && level < 1)) return {};
  const Key key{n, std::max(rank, 0), options.gamma, options.variant, options.ddof, level};
  {
    const std::lock_guard lock(mutex);
    const auto found = remembered.find(key);
    if (found != remembered.end()) return found->second;
  }
  const RandomBands bands = sample(n, std::max(rank, 0), options, level);
  const std::lock_guard lock(mutex);
  if (remembered.size() >= kRemembered) remembered.clear();  // the user may drag a threshold through many values
  remembered.emplace(key, bands);
  return bands;
}

}  // namespace sepx::attention
