// SPDX-License-Identifier: Apache-2.0
// Classes of images: -(1/B) sum log p(class | image), read from the class token's row [Attention-Structure, C]. A
// source gives the class as the first token of a sequence. In training the target may be smoothed.
#include <algorithm>
#include <string>

#include "engine/core/number.h"
#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

namespace {

Result<void> checkClassify(const Objective& objective, int) {
  if (objective.labelSmoothing >= 0 && objective.labelSmoothing < 1) return {};
  return fail(ErrorKind::Usage, "objective.label_smoothing is " + formatShortest(objective.labelSmoothing) +
                                    "; it must be from 0 to below 1");
}

}  // namespace

ObjectiveInfo describeClassify() {
  ObjectiveInfo info;
  info.word = "classify";
  info.sentence = "the class of an image from its patches";
  info.classifies = true;
  info.leastLength = 2;
  info.share = [](const Objective&, int length) { return 2.0 / length; };  // a mixed image has two classes
  info.bound = [](const Objective&) { return LossBound::None; };
  info.check = checkClassify;
  info.make = [](const Objective&, const Sequences& in, RandomStream&, Batch& out) {
    for (int b = 0; b < in.count; ++b)
      if (in.valid(b) > 0) predict(out, in.start(b), in.tokens[in.start(b)]);
    weighMean(out);
    std::ranges::fill(out.tokens, 0);
  };
  return info;
}

}  // namespace sepx::nn
