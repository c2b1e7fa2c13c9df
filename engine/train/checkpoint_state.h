// SPDX-License-Identifier: Apache-2.0
// state.safetensors: a tensor a parameter and array ("theta.layers.0.attention.W_Q.weight", "first.…", "second.…",
// "average.…"), counters as exact text in the metadata, and a checksum over all values in their order
// and the counters.
//   h <- rotl(h xor word, 29) * odd constant, four lanes over 32 bytes: damage is found, not an adversary.
// Private to engine/train. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/train/checkpoint_writer.h"
#include "engine/train/safetensors_writer.h"

namespace sepx::train {

class Checksum {  ///< over numbers, in their order
 public:
  void add(std::span<const float> values);  ///< in their bits
  void add(std::uint64_t word);             ///< one more
  std::string text() const;                 ///< 16 hexadecimal digits

 private:
  std::uint64_t lanes_[4] = {1, 2, 3, 4};
};
/// As safetensors.
Result<void> writeState(const PieceSink& sink, const nn::ParameterLayout& layout, const TrainState& state);
/// BadInput: another model, or damaged.
Result<TrainState> readState(const std::string& path, const nn::ParameterLayout& layout);

}  // namespace sepx::train
