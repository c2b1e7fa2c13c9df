// SPDX-License-Identifier: Apache-2.0
#include "engine/train/layer_matrices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/train/matrix_spectrum.h"

namespace sepx::train {
namespace {

using attention::MatrixF;

constexpr std::array kMatrices{LayerMatrixInfo{LayerMatrix::Up, "W_1", false, true},
                               LayerMatrixInfo{LayerMatrix::Gate, "W_gate", false, true},
                               LayerMatrixInfo{LayerMatrix::Down, "W_2", true, false},
                               LayerMatrixInfo{LayerMatrix::Value, "W_V", false, true},
                               LayerMatrixInfo{LayerMatrix::Output, "W_O", true, false},
                               LayerMatrixInfo{LayerMatrix::ValueOutput, "W_OW_V", true, true},
                               LayerMatrixInfo{LayerMatrix::Query, "W_Q", false, true},
                               LayerMatrixInfo{LayerMatrix::Key, "W_K", false, true},
                               LayerMatrixInfo{LayerMatrix::Form, "W_qk", true, true},
                               LayerMatrixInfo{LayerMatrix::Embedding, "E", false, true}};

/// Null if it is missing or has another shape.
const MatrixF* found(const NamedMatrices& parameters, const std::string& name, Eigen::Index rows,
                     Eigen::Index columns) {
  const auto at = parameters.find(name);
  if (at == parameters.end() || at->second.rows() != rows || at->second.cols() != columns) return nullptr;
  return &at->second;
}

LeadingVector leadingOf(const Eigen::VectorXd& v, const Eigen::VectorXd& e) {
  LeadingVector leading{std::numeric_limits<double>::quiet_NaN(), cornerRatio(v)};
  if (v.size() == e.size() && v.norm() > 0 && e.norm() > 0)
    leading.cosine = std::min(1.0, std::abs(v.dot(e)) / (v.norm() * e.norm()));
  return leading;
}

}  // namespace

std::span<const LayerMatrixInfo> layerMatrices() {
  return kMatrices;
}

const LayerMatrixInfo& infoOf(LayerMatrix which) {
  return kMatrices[static_cast<std::size_t>(which)];
}

std::optional<LayerMatrix> layerMatrix(std::string_view word) {
  for (const LayerMatrixInfo& info : kMatrices)
    if (word == info.word) return info.which;
  return std::nullopt;
}

std::vector<std::string> parametersOf(const nn::ModelConfig& model, LayerMatrix which, int layer) {
  const auto attention = [layer](char letter) { return fmt::format("layers.{}.attention.W_{}.weight", layer, letter); };
  const auto feedForward = [layer](const char* name) {
    return fmt::format("layers.{}.feed_forward.W_{}.weight", layer, name);
  };
  const bool feeds = model.ff() > 0, gated = feeds && model.activation == nn::Activation::SwiGlu;
  if (layer < 0 || layer >= model.layers) return {};
  switch (which) {
    case LayerMatrix::Up:
      return feeds ? std::vector{feedForward("1")} : std::vector<std::string>();
    case LayerMatrix::Gate:
      return gated ? std::vector{feedForward("gate")} : std::vector<std::string>();
    case LayerMatrix::Down:
      return feeds ? std::vector{feedForward("2")} : std::vector<std::string>();
    case LayerMatrix::Value:
      return {attention('V')};
    case LayerMatrix::Output:
      return {attention('O')};
    case LayerMatrix::ValueOutput:
      return {attention('V'), attention('O')};
    case LayerMatrix::Query:
      return {attention('Q')};
    case LayerMatrix::Key:
      return {attention('K')};
    case LayerMatrix::Form:
      return {attention('Q'), attention('K')};
    case LayerMatrix::Embedding:
      break;
  }
  if (model.readsImages()) return {};
  return {kEmbeddingName};
}

std::optional<MatrixF> matrixOf(const nn::ModelConfig& model, const NamedMatrices& parameters, LayerMatrix which,
                                int layer, int head) {
  const std::vector<std::string> names = parametersOf(model, which, layer);
  const Eigen::Index d = model.d_model, d_h = model.d_h(), ff = model.ff(), d_q = model.d_q(), d_kv = model.kv() * d_h;
  if (names.empty() || head >= model.heads) return std::nullopt;
  const auto one = [&](Eigen::Index rows, Eigen::Index columns) -> std::optional<MatrixF> {
    const MatrixF* const matrix = found(parameters, names.front(), rows, columns);
    return matrix ? std::optional(*matrix) : std::nullopt;
  };
  const int group = model.heads / model.kv();  // query heads that use one key head
  const auto ofHead = [&](std::optional<MatrixF> matrix, Eigen::Index at) -> std::optional<MatrixF> {
    if (!matrix || head < 0) return matrix;
    return MatrixF(matrix->middleRows(at * d_h, d_h));
  };
  const auto sumOverHeads = [&](auto add) -> std::optional<MatrixF> {
    MatrixF sum = MatrixF::Zero(d, d);
    for (int h = std::max(0, head); h < (head < 0 ? model.heads : head + 1); ++h)
      add(sum, Eigen::Index{h} * d_h, Eigen::Index{h / group} * d_h);
    return sum;
  };
  switch (which) {
    case LayerMatrix::Up:
    case LayerMatrix::Gate:
      return one(ff, d);
    case LayerMatrix::Down:
      return one(d, ff);
    case LayerMatrix::Query:
      return ofHead(one(d_q, d), head);
    case LayerMatrix::Key:
    case LayerMatrix::Value:
      return ofHead(one(d_kv, d), head / group);
    case LayerMatrix::Output: {
      std::optional<MatrixF> whole = one(d, d_q);
      if (!whole || head < 0) return whole;
      return MatrixF(whole->middleCols(Eigen::Index{head} * d_h, d_h));
    }
    case LayerMatrix::ValueOutput: {
      const MatrixF *const V = found(parameters, names[0], d_kv, d), *const O = found(parameters, names[1], d, d_q);
      if (!V || !O) return std::nullopt;
      return sumOverHeads([&](MatrixF& sum, Eigen::Index query, Eigen::Index key) {
        sum += O->middleCols(query, d_h) * V->middleRows(key, d_h);
      });
    }
    case LayerMatrix::Form: {
      const MatrixF *const Q = found(parameters, names[0], d_q, d), *const K = found(parameters, names[1], d_kv, d);
      if (!Q || !K) return std::nullopt;
      return sumOverHeads([&](MatrixF& sum, Eigen::Index query, Eigen::Index key) {
        sum += Q->middleRows(query, d_h).transpose() * K->middleRows(key, d_h);
      });
    }
    case LayerMatrix::Embedding:
      break;
  }
  const auto at = parameters.find(names.front());
  return at != parameters.end() && at->second.cols() == d ? std::optional(at->second) : std::nullopt;
}

EmbeddingVector embeddingVector(const nn::ModelConfig& model, const MatrixF& embedding) {
  using Kind = EmbeddingVector::Kind;
  if (embedding.rows() == 0 || embedding.cols() == 0) return {};
  if (model.input == nn::Input::Bit) return {Kind::Vector, embedding.row(0).transpose().cast<double>()};
  if (embedding.rows() == 2)
    return {Kind::Difference, (embedding.row(1) - embedding.row(0)).transpose().cast<double>()};
  if (embedding.size() > kLargestRead) return {Kind::Leading, {}};
  return {Kind::Leading, matrixSpectrum({embedding.data(), static_cast<std::size_t>(embedding.size())},
                                        static_cast<int>(embedding.rows()), static_cast<int>(embedding.cols()))
                             .right};
}

double cornerRatio(const Eigen::VectorXd& v) {
  if (v.size() == 0 || !(v.cwiseAbs().maxCoeff() > 0)) return std::numeric_limits<double>::quiet_NaN();
  return v.cwiseAbs().maxCoeff() / v.cwiseAbs().minCoeff();
}

MatrixReading readMatrix(const MatrixF& matrix, const LayerMatrixInfo& info, const EmbeddingVector& e) {
  MatrixReading reading;
  reading.ratio = std::numeric_limits<double>::quiet_NaN();
  if (matrix.size() > kLargestRead) return reading;
  MatrixSpectrum spectrum = matrixSpectrum({matrix.data(), static_cast<std::size_t>(matrix.size())},
                                           static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
  reading.ratio = spectrum.ratio();
  if (info.left && spectrum.left.size() > 0) reading.left = leadingOf(spectrum.left, e.e);
  if (info.right && spectrum.right.size() > 0) reading.right = leadingOf(spectrum.right, e.e);
  reading.singular = std::move(spectrum.singular);
  return reading;
}

}  // namespace sepx::train
