// SPDX-License-Identifier: Apache-2.0
// Initialisation: deviations and bounds of the draws, ranks, tied matrices, and refusals.
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>
#include <Eigen/Core>

#include "engine/markov/energy.h"
#include "engine/nn/initialise.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ModelConfig mediumModel() {
  ModelConfig config;
  config.vocabulary = 80;
  config.length = 50;
  config.layers = 3;
  config.d_model = 48;
  config.heads = 4;
  config.output = Output::Untied;
  config.outputBias = true;
  return config;
}

ModelConfig markovModel(int d) {
  ModelConfig config;
  config.length = 6;
  config.d_model = d;
  config.input = Input::Bit;
  config.norm = Norm::None;
  config.activation = Activation::Relu;
  config.outputBias = true;
  return config;
}

struct Started {
  ParameterLayout layout;
  std::vector<double> theta;
  Rows matrix(const Parameter& parameter) const {
    return Eigen::Map<const Rows>(theta.data() + parameter.offset, parameter.rows, parameter.columns);
  }
  Rows matrix(ParameterRole role, ParameterKind kind = ParameterKind::Weight, int layer = 0) const {
    const Parameter* parameter = layout.find(role, kind, layer);
    REQUIRE(parameter != nullptr);
    return matrix(*parameter);
  }
};

Started started(const Initial& initial, const ModelConfig& config, std::uint64_t seed = 7) {
  REQUIRE(check(initial, config));
  Started out{ParameterLayout(config), {}};
  out.theta.assign(out.layout.size(), std::nan(""));
  RandomStream random(seed);
  initialise<double>(initial, config, out.layout, random, out.theta);
  REQUIRE(std::all_of(out.theta.begin(), out.theta.end(), [](double value) { return std::isfinite(value); }));
  return out;
}

Initial scheme(InitialScheme which, double sigma = 0.02) {
  Initial initial;
  initial.scheme = which;
  initial.sigma = sigma;
  return initial;
}

/// The error of the root mean square relative to `wanted`, in standard errors. For independent entries it is below 5.
double deviationError(const Rows& matrix, double wanted) {
  const double n = static_cast<double>(matrix.size());
  return std::abs(std::sqrt(matrix.squaredNorm() / n) / wanted - 1) * std::sqrt(2 * n);
}
double meanError(const Rows& matrix, double deviation) {
  return std::abs(matrix.mean()) / deviation * std::sqrt(static_cast<double>(matrix.size()));
}

/// The norm of a matrix without its part along its largest row, relative to the whole: 0 for rank one.
double beyondRankOne(const Rows& matrix) {
  Eigen::Index largest = 0;
  matrix.rowwise().norm().maxCoeff(&largest);
  const Eigen::VectorXd direction = matrix.row(largest).transpose().normalized();
  return (matrix - matrix * direction * direction.transpose()).norm() / matrix.norm();
}

/// Tr(MM)/|M|^2.
double symmetryOf(const Rows& M) {
  return (M * M).trace() / M.squaredNorm();
}
/// W_qk of the query heads [first, last) of layer 0, each with its key head.
Rows form(const Started& model, const ModelConfig& config, int first, int last) {
  const Rows Q = model.matrix(ParameterRole::Query), K = model.matrix(ParameterRole::Key);
  const int d_h = config.d_h(), group = config.heads / config.kv();
  Rows M = Rows::Zero(config.d_model, config.d_model);
  for (int h = first; h < last; ++h)
    M += Q.middleRows(h * d_h, d_h).transpose() * K.middleRows(h / group * d_h, d_h);
  return M;
}

}  // namespace

