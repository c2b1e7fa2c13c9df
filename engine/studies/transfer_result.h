// SPDX-License-Identifier: Apache-2.0
// Builds the tables, charts and verdict of Figures 3 and 5 of Reversal from the runs. Pure; any thread.
#pragma once

#include "engine/studies/study.h"
#include "engine/studies/transfer_study.h"

namespace sepx::studies {

/// The result to show: a row of three charts per length (correlation of scores by the sum of distances, cosine of
/// gradients and probability of the target over the steps), and the numbers of every run.
StudyResult resultOf(const TransferFigure& figure);

}  // namespace sepx::studies
