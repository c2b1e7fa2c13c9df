// SPDX-License-Identifier: Apache-2.0
// Figures 3, 4 and 6 of Local-to-Global: tables, charts and verdict of what was computed. Pure; any thread.
#pragma once

#include <vector>

#include "engine/studies/study.h"
#include "engine/studies/training_study.h"

namespace sepx::studies {

/// {"step": [...], "loss": [...]}
Json lossCurve(const std::vector<LossPoint>& curve);

/// What is shown of it: a table and a chart for each setting, loss or sigma1/sigma2 over the steps.
StudyResult resultOf(const TrainingFigure& figure);

}  // namespace sepx::studies