TEST_CASE("Gaussian, GPT-2 and BERT starts have their stated deviations, biases of 0 and gains of 1") {
  const ModelConfig config = mediumModel();
  for (const InitialScheme which : {InitialScheme::Gaussian, InitialScheme::Gpt2, InitialScheme::Bert}) {
    const double sigma = which == InitialScheme::Gaussian ? 0.3 : 0.02;
    const Started model = started(scheme(which, sigma), config);
    for (const Parameter& parameter : model.layout.all()) {
      INFO(parameter.name);
      const Rows values = model.matrix(parameter);
      if (parameter.kind == ParameterKind::Bias || parameter.kind == ParameterKind::NormBias) {
        CHECK(values.isZero(0));
      } else if (parameter.kind == ParameterKind::NormGain) {
        CHECK((values.array() == 1).all());
      } else {
        const bool last = parameter.role == ParameterRole::Projection || parameter.role == ParameterRole::Down;
        double wanted = which == InitialScheme::Gpt2 && last ? sigma / std::sqrt(6.0) : sigma;
        // The deviation of N(0,1) truncated at 2: sqrt(1 - 2 * 2 phi(2) / (2 Phi(2) - 1)).
        if (which == InitialScheme::Bert) wanted *= 0.8796256610342398;
        CHECK(deviationError(values, wanted) < 5);
        CHECK(meanError(values, wanted) < 5);
        if (which == InitialScheme::Bert) CHECK(values.cwiseAbs().maxCoeff() <= 2 * sigma);
        if (which == InitialScheme::Gaussian && values.size() > 1000) CHECK(values.cwiseAbs().maxCoeff() > 2 * sigma);
      }
    }
  }
}

TEST_CASE("A zero output layer contains only zeros and changes nothing else of the start") {
  ModelConfig config = mediumModel();
  config.output = Output::Untied;
  config.outputBias = true;
  Initial initial = scheme(InitialScheme::Uniform);
  const Started plain = started(initial, config);
  initial.zeroOutput = true;
  REQUIRE(check(initial, config));
  const Started zero = started(initial, config);
  for (const Parameter& parameter : zero.layout.all()) {
    INFO(parameter.name);
    const bool output = parameter.role == ParameterRole::Output || parameter.role == ParameterRole::OutputBias;
    if (output) CHECK(zero.matrix(parameter).cwiseAbs().maxCoeff() == 0);
    if (!output) CHECK(zero.matrix(parameter) == plain.matrix(parameter));
  }
  config.output = Output::Tied;
  CHECK(check(initial, config).error().message ==
        "initial.zero_output is true, but model.output \"tied\" takes the logits from the embedding; choose "
        "model.output \"untied\"");
}

TEST_CASE("The uniform start equals that of torch: weights and biases by input width, embeddings N(0,1)") {
  ModelConfig config = mediumModel();
  config.normBias = true;
  Initial initial = scheme(InitialScheme::Uniform);
  initial.normBiasStart = 1;
  const Started model = started(initial, config);
  for (const Parameter& parameter : model.layout.all()) {
    INFO(parameter.name);
    const Rows values = model.matrix(parameter);
    const double in = parameter.role == ParameterRole::Down ? config.ff() : config.d_model;
    if (parameter.kind == ParameterKind::NormGain || parameter.kind == ParameterKind::NormBias) {
      CHECK((values.array() == 1).all());
    } else if (parameter.role == ParameterRole::Embedding || parameter.role == ParameterRole::Position) {
      CHECK(deviationError(values, 1) < 5);
    } else {
      CHECK(values.cwiseAbs().maxCoeff() < 1 / std::sqrt(in));
      CHECK(values.cwiseAbs().maxCoeff() > 0.8 / std::sqrt(in));
      CHECK(deviationError(values, 1 / std::sqrt(3 * in)) < 5);
    }
  }
}

TEST_CASE("In a rank-one start every weight has rank one and embeddings lie on a hypercube") {
  const ModelConfig config = mediumModel();
  const Started model = started(scheme(InitialScheme::RankOne, 0.05), config);
  for (const Parameter& parameter : model.layout.all()) {
    INFO(parameter.name);
    const Rows values = model.matrix(parameter);
    if (parameter.kind == ParameterKind::Weight) {
      CHECK(beyondRankOne(values) < 1e-14);
      CHECK(values.norm() > 0.3 * 0.05 * std::sqrt(static_cast<double>(values.size())));
    }
    if (parameter.kind == ParameterKind::Embedding || parameter.kind == ParameterKind::Position) {
      CHECK((values.array().abs() == 0.05).all());
      CHECK(std::abs(values.mean()) < 0.05 * 5 / std::sqrt(static_cast<double>(values.size())));
    }
  }
}

