// SPDX-License-Identifier: Apache-2.0
// What one step of training sees: token sequences and the places whose token is to be predicted. Every loss of the
// program is a weighted sum of cross entropies over such places (objective.h), so that the model knows one loss only:
//   L = sum over targets of weight * -log softmax(logits[row])[token]
// With Input::Bit the logistic loss: weight * log(1 + exp(-(2 token - 1) logit[row])). Plain data; any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace sepx::nn {

struct Target {            ///< one prediction that is wanted
  std::int32_t row = 0;    ///< b * length + n
  std::int32_t token = 0;  ///< the right answer
  float weight = 0;        ///< of its cross entropy in the loss, nats
  bool operator==(const Target&) const = default;
};

struct Batch {
  int sequences = 0, length = 0;
  std::vector<std::int32_t> tokens;    ///< [sequences, length]
  std::vector<Target> targets;         ///< rows rise
  std::vector<std::int32_t> lengths;   ///< [sequences]: keys from there on are padding; empty: none
  std::vector<std::uint8_t> allowed;   ///< [length, length], query row, key column, over all sequences; empty: all
  std::vector<std::uint8_t> readable;  ///< [sequences, length]: places that are no key of any query are 0; empty: all
  std::vector<float> pixels;           ///< of Input::Patches: [sequences, channels, image, image]; `tokens` are 0 then
  /// s: the right answer is (1 - s) onehot + s / logits in place of onehot. 0 with Input::Bit.
  double smoothing = 0;
  std::int64_t predicted() const { return static_cast<std::int64_t>(targets.size()); }
};

/// A share of a batch: part `index` of `count`. Parts with dropout are of whole shards (memory.h), so that a mask does
/// not depend on `count`; others are of whole sequences. A part may be empty.
struct BatchPart {
  int index = 0, count = 1;
};

}  // namespace sepx::nn
