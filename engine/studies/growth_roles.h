// SPDX-License-Identifier: Apache-2.0
// Tests Corollaries A.8 and A.12 and (S89)-(S94) of Attention-Structure by sampling. Worker threads only.
#pragma once

#include "engine/core/result.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// Corollary A.8 and (S91): t* is predicted, or both predicted and context. Quick: a tenth of the updates.
Result<StudyResult> checkPredictedGrowth(const Work& work);
/// Corollary A.12 and Remark A.10: bidirectional training, and tokens that are equally likely at every place. Quick:
/// half of the matrices.
Result<StudyResult> checkBidirectionalGrowth(const Work& work);

}  // namespace sepx::studies
