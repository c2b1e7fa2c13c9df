// SPDX-License-Identifier: Apache-2.0
// Masked diffusion: lambda ~ U(0,1] per sequence, stratified over the batch; each position is [MASK] with probability
// lambda; the loss is
//   (1/B) sum over sequences of (1/lambda or 1) sum over masked positions of -log p                  [Reversal, (2)]
// With the weights 1/lambda it is an upper bound of the loss of a whole sequence.
#include <vector>

#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

namespace {

/// 1, ..., B in random order: a sequence with number s draws its lambda from the part ((s-1)/B, s/B] of (0, 1].
std::vector<std::int32_t> strata(int sequences, RandomStream& random) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(sequences));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t j = static_cast<std::size_t>(random.below(i + 1));
    order[i] = order[j];
    order[j] = static_cast<std::int32_t>(i + 1);
  }
  return order;
}

void makeDiffusion(const Objective& objective, const Sequences& in, RandomStream& random, Batch& out) {
  const std::vector<std::int32_t> order = strata(in.count, random);
  const double count = in.count;
  for (int b = 0; b < in.count; ++b) {
    const double lambda = (order[static_cast<std::size_t>(b)] - random.uniform()) / count;  // in (0, 1], because u < 1
    const float weight = static_cast<float>((objective.weighted ? 1 / lambda : 1) / count);
    for (std::size_t row = in.start(b); row < in.start(b) + in.valid(b); ++row) {
      if (random.uniform() >= lambda) continue;
      predict(out, row, out.tokens[row], weight);
      out.tokens[row] = objective.maskToken;
    }
  }
}

}  // namespace

ObjectiveInfo describeDiffusion() {
  ObjectiveInfo info;
  info.word = "diffusion";
  info.sentence = "any number of hidden tokens from all others";
  info.masks = true;
  info.per = LossPer::Sequence;
  info.bound = [](const Objective& objective) { return objective.weighted ? LossBound::Sequence : LossBound::None; };
  info.make = makeDiffusion;
  return info;
}

}  // namespace sepx::nn
