// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/norm_growth.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "engine/core/random.h"

namespace sepx::attention {
namespace {

/// Sum and sum of squares of a vector of samples.
struct Samples {
  Eigen::VectorXd sum, squares;

  explicit Samples(Eigen::Index d) : sum(Eigen::VectorXd::Zero(d)), squares(Eigen::VectorXd::Zero(d)) {}
  void add(const Eigen::VectorXd& values) {
    sum += values;
    squares += values.cwiseAbs2();
  }
  Eigen::VectorXd mean(double count) const { return sum / count; }
  Eigen::VectorXd error(double count) const {
    return ((squares / count - mean(count).cwiseAbs2()).cwiseMax(0.0) / count).cwiseSqrt();
  }
};

double varianceOf(const Eigen::VectorXd& values) {
  return (values.array() - values.mean()).square().mean();
}

/// Pr[t* at position k], k = 1 ... N + 1; uniform for roles that ignore the position (Bidirectional).
std::vector<double> placeShares(const NormModel& model) {
  const double power = model.role == TokenRole::Autoregressive ? -model.early : 0;
  std::vector<double> P(static_cast<std::size_t>(model.tokens) + 1);
  double sum = 0;
  for (std::size_t k = 0; k < P.size(); ++k)
    sum += P[k] = std::pow(static_cast<double>(k + 1), power);
  for (double& value : P)
    value /= sum;
  return P;
}

/// n_c and n_p of one sequence.
class Roles {
 public:
  struct Drawn {
    int context = 0, predicted = 0;
  };
  explicit Roles(const NormModel& model) : model_(model) {
    if (model.role == TokenRole::Autoregressive) places_ = placeShares(model);
  }
  Drawn draw(RandomStream& random) const {
    const int N = model_.tokens;
    if (model_.role == TokenRole::Context) return {N, 0};
    if (model_.role == TokenRole::Predicted) return {0, N};
    if (model_.role == TokenRole::Autoregressive) {
      double left = random.uniform();
      int before = 0;
      while (before < N && (left -= places_[static_cast<std::size_t>(before)]) >= 0)
        ++before;
      return {N - before, before};
    }
    const bool masked = random.uniform() < model_.mask;
    Drawn drawn;
    for (int i = 0; i < N; ++i)
      if ((random.uniform() < model_.mask) != masked) ++(masked ? drawn.predicted : drawn.context);
    return drawn;
  }

 private:
  const NormModel& model_;
  std::vector<double> places_;
};

/// Computes the statistics of the sum and of the updates.
void finish(NormGrowth& growth, const Samples& rows, const Samples& columns) {
  const double count = static_cast<double>(std::max<std::int64_t>(growth.updates, 1));
  growth.rows2 = rows.mean(count);
  growth.columns2 = columns.mean(count);
  growth.rowErrors = rows.error(count);
  growth.columnErrors = columns.error(count);
  growth.moments = momentsOf(growth.sum);
  growth.rows = survivalOf(growth.moments.rowNorms);
  growth.columns = survivalOf(growth.moments.columnNorms);
  growth.rowVariance = varianceOf(growth.moments.rowNorms);
  growth.columnVariance = varianceOf(growth.moments.columnNorms);
}

}  // namespace

Eigen::VectorXd powerVariances(Eigen::Index d, double power) {
  Eigen::VectorXd variances(d);
  for (Eigen::Index m = 0; m < d; ++m)
    variances[m] = std::pow(static_cast<double>(m + 1), -power);
  return variances / variances.mean();
}

TokenCounts expectedCounts(const NormModel& model) {
  const double N = model.tokens;
  switch (model.role) {
    case TokenRole::Context:
      return {N, 0};
    case TokenRole::Predicted:
      return {0, N};
    case TokenRole::Autoregressive:
      return autoregressiveCounts(placeShares(model));
    case TokenRole::Bidirectional:
      return bidirectionalCounts(placeShares(model), model.mask);
  }
  return {};
}

ExpectedNorms expectedNorms(const NormModel& model) {
  const TokenCounts counts = expectedCounts(model);
  const double asContext = counts.context / model.tokens, asPredicted = counts.predicted / model.tokens;
  const double sigma = model.predicted.sum(), gamma = model.context.sum();
  return {asContext * gamma * model.predicted + asPredicted * sigma * model.context,
          asContext * sigma * model.context + asPredicted * gamma * model.predicted};
}

double expectedRatio(const NormModel& model, Eigen::Index column, Eigen::Index row) {
  const ExpectedNorms norms = expectedNorms(model);
  return norms.columns2[column] / norms.rows2[row];
}

NormGrowth growNorms(const NormModel& model, std::int64_t updates, std::uint64_t seed,
                     const std::function<bool()>& cancelled) {
  const Eigen::Index d = model.predicted.size();
  assert(model.context.size() == d && model.tokens > 0);
  constexpr std::int64_t kAsk = 256;
  const Eigen::VectorXd sigma = model.predicted.cwiseSqrt(), gamma = model.context.cwiseSqrt();
  RandomStream random(seed);
  const Roles roles(model);
  Samples rows(d), columns(d);
  Eigen::VectorXd x(d), y(d), asContext(d), asPredicted(d);
  const auto normals = [&random](Eigen::VectorXd& to) {
    for (double& value : to)
      value = random.normal();
  };
  /// sum of beta_i x_i over `count` tokens
  const auto gather = [&](int count, Eigen::VectorXd& to) {
    const double beta = 1 / std::sqrt(static_cast<double>(model.tokens));
    to.setZero();
    for (int i = 0; i < count; ++i) {
      normals(x);
      to += beta * random.normal() * x;
    }
    to = to.cwiseProduct(sigma);
  };
  NormGrowth growth;
  growth.sum = Matrix::Zero(d, d);
  for (; growth.updates < updates; ++growth.updates) {
    if (growth.updates % kAsk == 0 && cancelled && cancelled()) break;
    const Roles::Drawn drawn = roles.draw(random);
    gather(drawn.context, asContext);
    gather(drawn.predicted, asPredicted);
    normals(y);
    y = y.cwiseProduct(gamma);
    const double crossRows = 2 * y.dot(asPredicted), crossColumns = 2 * y.dot(asContext), own = y.squaredNorm();
    rows.add(asContext.cwiseAbs2() * own + crossRows * asContext.cwiseProduct(y) +
             asPredicted.squaredNorm() * y.cwiseAbs2());
    columns.add(asPredicted.cwiseAbs2() * own + crossColumns * asPredicted.cwiseProduct(y) +
                asContext.squaredNorm() * y.cwiseAbs2());
    growth.sum.noalias() += asContext * y.transpose();
    if (drawn.predicted > 0) growth.sum.noalias() += y * asPredicted.transpose();
  }
  finish(growth, rows, columns);
  return growth;
}

double TwoValues::deviation() const {
  return (high - low) * std::sqrt(share * (1 - share));
}

TailExample tailExample(double mean, double wide, double narrow, double z) {
  assert(z > mean && wide > narrow && narrow > 0);
  // A two-point distribution with this mean, deviation s and one value at mean + t has the other value at mean - s^2/t.
  const auto lawWith = [mean](double s, double t) {
    return TwoValues{mean - s * s / t, mean + t, s * s / (s * s + t * t)};
  };
  TailExample example;
  example.z = z;
  example.wide = lawWith(wide, z - mean);
  example.wide.high = z;  // not above it
  example.narrow = lawWith(narrow, (z - mean) * (1 + 1e-6));
  return example;
}

double lemmaThreshold(double mean, double wide, double narrow) {
  return std::sqrt(wide * narrow) - mean;
}

}  // namespace sepx::attention
