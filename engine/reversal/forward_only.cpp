// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/forward_only.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/reversal/alignment.h"

namespace sepx::reversal {
namespace {

template <class T>
double meanProbability(nn::Transformer<T>& model, const nn::Batch& batch) {
  std::vector<double> losses(batch.targets.size());
  model.evaluate(batch, losses);
  double sum = 0;
  for (const double loss : losses)
    sum += std::exp(-loss);
  return sum / static_cast<double>(losses.size());
}

}  // namespace

template <class T>
Result<std::vector<TransferPoint>> forwardOnly(nn::Transformer<T>& model, const ForwardOnly& asked) {
  const nn::Batch forward = queryBatch(asked.pairs, Direction::Forward),
                  reverse = queryBatch(asked.pairs, Direction::Reverse);
  std::vector<TransferPoint> points;
  for (int made = 0;; ++made) {
    if (asked.cancelled && asked.cancelled()) return fail(ErrorKind::Interrupted, "stopped between two steps");
    const QueryGradients<T> gradients = queryGradients(model, asked.pairs);
    const GradientProduct whole = alignmentOf(model.layout(), gradients).all;
    if (!std::isfinite(gradients.forwardLoss + gradients.reverseLoss + whole.forward2 + whole.reverse2))
      return fail(ErrorKind::CheckFailed,
                  fmt::format("after {} steps a loss or a gradient is not finite; reduce the learning rate", made));
    points.push_back({meanProbability(model, forward), meanProbability(model, reverse), gradients.forwardLoss,
                      gradients.reverseLoss, whole.cosine()});
    if (asked.progress) asked.progress((made + 1.0) / (asked.steps + 1.0));
    if (made == asked.steps) return points;
    const double rate = asked.rate / std::max(1.0, std::sqrt(whole.forward2));
    for (std::size_t i = 0; i < gradients.forward.size(); ++i)
      model.theta()[i] =
          static_cast<T>(static_cast<double>(model.theta()[i]) - rate * static_cast<double>(gradients.forward[i]));
  }
}

template Result<std::vector<TransferPoint>> forwardOnly(nn::Transformer<float>&, const ForwardOnly&);
template Result<std::vector<TransferPoint>> forwardOnly(nn::Transformer<double>&, const ForwardOnly&);

}  // namespace sepx::reversal
