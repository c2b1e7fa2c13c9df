// SPDX-License-Identifier: Apache-2.0
// Scaling of the rotary encoding for longer texts, as a config gives it: linear, YaRN, LongRoPE, LLaMA 3. Private to
// the plan of a model. Any thread.
#pragma once

#include "engine/checkpoint/model_config.h"
#include "engine/checkpoint/model_plan.h"

namespace sepx::checkpoint {

/// The scaling that `config` asks for, and what the user should know about it.
struct RopeStretch {
  RopeScaling scaling;
  std::int64_t longest = 0;  ///< maximum text length for which it is valid; 0: any
  std::string note;          ///< empty: nothing to say
};

/// The scaling of the encoding `rope`. BadInput, in one sentence, for a kind or a number that cannot be computed.
Result<RopeStretch> ropeStretch(const Checkpoint& checkpoint, const ModelConfig& config, const RopeSource& rope);

/// LLaMA 3.1's factors, one per pair: 1 for short wavelengths, `factor` for long ones, interpolated between.
struct Llama3Stretch {
  double factor = 8, low = 1, high = 4, original = 8192;
};
std::vector<double> llama3Factors(const RopeSource& rope, const Llama3Stretch& stretch);

}  // namespace sepx::checkpoint
