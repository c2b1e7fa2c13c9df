// SPDX-License-Identifier: Apache-2.0
// Gradients of the forward and of the reverse query of trained masked diffusion models, and how they lie to each other
// [Reversal, 4.3, Figure 3 middle]:
//   cos(grad L_fwd, grad L_rev) over all parameters, and within groups of them
//   L_rev(theta - eta g_fwd) - L_rev(theta) = -eta <g_rev, g_fwd> + O(eta^2)
// L is the mean over the given pairs of -log p(small letter) at [M]; one pair is a mean over one. Models without
// dropout (config().*Dropout = 0). One thread at a time calls with one model, whose gradient() is written over.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/nn/batch.h"
#include "engine/nn/parameter_groups.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/query.h"

namespace sepx::reversal {

/// Two gradients, or parts of them.
struct GradientProduct {
  double product = 0;                 ///< <g_fwd, g_rev>
  double forward2 = 0, reverse2 = 0;  ///< squared norms
  double cosine() const;              ///< NaN where one of them is 0
};

/// Sums in double.
struct Alignment {
  double forwardLoss = 0, reverseLoss = 0;  ///< nats
  GradientProduct all;
  std::array<GradientProduct, nn::kParameterGroups> groups;
  const GradientProduct& of(nn::ParameterGroup group) const { return groups[static_cast<std::size_t>(group)]; }
};

template <class T>
struct QueryGradients {                     ///< of both questions about a pair
  double forwardLoss = 0, reverseLoss = 0;  ///< nats
  std::vector<T> forward, reverse;          ///< as Transformer::gradient()
};

/// One [M] a sequence, at the place of the small letter (forward) or of the capital (reverse); weight 1/pairs each.
nn::Batch queryBatch(std::span<const Pair> pairs, Direction direction);

/// Usage with one sentence: no pairs, pairs that check() refuses, of different lengths or longer than the model, and
/// checkReadsPairs().
Result<void> checkPairs(const nn::ModelConfig& config, std::span<const Pair> pairs);

/// `pairs` have passed checkPairs().
template <class T>
QueryGradients<T> queryGradients(nn::Transformer<T>& model, std::span<const Pair> pairs);
template <class T>
Alignment alignmentOf(const nn::ParameterLayout& layout, const QueryGradients<T>& gradients);

/// What a plain step down the gradient of the forward loss does to both losses.
struct StepEffect {
  double rate = 0;                           ///< eta
  double reverse = 0, reversePredicted = 0;  ///< change, and -eta <g_rev, g_fwd>; nats
  double forward = 0, forwardPredicted = 0;  ///< change, and -eta |g_fwd|^2
};
/// The parameters stand as before afterwards. Changes far below the rounding of a loss want T = double.
template <class T>
StepEffect stepEffect(nn::Transformer<T>& model, std::span<const Pair> pairs, const QueryGradients<T>& gradients,
                      double rate);

extern template QueryGradients<float> queryGradients(nn::Transformer<float>&, std::span<const Pair>);
extern template QueryGradients<double> queryGradients(nn::Transformer<double>&, std::span<const Pair>);
extern template Alignment alignmentOf(const nn::ParameterLayout&, const QueryGradients<float>&);
extern template Alignment alignmentOf(const nn::ParameterLayout&, const QueryGradients<double>&);
extern template StepEffect stepEffect(nn::Transformer<float>&, std::span<const Pair>, const QueryGradients<float>&,
                                      double);
extern template StepEffect stepEffect(nn::Transformer<double>&, std::span<const Pair>, const QueryGradients<double>&,
                                      double);

}  // namespace sepx::reversal
