// SPDX-License-Identifier: Apache-2.0
// The correlation of forward and reverse scores of a model at a step, the planes of its RoPE, and the bounds that hold
// under Assumption 4.2. Pure but for the files of the run; any thread.
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
  int reach = 2000;  ///< largest distance at which a model with RoPE is asked
  bool operator==(const CorrelationRequest&) const = default;
};

struct CorrelationResult {
  std::string title;                         ///< of the model
  std::int64_t step = 0;                     ///< -1: of a model that ships
  int length = 0, head = 0, dimensions = 0;  ///< of a head
  double base = 10000;                       ///< of RoPE
  nn::Positions positions = nn::Positions::Rope;
  reversal::ScoreCorrelation scores;
  std::optional<reversal::RopePlanes> planes;  ///< nothing without RoPE
  /// With RoPE, at Delta1 = Delta2 = distances: of the model's vectors, also beyond its length, and what Assumption 4.2
  /// says of it with the measured w and rho.
  std::vector<double> distances, far, assumed;
};
using CorrelationPointer = std::shared_ptr<const CorrelationResult>;
Result<CorrelationPointer> measureCorrelation(const CorrelationRequest& request);

/// What holds of RoPE whatever the model is.
struct BoundsRequest {
  int dimensions = 256;
  double base = 10000;
  int reach = 2000;        ///< largest Delta
  int length = 10;         ///< of the sequences: the asymmetric bound is taken for their distances
  double threshold = 0.2;  ///< c of Cantelli
  bool operator==(const BoundsRequest&) const = default;
};
struct RopeBounds {
  BoundsRequest of;
  std::vector<double> distances, trace;  ///< Tr R(2 Delta)/D, Delta = 1, ...
  std::vector<double> limit;             ///< of the trace for many dimensions (reversal::ropeIntegral)
  std::vector<double> cantelli;          ///< at least so likely is a correlation of `threshold`; NaN: no bound
  std::optional<double> negative;        ///< the first of these Delta whose trace is below 0
  /// By Delta1 + Delta2 = 2 ... 2 (length - 1), as ScoreCorrelation: the trace of the sum, and the least asymmetric
  /// bound over the pairs with that sum.
  std::vector<double> sums, traceOfSum, asymmetric;
};
using BoundsPointer = std::shared_ptr<const RopeBounds>;
/// `goesOn` false ends the work early.
BoundsPointer computeBounds(const BoundsRequest& request, const std::function<bool()>& goesOn);

}  // namespace sepx::ui
