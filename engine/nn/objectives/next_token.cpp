// SPDX-License-Identifier: Apache-2.0
// Next token: -(1/(B(T-1))) sum log p(t_{n+1} | t_1..t_n)                                     [Local-to-Global, (1)]
#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

ObjectiveInfo describeNextToken() {
  ObjectiveInfo info;
  info.word = "next_token";
  info.sentence = "each token from those before it";
  info.causal = true;
  info.leastLength = 2;
  info.bound = [](const Objective&) { return LossBound::Past; };
  info.make = [](const Objective&, const Sequences& in, RandomStream&, Batch& out) {
    for (int b = 0; b < in.count; ++b)
      for (std::size_t n = 0; n + 1 < in.valid(b); ++n)
        predict(out, in.start(b) + n, in.tokens[in.start(b) + n + 1]);
    weighMean(out);
  };
  return info;
}

}  // namespace sepx::nn
