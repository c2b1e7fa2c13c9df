// SPDX-License-Identifier: Apache-2.0
// Leave one out: -(1/(BT)) sum_i log p(t_i | t_j, j != i): T copies of a sequence, each with one [MASK]         [(S8)]
#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

namespace {

void makeLeaveOneOut(const Objective& objective, const Sequences& in, RandomStream&, Batch& out) {
  const std::size_t width = static_cast<std::size_t>(in.length);
  out.tokens.clear();
  out.lengths.clear();
  out.sequences = 0;
  for (int b = 0; b < in.count; ++b) {
    const std::span<const std::int32_t> whole = in.tokens.subspan(in.start(b), width);
    for (std::size_t i = 0; i < in.valid(b); ++i) {
      const std::size_t row = out.tokens.size() + i;
      out.tokens.insert(out.tokens.end(), whole.begin(), whole.end());
      predict(out, row, out.tokens[row]);
      out.tokens[row] = objective.maskToken;
      if (!in.lengths.empty()) out.lengths.push_back(static_cast<std::int32_t>(in.valid(b)));
      ++out.sequences;
    }
  }
  if (out.sequences == 0 && in.count > 0) {  // nothing is valid: make a batch without targets
    out.tokens.assign(in.tokens.begin(), in.tokens.begin() + static_cast<std::ptrdiff_t>(width));
    out.lengths.assign(1, 0);
    out.sequences = 1;
  }
  weighMean(out);
}

}  // namespace

ObjectiveInfo describeLeaveOneOut() {
  ObjectiveInfo info;
  info.word = "leave_one_out";
  info.sentence = "each token from all others";
  info.masks = info.copies = true;
  info.share = [](const Objective&, int length) { return 1.0 / length; };
  info.make = makeLeaveOneOut;
  return info;
}

}  // namespace sepx::nn
