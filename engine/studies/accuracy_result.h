// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of Reversal: tables, charts and verdict of what was computed. Pure; any thread.
#pragma once

#include "engine/studies/accuracy_study.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// What is shown of it: every row that is trained here beside the print, and the accuracy over the evaluations.
StudyResult resultOf(const AccuracyTable& table);

}  // namespace sepx::studies
