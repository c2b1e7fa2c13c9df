// SPDX-License-Identifier: Apache-2.0
// The panels of figures 3, S3, S4 and S5 of Attention-Structure, and of Table 1 the loss on each source. Private to
// engine/studies. Pure.
#pragma once

#include "engine/studies/emergence_study.h"

namespace sepx::studies {

/// In the order of the published figure, with the legend of them all. `study` may have no scores.
void addCharts(StudyResult& result, const EmergenceStudy& study);

}  // namespace sepx::studies
