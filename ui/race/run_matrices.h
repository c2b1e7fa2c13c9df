// SPDX-License-Identifier: Apache-2.0
// Views of W_qk of the chosen layer and head of every run: a colour scale with 0 in the middle, the step of the matrix,
// and its scores. Pure functions.
#pragma once

#include "ui/race/race_page.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// Adds one matrix per run, named "form0", "form1", …, arranged as the largest squares that fit.
Arrangement addRunMatrices(Views& into, const RaceFrame& frame);

}  // namespace sepx::ui
