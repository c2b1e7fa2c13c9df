// SPDX-License-Identifier: Apache-2.0
// Statistics of the values of one tensor, computed in one pass in blocks. Called in a job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/attention/histogram.h"
#include "engine/checkpoint/model_cache.h"
#include "ui/page/lane.h"

namespace sepx::ui {

struct TensorStatistics {
  double mean = 0, deviation = 0;  ///< of the finite values; deviation with n in the denominator
  std::uint64_t zeros = 0;
  attention::Histogram histogram;
};

struct TensorRequest {
  std::shared_ptr<const checkpoint::Model> model;
  std::string tensor;  ///< exists in the model
  bool operator==(const TensorRequest&) const = default;
};

Result<std::shared_ptr<const TensorStatistics>> statisticsOf(const TensorRequest& request, const LaneWork& work);

}  // namespace sepx::ui
