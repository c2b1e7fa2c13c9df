// SPDX-License-Identifier: Apache-2.0
// Describes a map in text for the user. Any thread.
#pragma once

#include "engine/checkpoint/attention_map.h"

namespace sepx::checkpoint {

/// Fills map.mapping and the notes for every family: biases, norms, rotary encoding left out; integer weights.
void describe(const Checkpoint& checkpoint, AttentionMap& map);

}  // namespace sepx::checkpoint
