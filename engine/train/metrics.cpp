// SPDX-License-Identifier: Apache-2.0
// Metrics of the weights of a run; see metrics.h. Computed in double precision, with sums in the order of the arrays.
#include "engine/train/metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/nn/canonical_projection.h"
#include "engine/train/matrix_spectrum.h"
#include "engine/train/run_store.h"

namespace sepx::train {
namespace {

using nn::Parameter;
using nn::ParameterKind;
using nn::ParameterRole;

double deviationOverMean(const Eigen::VectorXd& norms) {
  const double mean = norms.mean();
  return std::sqrt((norms.array() - mean).square().mean()) / mean;
}

void add(std::vector<Metric>& out, std::int64_t step, const std::string& name, int layer, int head, double value) {
  if (std::isfinite(value)) out.push_back({step, metricId(name), layer, head, value});
}

void addScores(std::vector<Metric>& out, std::int64_t step, int layer, int head, const attention::Moments& moments) {
  const attention::Scores scores = attention::scoresOf(moments, {});
  add(out, step, "symmetry", layer, head, scores.symmetry);
  add(out, step, "directionality", layer, head, scores.directionality);
  add(out, step, "row_column_cv", layer, head, rowColumnCv(moments));
}

void addCanonical(const nn::ModelConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                  std::int64_t step, std::vector<Metric>& out) {
  constexpr int kWidest = 256;  // above this the eigenvectors take seconds
  if (config.input != nn::Input::Bit || config.d_model > kWidest || !nn::checkProjection(config)) return;
  const nn::CanonicalProjection point = nn::projectCanonical(config, layout, theta);
  const bool attention = config.attention == nn::AttentionKind::Linear;
  for (const auto& [name, value] : {std::pair{"canonical_e", point.e},
                                    {"canonical_w", point.w},
                                    {"canonical_a", attention ? point.a : std::nan("")},
                                    {"canonical_b", point.b},
                                    {"canonical_residual", point.residual},
                                    {"canonical_uneven", point.uneven}})
    add(out, step, name, -1, -1, value);
}

double norm(std::span<const float> values) {
  double sum = 0;
  for (const float value : values)
    sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

std::vector<const Parameter*> watched(const nn::ParameterLayout& layout, const std::vector<std::string>& watch) {
  std::vector<const Parameter*> found;
  for (const std::string& name : watch)
    if (const Parameter* parameter = layout.find(name)) found.push_back(parameter);
  if (!watch.empty()) return found;
  for (const Parameter& parameter : layout.all())
    if (parameter.kind == ParameterKind::Weight && parameter.layer == 0) found.push_back(&parameter);
  return found;
}

}  // namespace

template <class T>
attention::LayerFactors layerFactors(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                                     std::span<const T> theta, int layer) {
  const auto transposed = [&](ParameterRole role) {
    const Parameter* parameter = layout.find(role, ParameterKind::Weight, layer);
    assert(parameter != nullptr && theta.size() == layout.size());
    using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Rows> weight(theta.data() + parameter->offset, parameter->rows, parameter->columns);
    return attention::Matrix(weight.transpose().template cast<double>());
  };
  attention::LayerFactors factors;
  factors.heads = config.heads;
  factors.d_h = config.d_h();
  factors.W_Q = transposed(ParameterRole::Query);
  factors.W_K = transposed(ParameterRole::Key);
  for (int h = 0; h < config.heads; ++h)
    factors.keyHead.push_back(h / (config.heads / config.kv()));
  return factors;
}

template attention::LayerFactors layerFactors<float>(const nn::ModelConfig&, const nn::ParameterLayout&,
                                                     std::span<const float>, int);
template attention::LayerFactors layerFactors<double>(const nn::ModelConfig&, const nn::ParameterLayout&,
                                                      std::span<const double>, int);

double rowColumnCv(const attention::Moments& moments) {
  return deviationOverMean(moments.rowNorms) - deviationOverMean(moments.columnNorms);
}

void scoreMetrics(const nn::ModelConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                  std::int64_t step, std::vector<Metric>& out) {
  addCanonical(config, layout, theta, step, out);
  for (int layer = 0; layer < config.layers; ++layer) {
    const attention::LayerFactors factors = layerFactors(config, layout, theta, layer);
    addScores(out, step, layer, -1, *attention::momentsOf(factors));
    if (config.heads == 1) continue;
    const std::vector<attention::Moments> heads = *attention::momentsOfHeads(factors);
    for (std::size_t h = 0; h < heads.size(); ++h)
      addScores(out, step, layer, static_cast<int>(h), heads[h]);
  }
}

void spectrumMetrics(const nn::ParameterLayout& layout, std::span<const float> theta,
                     const std::vector<std::string>& watch, std::int64_t step, std::vector<Metric>& out) {
  for (const Parameter* parameter : watched(layout, watch)) {
    const MatrixSpectrum spectrum =
        matrixSpectrum(theta.subspan(parameter->offset, parameter->size()), parameter->rows, parameter->columns);
    if (spectrum.singular.empty()) continue;
    add(out, step, "sigma1:" + parameter->name, parameter->layer, -1, spectrum.singular[0]);
    if (spectrum.singular.size() > 1)
      add(out, step, "sigma2:" + parameter->name, parameter->layer, -1, spectrum.singular[1]);
    add(out, step, "sigma_ratio:" + parameter->name, parameter->layer, -1, spectrum.ratio());
  }
}

void gradientMetrics(const nn::ParameterLayout& layout, std::span<const float> gradient, std::int64_t step,
                     std::vector<Metric>& out) {
  for (const Parameter& parameter : layout.all())
    add(out, step, "gradient_norm:" + parameter.name, parameter.layer, -1,
        norm(gradient.subspan(parameter.offset, parameter.size())));
}

void answerMetrics(const reversal::AccuracyReport& report, std::string_view suffix, std::int64_t step,
                   std::vector<Metric>& out) {
  for (const reversal::Direction direction : reversal::kDirections) {
    const reversal::Answers& answers = report.of(direction);
    for (const auto& [name, value] : {std::pair{"_accuracy", answers.accuracy},
                                      {"_accuracy_letters", answers.letters},
                                      {"_probability", answers.probability},
                                      {"_zero", answers.zero}})
      add(out, step, reversal::directionWord(direction) + std::string(name) + std::string(suffix), -1, -1, value);
  }
}

double gradientNorm(std::span<const float> gradient) {
  return norm(gradient);
}

}  // namespace sepx::train
