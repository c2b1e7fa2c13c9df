// SPDX-License-Identifier: Apache-2.0
// Gradients of the forward and of the reverse query of trained masked diffusion models, and their alignment [Reversal,
// 4.3, Figure 3 middle]:
//   cos(grad L_fwd, grad L_rev) over all parameters, and within groups of them
//   L_rev(theta - eta g_fwd) - L_rev(theta) = -eta <g_rev, g_fwd> + O(eta^2)
// L is the mean over the given pairs (one or more) of -log p(small letter) at [M]. For models without dropout
// (config().*Dropout = 0). Only one thread at a time may call with a model; its gradient() is overwritten.
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

/// Products of two gradients, or of parts of them.
struct GradientProduct {
  double product = 0;                 ///< <g_fwd, g_rev>
  double forward2 = 0, reverse2 = 0;  ///< squared norms
  double cosine() const;              ///< NaN where one of them is 0
};

/// Losses and gradient products of both queries, summed in double precision.
struct Alignment {
  double forwardLoss = 0, reverseLoss = 0;  ///< nats
  GradientProduct all;
  std::array<GradientProduct, nn::kParameterGroups> groups;
  const GradientProduct& of(nn::ParameterGroup group) const { return groups[static_cast<std::size_t>(group)]; }
};

template <class T>
struct QueryGradients {                     ///< of both queries, means over the pairs
  double forwardLoss = 0, reverseLoss = 0;  ///< nats
  std::vector<T> forward, reverse;          ///< in the layout of Transformer::gradient()
};

/// One [M] per sequence, at the place of the small letter (forward) or of the capital (reverse); each target has the
/// weight 1/pairs.
nn::Batch queryBatch(std::span<const Pair> pairs, Direction direction);

/// A Usage error with a message if there are no pairs, check() rejects a pair, the lengths differ or exceed the
/// model's, or checkReadsPairs() fails.
Result<void> checkPairs(const nn::ModelConfig& config, std::span<const Pair> pairs);

/// `pairs` must have passed checkPairs().
template <class T>
QueryGradients<T> queryGradients(nn::Transformer<T>& model, std::span<const Pair> pairs);
template <class T>
Alignment alignmentOf(const nn::ParameterLayout& layout, const QueryGradients<T>& gradients);

/// The effect on both losses of a plain gradient descent step on the forward loss.
struct StepEffect {
  double rate = 0;                           ///< eta
  double reverse = 0, reversePredicted = 0;  ///< change, and -eta <g_rev, g_fwd>; nats
  double forward = 0, forwardPredicted = 0;  ///< change, and -eta |g_fwd|^2
};
/// The parameters are restored afterwards. Changes far below the rounding of a loss need T = double.
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
