// SPDX-License-Identifier: Apache-2.0
// Weights of a transformer as matrices in double. Private to engine/reversal; any thread.
#pragma once

#include <Eigen/Core>

#include "engine/nn/transformer.h"

namespace sepx::reversal {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  ///< as weights are stored
/// [rows, columns]; the weight must exist.
template <class T>
RowMajor<double> weightOf(const nn::Transformer<T>& model, nn::ParameterRole role, nn::ParameterKind kind, int layer) {
  const nn::Parameter* const at = model.layout().find(role, kind, layer);
  return Eigen::Map<const RowMajor<T>>(model.theta().data() + at->offset, at->rows, at->columns)
      .template cast<double>();
}

/// U times the gain of the last norm. Layer norm subtracts the mean of the vector on which U acts, so here the mean of
/// each row of U is subtracted.
template <class T>
RowMajor<double> outputOf(const nn::Transformer<T>& model) {
  const nn::ModelConfig& config = model.config();
  const bool tied = config.output == nn::Output::Tied;
  RowMajor<double> U = weightOf(model, tied ? nn::ParameterRole::Embedding : nn::ParameterRole::Output,
                                nn::ParameterKind::Embedding, -1);
  if (config.norm == nn::Norm::None || !config.finalNorm) return U;
  U *= weightOf(model, nn::ParameterRole::FinalNorm, nn::ParameterKind::NormGain, -1).col(0).asDiagonal();
  if (config.norm == nn::Norm::Layer) U.colwise() -= U.rowwise().mean().eval();
  return U;
}

}  // namespace sepx::reversal
