// SPDX-License-Identifier: Apache-2.0
// The JSON that `sepx reproduce --json` prints for a study's result. Main thread.
#pragma once

#include "app/cli/json_out.h"
#include "engine/studies/study.h"

namespace sepx::app::cli {

/// The study's own numbers, then the members that every study has. "passed" is null if nothing is judged.
Json studyJson(const studies::StudyResult& result);

}  // namespace sepx::app::cli
