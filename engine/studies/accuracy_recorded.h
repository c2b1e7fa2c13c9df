// SPDX-License-Identifier: Apache-2.0
// Reads Tables 1 and 2 of Reversal from recorded runs. Worker threads only.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/studies/accuracy_study.h"

namespace sepx::studies {

/// The table from the metrics of recorded runs, such as those in assets/runs/reversal: FOLDER/batch64-CONFIG-SEED for L
/// = 10, and FOLDER/lengthL-CONFIG-SEED for other lengths where it exists. Reads files. BadInput if a run of L = 10 is
/// missing, or if a run lacks some of the evaluations.
Result<AccuracyTable> recordedAccuracy(int number, const std::string& folder);

}  // namespace sepx::studies
