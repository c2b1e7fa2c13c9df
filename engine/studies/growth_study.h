// SPDX-License-Identifier: Apache-2.0
// Theorem 2.3 of Attention-Structure, sampled: (S56) holds; what the paper concludes from it does not. With a context
// of equal variances, as Proposition A.7 has it, the columns come out alike and rows dominate; columns dominate where
// the context's variances differ and those of the predicted tokens do not. Lemma A.11, which should lead from variances
// to (18), has a counterexample [remarks att-8, att-9]. The same for a seed on any number of threads. Workers only.
#pragma once

#include "engine/attention/norm_growth.h"
#include "engine/studies/theorem_study.h"

namespace sepx::studies {

/// The two cases of the bench; variances fall as 1/m where they differ.
enum class GrowthCase {
  EqualContext,    ///< Sigma differs, Gamma = I: Proposition A.7
  EqualPredicted,  ///< Sigma = I, Gamma differs
};
/// `d`: width; `predicted` tokens of one update.
attention::NormModel growthModel(GrowthCase which, int d, int predicted = 16);

/// Quick: a tenth of the updates.
Result<StudyResult> checkNormGrowth(const Work& work);

}  // namespace sepx::studies
