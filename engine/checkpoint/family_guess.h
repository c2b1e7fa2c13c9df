// SPDX-License-Identifier: Apache-2.0
// For the mapping assistant, which handles checkpoints of an unknown family: guesses an initial rule, and tries a rule.
// Any thread.
#pragma once

#include "engine/checkpoint/family_rule.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Number of query heads of the first layer according to the config; 0 if the config does not say.
int headsOfConfig(const Checkpoint& checkpoint);

/// The map that a rule gives, which the assistant shows before the rule is saved. Usage, with a sentence that says
/// which pattern finds nothing or which shape does not fit the others.
Result<AttentionMap> tryRule(const Checkpoint& checkpoint, const FamilyRule& rule);
/// An initial rule, guessed from names that look like queries and keys; its patterns are empty if no name does.
FamilyRule guessRule(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
