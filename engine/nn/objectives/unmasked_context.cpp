// SPDX-License-Identifier: Apache-2.0
// Unmasked context: -(1/|M|) sum over i in M of log p(t_i | t_j, j not in M)               [Attention-Structure, (S9)]
// M is drawn as in Masked. Every position in M becomes [MASK], and no query attends to a position in M: beta_ij = 0 for
// j in M, so there are no pairs of two masked positions. In Masked these are attended to as well, though only as
// [MASK].
#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

namespace {

Objective plainlyMasked(Objective objective) {
  objective.plainMask = true;
  return objective;
}

void makeUnmaskedContext(const Objective& objective, const Sequences& in, RandomStream& random, Batch& out) {
  describeMasked().make(plainlyMasked(objective), in, random, out);
  out.readable.assign(out.tokens.size(), 1);
  for (const Target& target : out.targets)
    out.readable[static_cast<std::size_t>(target.row)] = 0;
}

}  // namespace

ObjectiveInfo describeUnmaskedContext() {
  ObjectiveInfo info = describeMasked();
  info.word = "unmasked_context";
  info.sentence = "hidden tokens from those that are not hidden, alone";
  info.check = [](const Objective& objective, int vocabulary) {
    return describeMasked().check(plainlyMasked(objective), vocabulary);
  };
  info.make = makeUnmaskedContext;
  return info;
}

}  // namespace sepx::nn
