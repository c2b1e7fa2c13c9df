// SPDX-License-Identifier: Apache-2.0
// Figures 3 and 5 of Reversal: tables, charts and verdict of what was computed. Pure; any thread.
#pragma once

#include "engine/studies/study.h"
#include "engine/studies/transfer_study.h"

namespace sepx::studies {

/// What is shown of it: a row of three charts each length (correlation of scores by the sum of distances, cosine of
/// gradients and probability of the target over the steps), and the numbers of every run.
StudyResult resultOf(const TransferFigure& figure);

}  // namespace sepx::studies
