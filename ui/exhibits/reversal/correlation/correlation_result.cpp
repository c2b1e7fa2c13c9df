// SPDX-License-Identifier: Apache-2.0
// See correlation_result.h.
#include "ui/exhibits/reversal/correlation/correlation_result.h"

#include <algorithm>
#include <limits>

#include "engine/core/try.h"
#include "engine/reversal/rope_bounds.h"
#include "engine/reversal/rope_correlation.h"

namespace sepx::ui {

namespace {

constexpr int kMostPoints = 500;  // of a curve over distances, approximately

/// Distances from 1 to reach: all up to 100, then with a step that limits the number of points.
std::vector<double> distancesTo(int reach) {
  std::vector<double> distances;
  const int every = std::max(1, reach / kMostPoints);
  for (int distance = 1; distance <= reach; distance += distance < 100 ? 1 : every)
    distances.push_back(distance);
  if (distances.back() < reach) distances.push_back(reach);
  return distances;
}

double leastAsymmetric(const std::vector<double>& angles, int length, int sum) {
  double least = std::numeric_limits<double>::infinity();
  // Delta1 and Delta2 can be exchanged.
  for (int forward = std::max(1, sum - (length - 1)); 2 * forward <= sum; ++forward)
    least = std::min(least, reversal::asymmetricBound(angles, forward, sum - forward));
  return least;
}

}  // namespace

Result<CorrelationPointer> measureCorrelation(const CorrelationRequest& request) {
  SEPX_ASSIGN(const WholeModel whole, readShown(request.model));
  const nn::ModelConfig& model = whole.config.model;
  auto result = std::make_shared<CorrelationResult>();
  result->title = titleOf(request.model, whole);
  result->step = whole.step;
  result->length = model.length;
  result->dimensions = model.d_h();
  result->base = model.ropeBase;
  result->positions = model.positions;
  result->head = request.head;
  ThreadPool pool(1);
  SEPX_ASSIGN(const auto scores, reversal::letterScores<float>(model, whole.theta, request.head, pool));
  result->scores = reversal::scoreCorrelation(scores);
  if (model.positions != nn::Positions::Rope) return CorrelationPointer(std::move(result));
  SEPX_ASSIGN(result->planes, reversal::ropePlanes<float>(model, whole.theta, request.head, pool));
  result->distances = distancesTo(request.reach);
  for (const double distance : result->distances) {
    result->far.push_back(result->planes->correlationAt(distance, distance));
    result->assumed.push_back(result->planes->assumedCorrelation(distance, distance));
  }
  return CorrelationPointer(std::move(result));
}

BoundsPointer computeBounds(const BoundsRequest& request, const std::function<bool()>& shouldContinue) {
  auto bounds = std::make_shared<RopeBounds>();
  bounds->of = request;
  const std::vector<double> angles = reversal::ropeAngles(request.dimensions, request.base);
  bounds->distances = distancesTo(request.reach);
  for (const double distance : bounds->distances) {
    bounds->trace.push_back(reversal::ropeTrace(angles, 2 * distance));
    bounds->limit.push_back(reversal::ropeIntegral(distance, request.base));
    bounds->cantelli.push_back(reversal::cantelliBound(angles, distance, request.threshold).value_or(std::nan("")));
  }
  for (int distance = 1; distance <= request.reach && !bounds->negative; ++distance)
    if (reversal::ropeTrace(angles, 2.0 * distance) < 0) bounds->negative = distance;
  for (int sum = 2; sum <= 2 * (request.length - 1) && shouldContinue(); ++sum) {
    bounds->sums.push_back(sum);
    bounds->traceOfSum.push_back(reversal::ropeTrace(angles, sum));
    bounds->asymmetric.push_back(leastAsymmetric(angles, request.length, sum));
  }
  return bounds;
}

}  // namespace sepx::ui
