// SPDX-License-Identifier: Apache-2.0
// The constraints on symmetry: value and gradient compared with the definition and central differences on both routes,
// the guards, and gradient descent to their minima.
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>
#include <Eigen/Core>

#include "engine/nn/constraint.h"
#include "engine/nn/initialise.h"
#include "tests/engine/nn/gradient_check.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ModelConfig model(int layers, int d, int heads, int kv, int d_h) {
  ModelConfig config;
  config.vocabulary = 3;
  config.length = 2;
  config.layers = layers;
  config.d_model = d;
  config.heads = heads;
  config.kvHeads = kv;
  config.headDim = d_h;
  config.d_ff = 0;
  return config;
}

/// From the definition: the sum over layers of |M|^2 / |M_s|^2 or |M|^2 / |M_n|^2.
double byDefinition(ConstraintKind kind, const ModelConfig& config, const ParameterLayout& layout,
                    const std::vector<double>& theta) {
  double sum = 0;
  for (int layer = 0; layer < config.layers; ++layer) {
    const Parameter& q = *layout.find(ParameterRole::Query, ParameterKind::Weight, layer);
    const Parameter& k = *layout.find(ParameterRole::Key, ParameterKind::Weight, layer);
    const Eigen::Map<const Rows> Q(theta.data() + q.offset, q.rows, q.columns),
        K(theta.data() + k.offset, k.rows, k.columns);
    Rows M = Rows::Zero(config.d_model, config.d_model);
    const int d_h = config.d_h(), group = config.heads / config.kv();
    for (int h = 0; h < config.heads; ++h)
      M += Q.middleRows(h * d_h, d_h).transpose() * K.middleRows(h / group * d_h, d_h);
    const Rows part = 0.5 * (kind == ConstraintKind::Symmetric ? Rows(M + M.transpose()) : Rows(M - M.transpose()));
    sum += M.squaredNorm() / part.squaredNorm();
  }
  return sum;
}

}  // namespace

TEST_CASE("A constraint agrees with |M|^2 / |part|^2 and its gradient with central differences on both routes") {
  // The matrix route (2 r >= d) and the factor route (2 r < d), with grouped queries on each.
  for (const ModelConfig& config : {model(2, 6, 2, 2, 3), model(1, 12, 2, 2, 2), model(1, 7, 4, 2, 3),
                                    model(2, 16, 4, 2, 3), model(1, 5, 1, 1, 9)}) {
    const ParameterLayout layout(config);
    for (const ConstraintKind kind : {ConstraintKind::Symmetric, ConstraintKind::Skew}) {
      std::vector<double> theta = test::randomValues(layout.size(), 3);
      const Constraint constraint{kind, 0.7};
      std::vector<double> gradient(layout.size(), 0.0);
      const auto value = [&] { return constrain<double>(constraint, config, layout, theta, std::span<double>()); };
      const double wanted = 0.7 * byDefinition(kind, config, layout, theta);
      CHECK(value() == Approx(wanted).epsilon(1e-13));
      CHECK(constrain<double>(constraint, config, layout, theta, gradient) == Approx(wanted).epsilon(1e-13));
      for (const Parameter& parameter : layout.all()) {
        const std::span<double> x = std::span(theta).subspan(parameter.offset, parameter.size());
        const std::span<const double> g = std::span(gradient).subspan(parameter.offset, parameter.size());
        INFO(parameter.name << " d " << config.d_model);
        CHECK(test::gradientError(x, g, value) < test::kGradientTolerance);
      }
      std::vector<double> twice = gradient;
      constrain<double>(constraint, config, layout, theta, twice, -0.5);
      for (std::size_t i = 0; i < twice.size(); ++i)
        REQUIRE(twice[i] == Approx(0.5 * gradient[i]).margin(1e-15));
    }
  }
}

TEST_CASE("A constraint in float agrees with that in double") {
  const ModelConfig config = model(2, 24, 3, 3, 8);
  const ParameterLayout layout(config);
  const std::vector<double> theta = test::randomValues(layout.size(), 5, 0.02);
  const std::vector<float> single = test::converted<float>(theta);
  const std::vector<double> rounded = test::converted<double>(single);
  std::vector<double> gradient(layout.size(), 0.0);
  std::vector<float> singleGradient(layout.size(), 0.0F);
  const Constraint constraint{ConstraintKind::Symmetric, 1};
  const double value = constrain<double>(constraint, config, layout, rounded, gradient);
  CHECK(constrain<float>(constraint, config, layout, single, singleGradient) == Approx(value).epsilon(1e-6));
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    difference += std::pow(gradient[i] - static_cast<double>(singleGradient[i]), 2);
    size += gradient[i] * gradient[i];
  }
  CHECK(std::sqrt(difference / size) < 1e-5);
}

TEST_CASE("Guards handle the zero matrix, s = -1 under the symmetric and s = 1 under the skew constraint") {
  const ModelConfig config = model(1, 6, 1, 1, 6);
  const ParameterLayout layout(config);
  Initial initial;
  initial.scheme = InitialScheme::Gaussian;
  for (const bool symmetric : {true, false}) {
    initial.queryKey = symmetric ? QueryKeyStart::Skew : QueryKeyStart::Symmetric;
    const Constraint constraint{symmetric ? ConstraintKind::Symmetric : ConstraintKind::Skew, 2};
    std::vector<double> theta(layout.size()), gradient(layout.size(), 0.0);
    RandomStream random(1);
    initialise<double>(initial, config, layout, random, theta);
    CHECK(constrain<double>(constraint, config, layout, theta, gradient) == Approx(2 * 2 / 1e-6));
    CHECK(gradient == std::vector<double>(layout.size(), 0.0));
    theta.assign(layout.size(), 0.0);
    CHECK(constrain<double>(constraint, config, layout, theta, gradient) == 4);
    CHECK(gradient == std::vector<double>(layout.size(), 0.0));
  }
  std::vector<double> theta = test::randomValues(layout.size(), 2), gradient(layout.size(), 0.0);
  CHECK(constrain<double>({ConstraintKind::None, 1}, config, layout, theta, gradient) == 0);
  CHECK(constrain<double>({ConstraintKind::Skew, 0}, config, layout, theta, gradient) == 0);
  CHECK(gradient == std::vector<double>(layout.size(), 0.0));
}

TEST_CASE("Descent on the symmetric constraint ends at s = 1, and on the skew constraint at s = -1") {
  const ModelConfig config = model(1, 8, 2, 2, 4);
  const ParameterLayout layout(config);
  for (const ConstraintKind kind : {ConstraintKind::Symmetric, ConstraintKind::Skew}) {
    std::vector<double> theta = test::randomValues(layout.size(), 9), gradient;
    const Constraint constraint{kind, 1};
    double value = 0;
    for (int step = 0; step < 2000; ++step) {
      gradient.assign(layout.size(), 0.0);
      value = constrain<double>(constraint, config, layout, theta, gradient);
      for (std::size_t i = 0; i < theta.size(); ++i)
        theta[i] -= 0.5 * gradient[i];
    }
    CHECK(value == Approx(1).epsilon(1e-4));
  }
}
