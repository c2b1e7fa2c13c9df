// SPDX-License-Identifier: Apache-2.0
// Compares metrics of a run's weights with explicit matrices, and decomposes the update of W_qk in real training steps
// [remark att-7]: the change of W_Q W_K^T by gradient descent is exactly the two terms of the form's gradient.
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/attention/update.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers/attention.h"
#include "engine/nn/optimiser.h"
#include "engine/nn/transformer.h"
#include "engine/train/matrix_spectrum.h"
#include "engine/train/metrics.h"
#include "engine/train/run_store.h"

using namespace sepx;
using attention::Matrix;

namespace {

nn::ModelConfig smallModel(int heads, int kvHeads, nn::AttentionKind kind) {
  nn::ModelConfig config;
  config.vocabulary = 11;
  config.length = 7;
  config.layers = 2;
  config.d_model = 12;
  config.heads = heads;
  config.kvHeads = kvHeads;
  config.attention = kind;
  config.attentionBias = config.projectionBias = config.feedForwardBias = false;
  return config;
}

template <class T>
std::vector<T> started(const nn::ModelConfig& config, const nn::ParameterLayout& layout) {
  nn::Initial initial;
  initial.scheme = nn::InitialScheme::Gaussian;
  initial.sigma = 0.3;
  std::vector<T> theta(layout.size());
  RandomStream random(4);
  nn::initialise<T>(initial, config, layout, random, theta);
  return theta;
}

nn::Batch randomBatch(const nn::ModelConfig& config, int sequences) {
  nn::Batch batch;
  batch.sequences = sequences;
  batch.length = config.length;
  RandomStream random(5);
  for (int i = 0; i < sequences * config.length; ++i) {
    batch.tokens.push_back(static_cast<std::int32_t>(random.below(11)));
    batch.targets.push_back({i, static_cast<std::int32_t>(random.below(11)), 1.0F / 16});
  }
  return batch;
}

double valueOf(const std::vector<train::Metric>& metrics, const std::string& name, int layer, int head) {
  for (const train::Metric& metric : metrics)
    if (metric.name == train::metricId(name) && metric.layer == layer && metric.head == head) return metric.value;
  return std::nan("");
}

/// G of one head from the inputs of the layer: the sum over the sequences of X^T beta X.
Matrix headGradient(const nn::Transformer<double>& model, const nn::AttentionProbe<double>& probe,
                    const nn::Batch& batch, int head) {
  const nn::ModelConfig& config = model.config();
  std::vector<double> slopes(static_cast<std::size_t>(config.heads));
  nn::AttentionShape shape = nn::attentionShape(config, slopes);
  shape.sequences = batch.sequences;
  shape.length = batch.length;
  const auto d_q = static_cast<std::size_t>(config.d_q());
  const std::size_t d_kv = static_cast<std::size_t>(config.kv()) * static_cast<std::size_t>(config.d_h());
  const nn::AttentionInput<double> in{probe.qkv.data(), probe.qkv.data() + d_q, probe.qkv.data() + d_q + d_kv,
                                      static_cast<std::size_t>(config.d_qkv())};
  Matrix G = Matrix::Zero(config.d_model, config.d_model), beta(batch.length, batch.length);
  const Eigen::Map<const Matrix> X(probe.x.data(), batch.sequences * batch.length, config.d_model);
  for (int b = 0; b < batch.sequences; ++b) {
    nn::attentionBetas<double>(shape, in, probe.contextGradient.data(), d_q, b, head,
                               {beta.data(), static_cast<std::size_t>(beta.size())});
    G += attention::formGradient(X.middleRows(b * batch.length, batch.length), beta);
  }
  return G;
}

}  // namespace

