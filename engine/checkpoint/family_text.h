// SPDX-License-Identifier: Apache-2.0
// What a map says of itself to a person. Any thread.
#pragma once

#include "engine/checkpoint/attention_map.h"

namespace sepx::checkpoint {

/// Fills map.mapping and the notes that hold for every family: heads shared, biases, norms, rotary encoding left out.
void describe(const Checkpoint& checkpoint, AttentionMap& map);

}  // namespace sepx::checkpoint
