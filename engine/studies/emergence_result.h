// SPDX-License-Identifier: Apache-2.0
// Builds the tables, charts and verdict of Figures 3, S3, S4, S5 and Table 1 of Attention-Structure from the runs.
// Pure; any thread.
#pragma once

#include "engine/studies/emergence_study.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// The result to show. Its charts are the panels of the figures, and for Table 1 the loss on each source. A panel has
/// the median over the layers with the quartiles as a band, or one line per layer with the quartiles over its heads.
StudyResult resultOf(const EmergenceStudy& study);

}  // namespace sepx::studies
