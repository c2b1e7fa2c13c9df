// SPDX-License-Identifier: Apache-2.0
// A person's rules, kept as JSON files. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// A person's rules: JSON files in `folder`. BadInput names file and field. A folder that is not there has none.
Result<std::vector<FamilyRule>> readRules(const std::string& folder);
/// Writes `rule` as `folder`/key.json. OutputFailed.
Result<void> writeRule(const std::string& folder, const FamilyRule& rule);

}  // namespace sepx::checkpoint
