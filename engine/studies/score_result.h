// SPDX-License-Identifier: Apache-2.0
// Tables 4 and 5 and Figure 2 of Attention-Structure: tables, charts and verdict of what was computed. Pure; any
// thread.
#pragma once

#include <memory>

#include "engine/studies/score_study.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// What is shown of it: the printed rows beside the measured ones. `drawn` holds the pointer.
StudyResult resultOf(const std::shared_ptr<const ScoreTables>& tables);

}  // namespace sepx::studies
