// SPDX-License-Identifier: Apache-2.0
// A bench for Theorem 2.3 of Attention-Structure: sampled updates of W_qk for covariances that a person chooses and for
// a token that is context, is predicted, or both, their squared norms beside (S52), (S55), (S61), (S91), the survival
// curves that (18) compares, and the directionality of sums of more and more updates, which is what really follows
// [remark att-8]. The same for a seed on any number of threads. Workers only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/attention/norm_growth.h"
#include "engine/attention/scores.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// Definition 3.2 as printed.
inline constexpr attention::ScoreOptions kPrintedDirectionality{2, attention::Directionality::Sum, 0};

struct GrowthOptions {  ///< of Theorem 2.3's bench
  int d = 64;           ///< width of the embeddings
  int tokens = 16;      ///< N: other tokens of a sequence
  /// Variances of the other tokens (Sigma) and of t* (Gamma) fall as (m + 1)^-power, of mean 1.
  double predictedPower = 1, contextPower = 0;
  /// What t* is to the other tokens, and what that needs (attention/norm_growth.h).
  attention::TokenRole role = attention::TokenRole::Context;
  double early = 1, mask = 0.15;
  std::int64_t updates = 4000;
  int matrices = 12;  ///< independent sums of which the directionality is taken
  std::uint64_t seed = 0;
  bool operator==(const GrowthOptions&) const = default;
};

/// kPrintedDirectionality of sums of so many updates, over matrices.
struct GrowthPoint {
  std::int64_t updates = 0;
  attention::Quartiles directionality;
};

/// (18) for the norms of one sum. The proof takes gamma from Lemma A.11, which says sqrt(sigma_a sigma_b) - mu with the
/// deviations; (S95) prints the variances in their place, which is not a norm.
struct TailClaim {
  double gamma = 0;    ///< the lemma's, with the mean of all norms; below 0 it bounds nothing
  double printed = 0;  ///< that of (S95): sqrt(Var columns Var rows) less the mean
  /// Largest share of rows above w less that of columns, over w > gamma: (18) wants it below 0.
  double worst = 0;
  /// From this w on no more rows than columns are above w, and some columns are; nothing: rows have the longest tail.
  std::optional<double> from;
};
TailClaim tailClaim(const attention::NormGrowth& growth);

struct GrowthBench {
  GrowthOptions options;
  attention::NormModel model;
  attention::NormGrowth growth;     ///< the first sum
  double worst = 0;                 ///< worstNorm() of it
  TailClaim claim;                  ///< of it
  std::vector<GrowthPoint> points;  ///< updates ascending, the last at all of them
};
/// Hands over the first sum as soon as it is there, then every further point: `made` is called from one thread at a
/// time with the share done; false ends the work, and the answer is Interrupted. Usage where a number of the options is
/// out of range: d 2 to 1024, tokens 1 to 4096, powers -4 to 4, updates 1 to 10^7, matrices 1 to 1000.
Result<GrowthBench> benchGrowth(const GrowthOptions& options, ThreadPool& pool,
                                const std::function<bool(const GrowthBench& bench, double share)>& made,
                                const std::function<bool()>& cancelled = {});

/// Largest distance of a measured mean squared norm from its formula (expectedNorms), in standard errors.
double worstNorm(const attention::NormModel& model, const attention::NormGrowth& growth);

}  // namespace sepx::studies
