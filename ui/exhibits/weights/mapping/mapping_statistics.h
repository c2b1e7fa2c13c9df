// SPDX-License-Identifier: Apache-2.0
// What the values of one tensor are like: read through once, in blocks, in a job. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/attention/histogram.h"
#include "engine/checkpoint/shelf.h"
#include "engine/core/exchange.h"
#include "ui/exhibit/exhibit.h"

namespace sepx::ui {

struct TensorStatistics {
  std::string tensor;
  double mean = 0, deviation = 0;  ///< of the finite values; deviation with n in the denominator
  std::uint64_t zeros = 0;
  attention::Histogram histogram;
};

class MappingStatistics {
 public:
  MappingStatistics();
  /// An empty name: nothing is chosen.
  void update(const std::shared_ptr<const checkpoint::Model>& model, std::uint64_t modelRevision,
              const std::string& tensor, ExhibitContext& context);
  const std::shared_ptr<const TensorStatistics>& result() const { return result_; }
  const std::string& failure() const { return failure_; }
  bool complete() const { return !running_; }
  std::uint64_t revision() const { return revision_; }

 private:
  struct Published {
    std::uint64_t ticket = 0;
    std::shared_ptr<const TensorStatistics> statistics;
    std::string failure;
  };
  std::shared_ptr<Exchange<Published>> exchange_;
  std::string tensor_;
  std::uint64_t model_ = 0, ticket_ = 0, revision_ = 1;
  bool running_ = false;
  std::shared_ptr<const TensorStatistics> result_;
  std::string failure_;
};

}  // namespace sepx::ui
