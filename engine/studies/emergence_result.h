// SPDX-License-Identifier: Apache-2.0
// Figures 3, S3, S4, S5 and Table 1 of Attention-Structure: tables, charts and verdict of what was computed. Pure; any
// thread.
#pragma once

#include "engine/studies/emergence_study.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// What is shown of it. Charts: the panels of the figures, of Table 1 the loss on each source; the median over the
/// layers with its quartiles as a band, as the figures have them, or a line a layer with the quartiles over its heads.
StudyResult resultOf(const EmergenceStudy& study);

}  // namespace sepx::studies