TEST_CASE("One step of gradient descent changes W_qk of a head exactly by the two terms of its gradient") {
  ThreadPool pool(2);
  for (const nn::AttentionKind kind : {nn::AttentionKind::Softmax, nn::AttentionKind::Linear}) {
    for (const int heads : {1, 3}) {
      for (const int layer : {0, 1}) {
        const nn::ModelConfig config = smallModel(heads, 0, kind);
        nn::Transformer<double> model(config, pool);
        const std::vector<double> start = started<double>(config, model.layout());
        std::copy(start.begin(), start.end(), model.theta().begin());
        const nn::Batch batch = randomBatch(config, 3);
        model.probe().layer = layer;
        model.clearGradient();
        model.accumulate(batch, {});
        const auto before = train::layerFactors<double>(config, model.layout(), start, layer);
        // A large learning rate, so that the second-order term is visible.
        nn::OptimiserOptions options;
        options.rule = nn::Rule::Sgd;
        options.learningRate = 2;
        nn::OptimiserState<double> state;
        std::vector<Matrix> gradients;
        for (int h = 0; h < heads; ++h)
          gradients.push_back(headGradient(model, model.probe(), batch, h));
        nn::step<double>(options, model.theta(), std::as_const(model).gradient(), state);
        const auto after = train::layerFactors<double>(config, model.layout(), std::as_const(model).theta(), layer);
        for (int h = 0; h < heads; ++h) {
          const attention::FormUpdate update =
              attention::formUpdate(before.query(h), before.key(h), gradients[static_cast<std::size_t>(h)]);
          const Matrix change = after.query(h) * after.key(h).transpose() - before.query(h) * before.key(h).transpose();
          INFO("heads " << heads << " layer " << layer << " head " << h);
          CHECK((change - update.change(options.learningRate)).norm() < 1e-12 * change.norm());
          CHECK((change + options.learningRate * update.first).norm() > 1e-3 * change.norm());
          // (S38) states that the change is proportional to G.
          CHECK(std::abs(attention::cosine(change, gradients[static_cast<std::size_t>(h)])) < 0.99);
        }
      }
    }
  }
}

TEST_CASE("In softmax attention the betas of a query sum to 0, so that G is invariant under a shift of all keys") {
  ThreadPool pool(1);
  const nn::ModelConfig config = smallModel(2, 0, nn::AttentionKind::Softmax);
  nn::Transformer<double> model(config, pool);
  const std::vector<double> start = started<double>(config, model.layout());
  std::copy(start.begin(), start.end(), model.theta().begin());
  const nn::Batch batch = randomBatch(config, 1);
  model.probe().layer = 0;
  model.accumulate(batch, {});
  std::vector<double> slopes(2), beta(49);
  nn::AttentionShape shape = nn::attentionShape(config, slopes);
  shape.sequences = 1;
  shape.length = 7;
  const auto& probe = model.probe();
  const nn::AttentionInput<double> in{probe.qkv.data(), probe.qkv.data() + 12, probe.qkv.data() + 24, 36};
  nn::attentionBetas<double>(shape, in, probe.contextGradient.data(), 12, 0, 1, beta);
  double largest = 0;
  for (int i = 0; i < 7; ++i) {
    double sum = 0;
    for (int j = 0; j < 7; ++j) {
      sum += beta[static_cast<std::size_t>(7 * i + j)];
      largest = std::max(largest, std::abs(beta[static_cast<std::size_t>(7 * i + j)]));
    }
    CHECK(std::abs(sum) < 1e-15);
  }
  CHECK(largest > 1e-5);
}

TEST_CASE("Scores of a run's layers and heads are those of the explicit matrices, also with grouped queries") {
  const nn::ModelConfig config = smallModel(4, 2, nn::AttentionKind::Softmax);
  const nn::ParameterLayout layout(config);
  const std::vector<float> theta = started<float>(config, layout);
  std::vector<train::Metric> metrics;
  train::scoreMetrics(config, layout, theta, 30, metrics);
  CHECK(metrics.size() == 2 * 5 * 3);
  for (int layer = 0; layer < 2; ++layer) {
    const nn::Parameter& q = *layout.find(nn::ParameterRole::Query, nn::ParameterKind::Weight, layer);
    const nn::Parameter& k = *layout.find(nn::ParameterRole::Key, nn::ParameterKind::Weight, layer);
    Matrix whole = Matrix::Zero(12, 12);
    for (int h = 0; h < 4; ++h) {
      Matrix M = Matrix::Zero(12, 12);
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
          for (int r = 0; r < 3; ++r)
            M(i, j) += static_cast<double>(theta[q.offset + static_cast<std::size_t>((h * 3 + r) * 12 + i)]) *
                       static_cast<double>(theta[k.offset + static_cast<std::size_t>((h / 2 * 3 + r) * 12 + j)]);
      CHECK(valueOf(metrics, "symmetry", layer, h) == Approx((M * M).trace() / M.squaredNorm()).epsilon(1e-12));
      whole += M;
    }
    CHECK(valueOf(metrics, "symmetry", layer, -1) == Approx((whole * whole).trace() / whole.squaredNorm()));
    const auto cv = [](const Eigen::VectorXd& norms) {
      double mean = 0, square = 0;
      for (const double x : norms)
        mean += x / 12, square += x * x / 12;
      return std::sqrt(square - mean * mean) / mean;
    };
    CHECK(valueOf(metrics, "row_column_cv", layer, -1) ==
          Approx(cv(whole.rowwise().norm()) - cv(whole.colwise().norm().transpose())).epsilon(1e-9));
    CHECK(std::isfinite(valueOf(metrics, "directionality", layer, -1)));
  }
  CHECK(metrics.front().step == 30);
}

