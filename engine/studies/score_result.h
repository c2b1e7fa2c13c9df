// SPDX-License-Identifier: Apache-2.0
// Builds the tables and verdict of Tables 4 and 5 and Figure 2 of Attention-Structure from the measured scores. Pure;
// any thread.
#pragma once

#include <memory>

#include "engine/studies/score_study.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// The result to show: the printed rows next to the measured ones. `drawn` holds the pointer.
StudyResult resultOf(const std::shared_ptr<const ScoreTables>& tables);

}  // namespace sepx::studies
