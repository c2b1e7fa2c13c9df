// SPDX-License-Identifier: Apache-2.0
// Figures 3 and 5 of Reversal: a one-layer masked diffusion model with RoPE learns forward pairs, and over its steps
// the correlation of forward and reverse attention scores, the cosine of forward and reverse gradients and the
// probability of the target in both directions are measured. Figure 5 is L = 10, 20, 30 and 40; the paper does not say
// which L Figure 3 is of, here it is 10. The paper prints curves without numbers; what it says of them stands beside
// ours. The sign of the cosine alone is judged, of runs that have learnt the pairs: over full runs of L = 10 and seeds
// 0, 1, 2 it stayed above 0.5, while the correlation of scores, mean over the distances, ended at -0.33, 0.49 and 0.47.
// What is judged was chosen there, so that runs of these seeds are not judged. Raw parameters, no average. Each run has
// one thread; several run at once. Workers only.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/reversal/alignment.h"
#include "engine/reversal/correlation.h"
#include "engine/studies/study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// What is measured at a step.
struct TransferPoint {
  std::int64_t step = 0;
  reversal::Alignment alignment;    ///< of the mean loss over kTransferPairs pairs
  double single = std::nan("");     ///< mean over kSinglePairs single pairs of their cosine
  double forward = 0, reverse = 0;  ///< mean probability of the target over kTransferPairs pairs
  double correlation = 0;           ///< mean over all pairs of distances
};
inline constexpr int kTransferPairs = 128, kSinglePairs = 26;
/// Probability of the target in the forward queries at the end, from which a run has learnt the pairs. Before training
/// it is that of a guess among 53 tokens, .019.
inline constexpr double kLearntProbability = 0.1;

struct TransferRun {  ///< one training
  int length = 10;
  std::uint64_t seed = 0;
  std::vector<TransferPoint> points;      ///< the first at step 0
  reversal::ScoreCorrelation start, end;  ///< by distances, at the first and at the last step
  std::string failure;                    ///< why it stopped early; empty: it did not

  double leastCosine() const;  ///< over the steps
  bool learnt() const;         ///< a run that failed has not
};

struct TransferFigure {  ///< a figure, computed again
  int number = 3;        ///< of the figure: 3 or 5
  bool quick = false;
  std::int64_t steps = 0;  ///< of each run
  int batch = 0;
  std::vector<TransferRun> runs;      ///< by length, seed
  std::vector<Check> checks() const;  ///< what is judged
  /// What the paper says of the figure; passed(): it is so here; quick: not judged.
  std::vector<Check> observations() const;
  bool passed() const { return studies::passed(checks()); }
};

/// Quick: batches of 64 in place of 256, 1,000 steps in place of 3,000, one seed of figure 3 in place of three.
Result<TransferFigure> computeTransfer(int number, const Work& work);

// The parts.
/// Reversal, Table 6, as assets/configs/reversal-radd-rope.json reads it.
train::RunConfig transferConfig(int length, std::uint64_t seed, std::int64_t steps, int batch);
/// `points` of the curves after the first; `made` is called after each.
Result<TransferRun> followTransfer(const train::RunConfig& config, int points,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled = {});
/// What is measured of a model of these parameters.
TransferPoint transferPoint(const nn::ModelConfig& model, std::span<const float> theta, std::int64_t step,
                            ThreadPool& pool);

}  // namespace sepx::studies
