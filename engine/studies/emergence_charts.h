// SPDX-License-Identifier: Apache-2.0
// The charts of figures 3, S3, S4 and S5 of Attention-Structure, and for Table 1 the loss on each source. Private to
// engine/studies. Pure.
#pragma once

#include "engine/studies/emergence_study.h"

namespace sepx::studies {

/// Adds the charts in the order of the published figure, and their common legend. `study` may have no scores.
void addCharts(StudyResult& result, const EmergenceStudy& study);

}  // namespace sepx::studies
