// SPDX-License-Identifier: Apache-2.0
// Builds the tables, charts and verdict of Figures 3, 4 and 6 of Local-to-Global from the runs. Pure; any thread.
#pragma once

#include <vector>

#include "engine/studies/study.h"
#include "engine/studies/training_study.h"

namespace sepx::studies {

/// {"step": [...], "loss": [...]}
Json lossCurve(const std::vector<LossPoint>& curve);

/// The result to show: for each setting, tables and a chart of the loss or of sigma1/sigma2 over the steps.
StudyResult resultOf(const TrainingFigure& figure);

}  // namespace sepx::studies