TEST_CASE("A seed determines the model, in float as in double, and another seed gives another model") {
  const ModelConfig config = mediumModel();
  for (const InitialScheme which : {InitialScheme::Gpt2, InitialScheme::Bert, InitialScheme::Uniform}) {
    Initial initial = scheme(which);
    const Started one = started(initial, config), again = started(initial, config), other = started(initial, config, 8);
    CHECK(one.theta == again.theta);
    CHECK(one.theta != other.theta);
    std::vector<float> single(one.theta.size());
    RandomStream random(7);
    initialise<float>(initial, config, one.layout, random, single);
    CHECK(std::equal(single.begin(), single.end(), one.theta.begin(),
                     [](float x, double y) { return x == static_cast<float>(y); }));
  }
}

TEST_CASE("The proposed start has the canonical scalars of each reading, inside or outside I_common") {
  for (const int d : {4, 8}) {
    const ModelConfig config = markovModel(d);
    for (const ProposedReading reading : {ProposedReading::Scalars, ProposedReading::Literal}) {
      Initial initial = scheme(InitialScheme::Proposed);
      initial.reading = reading;
      const Started model = started(initial, config);
      const bool literal = reading == ProposedReading::Literal;
      const Rows E = model.matrix(ParameterRole::Embedding, ParameterKind::Embedding, -1);
      const Rows W1 = model.matrix(ParameterRole::Up), W2 = model.matrix(ParameterRole::Down);
      const double e = E.norm(), root = std::sqrt(static_cast<double>(d));
      CHECK(e == Approx(literal ? 0.5 * root : 0.5));
      // W_2 W_1 = w|w|/d * 4d alpha alpha^T.
      const double ww = (W2 * W1).trace() / 4, w = -std::sqrt(-ww);
      CHECK(w == Approx(literal ? -d : -1));
      CHECK((W2 * W1 - 4 * ww / (e * e) * E.transpose() * E).norm() < 1e-12 * std::abs(ww));
      const bool common = w < 0 && e * e > markov::separatrixSquared(w);
      CHECK(common == !literal);
      const Rows P = model.matrix(ParameterRole::Position, ParameterKind::Position, -1);
      if (literal)
        CHECK(deviationError(P, 0.02) < 5);
      else
        CHECK((P.rowwise() + 0.5 * E.row(0)).norm() < 1e-15);
      CHECK(deviationError(model.matrix(ParameterRole::Value), 0.02) < 5);
    }
  }
}

TEST_CASE("Tying keys to queries makes every head symmetric or skew, with W_K as large as W_Q") {
  ModelConfig config = mediumModel();
  for (const InitialScheme which : {InitialScheme::Gaussian, InitialScheme::Uniform}) {
    Initial initial = scheme(which);
    initial.queryKey = QueryKeyStart::Symmetric;
    const Started symmetric = started(initial, config);
    CHECK(symmetric.matrix(ParameterRole::Key) == symmetric.matrix(ParameterRole::Query));
    CHECK(symmetric.matrix(ParameterRole::Key, ParameterKind::Bias, 2) ==
          symmetric.matrix(ParameterRole::Query, ParameterKind::Bias, 2));
    initial.queryKey = QueryKeyStart::Skew;
    const Started skew = started(initial, config);
    for (int h = 0; h < config.heads; ++h) {
      CHECK(symmetryOf(form(symmetric, config, h, h + 1)) == Approx(1).margin(1e-12));
      CHECK(symmetryOf(form(skew, config, h, h + 1)) == Approx(-1).margin(1e-12));
    }
    CHECK(symmetryOf(form(skew, config, 0, config.heads)) == Approx(-1).margin(1e-12));
    const double ratio = skew.matrix(ParameterRole::Key).norm() / skew.matrix(ParameterRole::Query).norm();
    CHECK(ratio > 0.8);
    CHECK(ratio < 1.2);
    // This also holds for scores of tokens with a bias: b_Q . k_i = q_i . b_K (symmetric), and its negative (skew).
    const Rows b_Q = skew.matrix(ParameterRole::Query, ParameterKind::Bias);
    const Rows b_K = skew.matrix(ParameterRole::Key, ParameterKind::Bias);
    const Rows left = b_Q.transpose() * skew.matrix(ParameterRole::Key);
    const Rows right = b_K.transpose() * skew.matrix(ParameterRole::Query);
    CHECK((left + right).norm() <= 1e-12 * (1 + left.norm()));
  }
}

