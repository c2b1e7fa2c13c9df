// SPDX-License-Identifier: Apache-2.0
// Reads and writes the user's rules as JSON files. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Reads the user's rules: the JSON files in `folder`. BadInput names file and field. A missing folder has none.
Result<std::vector<FamilyRule>> readRules(const std::string& folder);
/// Writes `rule` as `folder`/key.json. OutputFailed; Usage if the key cannot be the name of a file.
Result<void> writeRule(const std::string& folder, const FamilyRule& rule);

}  // namespace sepx::checkpoint
