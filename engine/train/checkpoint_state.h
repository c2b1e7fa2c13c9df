// SPDX-License-Identifier: Apache-2.0
// Reads and writes state.safetensors: one tensor per parameter and array ("theta.layers.0.attention.W_Q.weight",
// "first.…", "second.…", "average.…"), the counters as exact text in the metadata, and a checksum over all values in
// their order and the counters:
//   h <- rotl(h xor word, 29) * odd constant, four lanes over 32 bytes
// The checksum detects damage, but gives no protection against an adversary. Private to engine/train. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/train/checkpoint_writer.h"
#include "engine/train/safetensors_writer.h"

namespace sepx::train {

class Checksum {  ///< over numbers, in their order
 public:
  void add(std::span<const float> values);  ///< as their bits
  void add(std::uint64_t word);             ///< one more word
  std::string text() const;                 ///< 16 hexadecimal digits

 private:
  std::uint64_t lanes_[4] = {1, 2, 3, 4};
};
/// Writes the state as safetensors.
Result<void> writeState(const PieceSink& sink, const nn::ParameterLayout& layout, const TrainState& state);
/// Fails with BadInput if the file is damaged or belongs to another model.
Result<TrainState> readState(const std::string& path, const nn::ParameterLayout& layout);

}  // namespace sepx::train
