// SPDX-License-Identifier: Apache-2.0
// The data of one training step: token sequences and the positions whose token is to be predicted. Every loss of the
// program is a weighted sum of cross entropies over such positions (objective.h), so a model needs only this one loss:
//   L = sum over targets of weight * -log softmax(logits[row])[token]
// With Input::Bit the loss is logistic: weight * log(1 + exp(-(2 token - 1) logit[row])). Plain data; any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace sepx::nn {

struct Target {            ///< one prediction to be made
  std::int32_t row = 0;    ///< b * length + n for position n of sequence b
  std::int32_t token = 0;  ///< the correct token
  float weight = 0;        ///< factor of its cross entropy (nats) in the loss
  bool operator==(const Target&) const = default;
};

struct Batch {
  int sequences = 0, length = 0;
  std::vector<std::int32_t> tokens;    ///< [sequences, length]
  std::vector<Target> targets;         ///< sorted by row
  std::vector<std::int32_t> lengths;   ///< [sequences]: keys from this index on are padding; empty: no padding
  std::vector<std::uint8_t> allowed;   ///< [length, length], query row, key column, for all sequences; empty: all
  std::vector<std::uint8_t> readable;  ///< [sequences, length]: 0 where no query may attend to it; empty: all 1
  std::vector<float> pixels;           ///< Input::Patches: [sequences, channels, image, image]; `tokens` are then 0
  /// Label smoothing s: the target distribution is (1 - s) onehot + s / logits instead of onehot. 0 with Input::Bit.
  double smoothing = 0;
  std::int64_t predicted() const { return static_cast<std::int64_t>(targets.size()); }
};

/// A share of a batch: part `index` of `count`. With dropout, parts consist of whole shards (memory.h), so that a mask
/// does not depend on `count`; without dropout, of whole sequences. A part may be empty.
struct BatchPart {
  int index = 0, count = 1;
};

}  // namespace sepx::nn
