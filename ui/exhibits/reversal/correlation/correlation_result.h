// SPDX-License-Identifier: Apache-2.0
// The correlation of forward and reverse scores of a model at a step, the planes of its RoPE, and the bounds that hold
// under Assumption 4.2. Pure, except that it reads the files of the run; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/reversal/correlation.h"
#include "engine/reversal/rope_planes.h"
#include "ui/exhibits/reversal/shared/shown_model.h"

namespace sepx::ui {

struct CorrelationRequest {
  ShownModel model;
  int head = 0;      ///< of the first layer
  int reach = 2000;  ///< largest distance that is evaluated for a model with RoPE
  bool operator==(const CorrelationRequest&) const = default;
};

struct CorrelationResult {
  std::string title;                         ///< of the model
  std::int64_t step = 0;                     ///< -1: a shipped model
  int length = 0, head = 0, dimensions = 0;  ///< dimensions: of a head
  double base = 10000;                       ///< of RoPE
  nn::Positions positions = nn::Positions::Rope;
  reversal::ScoreCorrelation scores;
  std::optional<reversal::RopePlanes> planes;  ///< empty without RoPE
  /// With RoPE, the correlation at Delta1 = Delta2 = distances: `far` is that of the model's vectors, also beyond its
  /// length, and `assumed` follows from Assumption 4.2 with the measured w and rho.
  std::vector<double> distances, far, assumed;
};
using CorrelationPointer = std::shared_ptr<const CorrelationResult>;
Result<CorrelationPointer> measureCorrelation(const CorrelationRequest& request);

/// Request for the bounds of RoPE, which hold for every model.
struct BoundsRequest {
  int dimensions = 256;
  double base = 10000;
  int reach = 2000;        ///< largest Delta
  int length = 10;         ///< of the sequences: the asymmetric bound is computed for their distances
  double threshold = 0.2;  ///< c of Cantelli
  bool operator==(const BoundsRequest&) const = default;
};
struct RopeBounds {
  BoundsRequest of;
  std::vector<double> distances, trace;  ///< Tr R(2 Delta)/D, Delta = 1, ...
  std::vector<double> limit;             ///< limit of the trace for many dimensions (reversal::ropeIntegral)
  std::vector<double> cantelli;          ///< least probability of a correlation of at least `threshold`; NaN: no bound
  std::optional<double> negative;        ///< the first whole Delta, up to `reach`, whose trace is below 0
  /// For Delta1 + Delta2 = 2 ... 2 (length - 1), as in ScoreCorrelation: the trace of the sum, and the least asymmetric
  /// bound over the pairs with that sum.
  std::vector<double> sums, traceOfSum, asymmetric;
};
using BoundsPointer = std::shared_ptr<const RopeBounds>;
/// If `shouldContinue` returns false, the work ends early.
BoundsPointer computeBounds(const BoundsRequest& request, const std::function<bool()>& shouldContinue);

}  // namespace sepx::ui
