// SPDX-License-Identifier: Apache-2.0
// Tests Theorem 2.3 of Attention-Structure by sampling. (S56) holds; the paper's conclusion from it does not. With a
// context of equal variances, as in Proposition A.7, all columns have the same expected norm and rows dominate; columns
// dominate where the context's variances differ and those of the predicted tokens do not. Lemma A.11, which should lead
// from variances to (18), has a counterexample [remarks att-8, att-9]. Corollary A.8 is the same with rows and columns
// exchanged, and its conclusion fails in the same way; A.12 holds. (S91) is exact with sums of beta^2. (S94) cannot
// hold for every k and m, since all rows together have the same norm as all columns together. Deterministic for a seed
// on any number of threads. Worker threads only.
#pragma once

#include "engine/attention/norm_growth.h"
#include "engine/studies/theorem_study.h"

namespace sepx::studies {

/// The two cases that are sampled. Where variances differ, they decrease as 1/m.
enum class GrowthCase {
  EqualContext,    ///< Sigma differs, Gamma = I: Proposition A.7
  EqualPredicted,  ///< Sigma = I, Gamma differs
};
/// `d`: width; `predicted`: number of predicted tokens per update.
attention::NormModel growthModel(GrowthCase which, int d, int predicted = 16);

/// The mean over independent sums, and its standard error.
struct MeanOf {
  double mean = 0, error = 0;
  double inErrors() const { return mean / error; }
};
/// Means over `matrices` sums of `updates` updates each, with seeds from `seed` on, because the values of single
/// matrices of this width vary widely.
struct SumsOf {
  MeanOf directionality;  ///< kPrintedDirectionality
  MeanOf spread;          ///< log of the variance of the norms of rows over that of columns
};
SumsOf sumsOf(const attention::NormModel& model, std::int64_t updates, int matrices, std::uint64_t seed,
              const Work& work);

/// Quick: a tenth of the updates.
Result<StudyResult> checkNormGrowth(const Work& work);

}  // namespace sepx::studies
