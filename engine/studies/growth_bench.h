// SPDX-License-Identifier: Apache-2.0
// A test bench for Theorem 2.3 of Attention-Structure: samples updates of W_qk for covariances that the user chooses
// and for a token that is context, is predicted, or both. Computes their squared norms for comparison with (S52),
// (S55), (S61) and (S91), the survival curves that (18) compares, and the directionality of sums of more and more
// updates, which shows what really follows [remark att-8]. Deterministic for a seed on any number of threads. Worker
// threads only.
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

struct GrowthOptions {  ///< options of benchGrowth()
  int d = 64;           ///< width of the embeddings
  int tokens = 16;      ///< N: number of other tokens in a sequence
  /// The variances of the other tokens (Sigma) and of t* (Gamma) decrease as (m + 1)^-power, with mean 1.
  double predictedPower = 1, contextPower = 0;
  /// The role of t* for the other tokens, and the parameters of that role (attention/norm_growth.h).
  attention::TokenRole role = attention::TokenRole::Context;
  double early = 1, mask = 0.15;
  std::int64_t updates = 4000;
  int matrices = 12;  ///< number of independent sums whose directionality is taken
  std::uint64_t seed = 0;
  bool operator==(const GrowthOptions&) const = default;
};

/// Quartiles over the matrices of the directionality (kPrintedDirectionality) of sums of `updates` updates.
struct GrowthPoint {
  std::int64_t updates = 0;
  attention::Quartiles directionality;
};

/// Claim (18) for the norms of one sum. The proof takes gamma from Lemma A.11, which states sqrt(sigma_a sigma_b) - mu
/// with standard deviations; (S95) prints variances instead, whose product does not have the unit of a norm.
struct TailClaim {
  double gamma = 0;    ///< of the lemma, with the mean of all norms; below 0 it restricts nothing
  double printed = 0;  ///< of (S95): sqrt(Var columns Var rows) minus the mean
  /// Largest share of rows above w minus that of columns, over w > gamma. (18) claims that it is below 0.
  double worst = 0;
  /// From this w on, the share of rows above w is at most that of columns. Empty if the largest norm is of a row.
  std::optional<double> from;
};
TailClaim tailClaim(const attention::NormGrowth& growth);

struct GrowthBench {
  GrowthOptions options;
  attention::NormModel model;
  attention::NormGrowth growth;     ///< the first sum
  double worst = 0;                 ///< worstNorm() of the first sum
  TailClaim claim;                  ///< for the first sum
  std::vector<GrowthPoint> points;  ///< by ascending number of updates, the last with all of them
};
/// Calls `made` with the share done when the first sum is complete and after every point, from one thread at a time. If
/// it returns false, the computation stops with Interrupted. Usage if an option is out of range: d 2 to 1024, tokens 1
/// to 4096, powers and early -4 to 4, mask in (0, 1), updates 1 to 10^7, matrices 1 to 1000.
Result<GrowthBench> benchGrowth(const GrowthOptions& options, ThreadPool& pool,
                                const std::function<bool(const GrowthBench& bench, double share)>& made,
                                const std::function<bool()>& cancelled = {});

/// Largest distance of a measured mean squared norm from its formula (expectedNorms), in standard errors.
double worstNorm(const attention::NormModel& model, const attention::NormGrowth& growth);

}  // namespace sepx::studies