TEST_CASE("Weights that are 0 have no score, and none is recorded") {
  const nn::ModelConfig config = smallModel(2, 0, nn::AttentionKind::Softmax);
  const nn::ParameterLayout layout(config);
  const std::vector<float> theta(layout.size(), 0.0F);
  std::vector<train::Metric> metrics;
  train::scoreMetrics(config, layout, theta, 0, metrics);
  train::spectrumMetrics(layout, theta, {}, 0, metrics);
  for (const train::Metric& metric : metrics) {
    CHECK(std::isfinite(metric.value));
    CHECK(metric.name != train::metricId("symmetry"));
  }
}

TEST_CASE("The spectrum of a matrix with known factors has the right values, leading vectors and signs") {
  // W = 6 l r^T + 2 m s^T with orthonormal l, m and r, s.
  Eigen::Vector3d left(2, -1, 2), middle(1, 2, 0), right(-0.6, 0, -0.8), side(0.8, 0, -0.6);
  left.normalize();
  middle.normalize();
  const attention::MatrixF W = (6 * left * right.transpose() + 2 * middle * side.transpose()).cast<float>();
  const train::MatrixSpectrum spectrum = train::matrixSpectrum({W.data(), static_cast<std::size_t>(W.size())}, 3, 3);
  REQUIRE(spectrum.singular.size() == 3);
  CHECK(spectrum.singular[0] == Approx(6).epsilon(1e-6));
  CHECK(spectrum.singular[1] == Approx(2).epsilon(1e-6));
  CHECK(spectrum.singular[2] < 1e-6);
  CHECK(spectrum.ratio() == Approx(3).epsilon(1e-6));
  CHECK((spectrum.left + left).norm() < 1e-6);  // the largest entry of r is negative, so both vectors change sign
  CHECK((spectrum.right + right).norm() < 1e-6);
  std::vector<float> broken{1, 2, std::nanf(""), 4};
  CHECK(train::matrixSpectrum(broken, 2, 2).singular.empty());
}

TEST_CASE(
    "Spectra are computed for watched matrices, by default those of layer 0, and squared norms of gradients add up") {
  const nn::ModelConfig config = smallModel(2, 0, nn::AttentionKind::Softmax);
  const nn::ParameterLayout layout(config);
  const std::vector<float> theta = started<float>(config, layout);
  std::vector<train::Metric> metrics;
  train::spectrumMetrics(layout, theta, {}, 7, metrics);
  CHECK(metrics.size() == 3 * 6);  // W_Q, W_K, W_V, W_O, W_1, W_2
  const std::string name = "layers.0.feed_forward.W_1.weight";
  const double ratio = valueOf(metrics, "sigma1:" + name, 0, -1) / valueOf(metrics, "sigma2:" + name, 0, -1);
  CHECK(valueOf(metrics, "sigma_ratio:" + name, 0, -1) == Approx(ratio));
  metrics.clear();
  train::spectrumMetrics(layout, theta, {"layers.1.attention.W_V.weight", "no such"}, 7, metrics);
  CHECK(metrics.size() == 3);
  CHECK(metrics.front().layer == 1);
  metrics.clear();
  train::gradientMetrics(layout, theta, 7, metrics);
  CHECK(metrics.size() == layout.all().size());
  double squares = 0;
  for (const train::Metric& metric : metrics)
    squares += metric.value * metric.value;
  CHECK(train::gradientNorm(theta) == Approx(std::sqrt(squares)).epsilon(1e-12));
}
