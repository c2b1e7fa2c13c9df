// SPDX-License-Identifier: Apache-2.0
// What `sepx reproduce` prints of a study's result for people. Main thread.
#pragma once

#include <string>

#include "engine/studies/study.h"

namespace sepx::app::cli {

/// What was run, the tables, the claim with where its thresholds come from, and a line each check: "holds", "DOES NOT
/// HOLD" or "not judged" and why; then what the paper reports, observed here.
std::string studyText(const studies::StudyResult& result);

}  // namespace sepx::app::cli
