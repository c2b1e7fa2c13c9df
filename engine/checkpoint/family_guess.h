// SPDX-License-Identifier: Apache-2.0
// What the assistant for checkpoints of an unknown family needs: a rule to begin with, and what a rule gives. Any
// thread.
#pragma once

#include "engine/checkpoint/family_rule.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Query heads of the first layer as the config says; 0: it does not.
int headsOfConfig(const Checkpoint& checkpoint);

/// What the assistant shows before a rule is saved: the map that it gives, or Usage with a sentence that says which
/// pattern finds nothing, or which shape does not go with the others.
Result<AttentionMap> tryRule(const Checkpoint& checkpoint, const FamilyRule& rule);
/// A rule to begin with, guessed from names that look like queries and keys; patterns empty where nothing does.
FamilyRule guessRule(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
