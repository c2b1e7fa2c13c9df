// SPDX-License-Identifier: Apache-2.0
// Theorem 2.3 of Attention-Structure, sampled: (S56) holds; what the paper concludes from it does not. With a context
// of equal variances, as Proposition A.7 has it, the columns come out alike and rows dominate; columns dominate where
// the context's variances differ and those of the predicted tokens do not. Lemma A.11, which should lead from variances
// to (18), has a counterexample [remarks att-8, att-9]. Corollary A.8 is the same with rows and columns exchanged, and
// its conclusion fails the same way; A.12 holds. (S91) is exact with sums of beta^2, and (S94) cannot be for every k
// and m, since all rows together have the norm of all columns together. The same for a seed on any number of threads.
// Workers only.
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

/// The mean over independent sums, and its standard error.
struct MeanOf {
  double mean = 0, error = 0;
  double inErrors() const { return mean / error; }
};
/// Of `matrices` sums of so many updates each, seeds from `seed` on: a single matrix of this width scatters much.
struct SumsOf {
  MeanOf directionality;  ///< kPrintedDirectionality
  MeanOf spread;          ///< log of the variance of the norms of rows over that of columns
};
SumsOf sumsOf(const attention::NormModel& model, std::int64_t updates, int matrices, std::uint64_t seed,
              const Work& work);

/// Quick: a tenth of the updates.
Result<StudyResult> checkNormGrowth(const Work& work);

}  // namespace sepx::studies
