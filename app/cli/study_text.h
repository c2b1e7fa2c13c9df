// SPDX-License-Identifier: Apache-2.0
// The text that `sepx reproduce` prints for people about a study's result. Main thread.
#pragma once

#include <string>

#include "engine/studies/study.h"

namespace sepx::app::cli {

/// What was run, the tables, the claim with the source of its thresholds, and one line per check: "holds", "DOES NOT
/// HOLD" or "not judged" with the reason. Then what the paper reports, as observed here.
std::string studyText(const studies::StudyResult& result);

}  // namespace sepx::app::cli
