// SPDX-License-Identifier: Apache-2.0
// What `sepx reproduce --json` prints of a study's result. Main thread.
#pragma once

#include "app/cli/json_out.h"
#include "engine/studies/study.h"

namespace sepx::app::cli {

/// Its own numbers, then what every study has. "passed" is null where nothing is judged.
Json studyJson(const studies::StudyResult& result);

}  // namespace sepx::app::cli
