// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of Reversal from runs that were trained before. Workers only.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/studies/accuracy_study.h"

namespace sepx::studies {

/// The same from the metrics of runs that were trained before, those of assets/runs/reversal:
/// FOLDER/batch64-CONFIG-SEED at L = 10, and of other lengths FOLDER/lengthL-CONFIG-SEED where it is there. Reads
/// files. BadInput: a run of L = 10 is missing, or one has no such evaluations.
Result<AccuracyTable> recordedAccuracy(int number, const std::string& folder);

}  // namespace sepx::studies
