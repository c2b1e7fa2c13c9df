// SPDX-License-Identifier: Apache-2.0
// Forward-only training of a trained masked diffusion model of any depth, with the signatures of Figures 4 and 6
// [Reversal, section 6, D.2]: at each point the mean probability of the right letter in forward and reverse queries and
// the cosine of both full-parameter gradients. The paper fine-tunes with LoRA; here all parameters take a plain step
//   theta <- theta - rate g_fwd / max(1, |g_fwd|),  g_fwd the gradient of the mean forward loss of the same pairs.
// Only one thread at a time may call with a model.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/query.h"

namespace sepx::reversal {

struct TransferPoint {                      ///< after some steps
  double forward = 0, reverse = 0;          ///< mean of p(small letter) at [M]
  double forwardLoss = 0, reverseLoss = 0;  ///< mean of -log p, nats
  double cosine = 0;                        ///< of both gradients; NaN where one of them is 0
};

struct ForwardOnly {
  std::span<const Pair> pairs;  ///< must have passed checkPairs()
  int steps = 60;
  double rate = 0.003;
  std::function<bool()> cancelled{};             ///< called between steps; may be empty
  std::function<void(double share)> progress{};  ///< may be empty
};
/// Point 0 is the model as given, point k the model after k steps; there are `steps` + 1 points. Changes theta() and
/// gradient(). `model` must have no dropout. Errors: Interrupted if cancelled, CheckFailed if a loss or gradient is not
/// finite.
template <class T>
Result<std::vector<TransferPoint>> forwardOnly(nn::Transformer<T>& model, const ForwardOnly& asked);

extern template Result<std::vector<TransferPoint>> forwardOnly(nn::Transformer<float>&, const ForwardOnly&);
extern template Result<std::vector<TransferPoint>> forwardOnly(nn::Transformer<double>&, const ForwardOnly&);

}  // namespace sepx::reversal
