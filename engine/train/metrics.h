// SPDX-License-Identifier: Apache-2.0
// Metrics of the weights of a run: symmetry and directionality of W_qk per layer and head [Attention-Structure,
// Definitions 3.1, 3.2 as corrected], a less noisy alternative to the latter, singular values of chosen matrices and
// gradient norms. In the names of metrics the part after a colon is the name of a parameter of the layout:
//   symmetry, directionality, row_column_cv          per layer, and per head if there are several (head -1: the layer)
//   sigma1:PARAMETER, sigma2:PARAMETER, sigma_ratio:PARAMETER          the two largest singular values, sigma1/sigma2
//   gradient_norm:PARAMETER                                            2-norm; gradientNorm() is that of the whole
//   canonical_e, canonical_w, canonical_a, canonical_b, canonical_residual, canonical_uneven
//                      the single-layer transformer of binary chains projected onto the canonical model
//                      (engine/nn/canonical_projection.h), up to d_model 256; canonical_a only with linear attention
//   forward_accuracy, forward_accuracy_letters, forward_probability, forward_zero and the same with reverse_
//                      for runs on pairs, fractions from 0 to 1 (engine/reversal/accuracy.h)
//   accuracy           for images: the fraction of the validation images whose class has the largest logit
// Names of the last two kinds end in _ema for the averaged parameters. An undefined value (symmetry of a zero matrix, a
// ratio over 0) is left out. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/scores.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"
#include "engine/reversal/accuracy.h"
#include "engine/train/snapshot.h"

namespace sepx::train {

/// W_Q [d_model, heads d_h] and W_K [d_model, kv d_h] of a layer in the form that the scores need: our weights
/// transposed.
template <class T>
attention::LayerFactors layerFactors(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                                     std::span<const T> theta, int layer);

/// std/mean of the row norms minus that of the column norms: negative if a few columns are heavy. For small d_model it
/// is less noisy than the directionality, which then depends on the one to four rows above a threshold.
double rowColumnCv(const attention::Moments& moments);

/// Scores of every layer, with the conventions of the published tables (excess, gamma 2, ddof 1), and the canonical
/// projection of a model that has one.
void scoreMetrics(const nn::ModelConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                  std::int64_t step, std::vector<Metric>& out);

/// Singular values of the parameters in `watch`; if it is empty, of the weights of layer 0. Names that the layout does
/// not have are skipped.
void spectrumMetrics(const nn::ParameterLayout& layout, std::span<const float> theta,
                     const std::vector<std::string>& watch, std::int64_t step, std::vector<Metric>& out);

/// Gradient norm of every parameter.
void gradientMetrics(const nn::ParameterLayout& layout, std::span<const float> gradient, std::int64_t step,
                     std::vector<Metric>& out);
/// Accuracies of a model of pairs; `suffix` of the names: "" or "_ema".
void answerMetrics(const reversal::AccuracyReport& report, std::string_view suffix, std::int64_t step,
                   std::vector<Metric>& out);
/// 2-norm, summed in double in the order of the array.
double gradientNorm(std::span<const float> gradient);

extern template attention::LayerFactors layerFactors<float>(const nn::ModelConfig&, const nn::ParameterLayout&,
                                                            std::span<const float>, int);
extern template attention::LayerFactors layerFactors<double>(const nn::ModelConfig&, const nn::ParameterLayout&,
                                                             std::span<const double>, int);

}  // namespace sepx::train
