// SPDX-License-Identifier: Apache-2.0
// Corollaries A.8 and A.12 and (S89)-(S94) of Attention-Structure, sampled. Workers only.
#pragma once

#include "engine/core/result.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// Corollary A.8 and (S91): t* is predicted, or both. Quick: a tenth of the updates.
Result<StudyResult> checkPredictedGrowth(const Work& work);
/// Corollary A.12 and Remark A.10: bidirectional training, and tokens without a place of their own. Quick: half of
/// the matrices.
Result<StudyResult> checkBidirectionalGrowth(const Work& work);

}  // namespace sepx::studies