TEST_CASE("With grouped queries the form of the layer is symmetric or skew") {
  ModelConfig config = mediumModel();
  config.kvHeads = 2;
  Initial initial = scheme(InitialScheme::Gaussian);
  initial.queryKey = QueryKeyStart::Symmetric;
  CHECK(symmetryOf(form(started(initial, config), config, 0, 4)) == Approx(1).margin(1e-12));
  initial.queryKey = QueryKeyStart::Skew;
  CHECK(symmetryOf(form(started(initial, config), config, 0, 4)) == Approx(-1).margin(1e-12));
}

TEST_CASE("Unmet requirements of a start are refused with one message that names the field") {
  const auto refused = [](const Initial& initial, const ModelConfig& config, const char* field) {
    const Result<void> result = check(initial, config);
    REQUIRE_FALSE(result);
    INFO(result.error().message);
    CHECK(result.error().kind == ErrorKind::Usage);
    CHECK(result.error().message.find(field) != std::string::npos);
  };
  Initial canonical = scheme(InitialScheme::Canonical), proposed = scheme(InitialScheme::Proposed);
  const ModelConfig good = markovModel(8);
  CHECK(check(canonical, good));
  CHECK(check(proposed, good));
  const auto changed = [&good](auto&& change) {
    ModelConfig config = good;
    change(config);
    return config;
  };
  for (const Initial& initial : {canonical, proposed}) {
    refused(initial, changed([](ModelConfig& c) { c.layers = 2; }), "model.layers");
    refused(initial, changed([](ModelConfig& c) { c.d_ff = 0; }), "model.d_ff");
    refused(initial, changed([](ModelConfig& c) { c.activation = Activation::GeluErf; }), "model.activation");
    refused(initial, changed([](ModelConfig& c) { c.input = Input::Table, c.vocabulary = 3; }), "model.vocabulary");
    CHECK(check(initial, changed([](ModelConfig& c) { c.input = Input::Table, c.vocabulary = 2; })));
  }
  refused(canonical, changed([](ModelConfig& c) { c.heads = 2; }), "model.heads");
  refused(canonical, changed([](ModelConfig& c) { c.norm = Norm::Layer; }), "model.norm");
  CHECK(check(proposed, changed([](ModelConfig& c) { c.norm = Norm::Layer; })));
  refused(canonical, changed([](ModelConfig& c) { c.positions = Positions::Rope; }), "model.positions");
  canonical.b = 1;
  refused(canonical, changed([](ModelConfig& c) { c.outputBias = false; }), "model.output_bias");
  canonical.a = -1;
  refused(canonical, good, "model.attention");
  CHECK(check(canonical, changed([](ModelConfig& c) { c.attention = AttentionKind::Linear; })));
  canonical.a = std::nan("");
  refused(canonical, good, "initial.a");
  Initial skew = scheme(InitialScheme::Gpt2);
  skew.queryKey = QueryKeyStart::Skew;
  ModelConfig odd = mediumModel();
  odd.headDim = 11;
  refused(skew, odd, "initial.query_key");
  skew.sigma = -1;
  refused(skew, mediumModel(), "initial.sigma");
}
