// SPDX-License-Identifier: Apache-2.0
// A rule tried on a checkpoint: the map that it gives, or why it gives none. Any thread.
#pragma once

#include <string>

#include "engine/checkpoint/family_match.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint {

struct Attempt {            ///< what one rule made of a checkpoint
  AttentionMap map;         ///< layers empty when the rule gives none
  bool namesFound = false;  ///< queries were there; `why` says then what is wrong with them
  std::string why;          ///< one sentence; empty when the map stands
};
/// The rule on this checkpoint; never throws.
Attempt tryOn(const Checkpoint& checkpoint, const NameIndex& names, const ModelConfig& config, const FamilyRule& rule);

}  // namespace sepx::checkpoint
