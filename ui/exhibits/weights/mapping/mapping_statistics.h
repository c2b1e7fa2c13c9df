// SPDX-License-Identifier: Apache-2.0
// What the values of one tensor are like: read through once, in blocks, in a job. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/attention/histogram.h"
#include "engine/checkpoint/model_cache.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

struct TensorStatistics {
  std::string tensor;
  double mean = 0, deviation = 0;  ///< of the finite values; deviation with n in the denominator
  std::uint64_t zeros = 0;
  attention::Histogram histogram;
};

class MappingStatistics {
 public:
  /// An empty name: nothing is chosen.
  void update(const std::shared_ptr<const checkpoint::Model>& model, const std::string& tensor,
              ExhibitContext& context);
  /// Null: not yet, or nothing is chosen.
  const TensorStatistics* result() const { return read() && *read() ? &**read() : nullptr; }
  std::string failure() const { return read() && !*read() ? read()->error().sentence : std::string(); }
  bool complete() const { return lane_.complete(); }
  std::uint64_t revision() const { return lane_.revision(); }

 private:
  struct Request {
    std::shared_ptr<const checkpoint::Model> model;
    std::string tensor;
    bool operator==(const Request&) const = default;
  };
  const Result<TensorStatistics>* read() const { return lane_.result(); }

  Lane<Request, Result<TensorStatistics>> lane_{"weights.tensor"};
};

}  // namespace sepx::ui
