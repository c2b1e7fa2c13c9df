// SPDX-License-Identifier: Apache-2.0
// Applies a family's rule to a checkpoint: the resulting map, or the reason why the rule does not fit. Any thread.
#pragma once

#include <string>

#include "engine/checkpoint/family_match.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint {

struct Attempt {            ///< result of applying one rule to a checkpoint
  AttentionMap map;         ///< `layers` is empty if the rule does not fit
  bool namesFound = false;  ///< the queries were found; `why` then says what is wrong with them
  std::string why;          ///< one sentence; empty if the map is valid
};
/// Applies `rule` to the checkpoint; never throws.
Attempt applyRule(const Checkpoint& checkpoint, const NameIndex& names, const ModelConfig& config,
                  const FamilyRule& rule);

}  // namespace sepx::checkpoint
