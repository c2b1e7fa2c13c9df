// SPDX-License-Identifier: Apache-2.0
// Builds the tables, charts and verdict of Tables 1 and 2 of Reversal from the runs. Pure; any thread.
#pragma once

#include "engine/studies/accuracy_study.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// The result to show: every row that is trained here next to the printed one, and the accuracy over the evaluations.
StudyResult resultOf(const AccuracyTable& table);

}  // namespace sepx::studies
