// SPDX-License-Identifier: Apache-2.0
// How a config stretches the rotary encoding for longer texts: linear, YaRN, LongRoPE, LLaMA 3. Private to the plan of
// a model. Any thread.
#pragma once

#include "engine/checkpoint/model_config.h"
#include "engine/checkpoint/model_plan.h"

namespace sepx::checkpoint {

/// The stretching that `config` asks for, and what a person should know of it.
struct RopeStretch {
  RopeScaling scaling;
  std::int64_t longest = 0;  ///< longest text for which it holds; 0: any
  std::string note;          ///< empty: nothing to say
};

/// Of an encoding with `rope`. BadInput, one sentence: a kind or a number that cannot be computed.
Result<RopeStretch> ropeStretch(const Checkpoint& checkpoint, const ModelConfig& config, const RopeSource& rope);

/// LLaMA 3.1's factor a pair: short waves stay, long ones are stretched by `factor`, those between in part.
struct Llama3Stretch {
  double factor = 8, low = 1, high = 4, original = 8192;
};
std::vector<double> llama3Factors(const RopeSource& rope, const Llama3Stretch& stretch);

}  // namespace sepx::checkpoint
