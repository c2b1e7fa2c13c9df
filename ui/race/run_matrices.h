// SPDX-License-Identifier: Apache-2.0
// W_qk of the chosen layer and head of every run, as views: colours with 0 in the middle, the step that the matrix is
// of, the scores there. Pure.
#pragma once

#include "ui/race/race_page.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// Adds a matrix a run, "form0", "form1", …; they stand as the largest squares that there is room for.
Arrangement addRunMatrices(Views& into, const RaceFrame& frame);

}  // namespace sepx::ui
