// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/norm_growth.h"

#include <algorithm>
#include <cassert>
#include <cmath>

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

}  // namespace

Eigen::VectorXd powerVariances(Eigen::Index d, double power) {
  Eigen::VectorXd variances(d);
  for (Eigen::Index m = 0; m < d; ++m)
    variances[m] = std::pow(static_cast<double>(m + 1), -power);
  return variances / variances.mean();
}

double expectedRatio(const NormModel& model, Eigen::Index column, Eigen::Index row) {
  return model.context[column] * model.predicted.sum() / (model.predicted[row] * model.context.sum());
}

NormGrowth growNorms(const NormModel& model, std::int64_t updates, std::uint64_t seed,
                     const std::function<bool()>& cancelled) {
  const Eigen::Index d = model.predicted.size();
  assert(model.context.size() == d && model.tokens > 0);
  constexpr std::int64_t kAsk = 256;
  const Eigen::VectorXd sigma = model.predicted.cwiseSqrt(), gamma = model.context.cwiseSqrt();
  const double beta = 1 / std::sqrt(static_cast<double>(model.tokens));
  RandomStream random(seed);
  const auto normals = [&random](Eigen::VectorXd& to) {
    for (double& value : to)
      value = random.normal();
  };
  Samples rows(d), columns(d);
  Eigen::VectorXd x(d), y(d), all(d);
  NormGrowth growth;
  growth.sum = Matrix::Zero(d, d);
  for (; growth.updates < updates; ++growth.updates) {
    if (growth.updates % kAsk == 0 && cancelled && cancelled()) break;
    all.setZero();
    for (int i = 0; i < model.tokens; ++i) {
      normals(x);
      all += beta * random.normal() * x;
    }
    all = all.cwiseProduct(sigma);
    normals(y);
    y = y.cwiseProduct(gamma);
    rows.add(all.cwiseAbs2() * y.squaredNorm());
    columns.add(y.cwiseAbs2() * all.squaredNorm());
    growth.sum.noalias() += all * y.transpose();
  }
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
  return growth;
}

double TwoValues::deviation() const {
  return (high - low) * std::sqrt(share * (1 - share));
}

TailExample tailExample(double mean, double wide, double narrow, double z) {
  assert(z > mean && wide > narrow && narrow > 0);
  // A law of mean and deviation s with one value at mean + t has the other at mean - s^2/t.
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
