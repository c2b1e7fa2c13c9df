// SPDX-License-Identifier: Apache-2.0
// Pictures of the same part of W_qk in two checkpoints, or of their difference: made in a job for what is in sight,
// with the ends of the colours taken from the whole matrices, not from what is in sight. Frame thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/histogram.h"
#include "engine/core/exchange.h"
#include "ui/exhibits/weights/shared/matrix_layout.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

/// What a pane shows.
enum class CompareSide { First, Second, Difference };
inline constexpr std::size_t kCompareSides = 3;

/// One layer and head of both checkpoints; null factors: not there.
struct ComparePair {
  std::array<std::shared_ptr<const attention::LayerFactors>, kCompareSides> factors;
  std::array<std::shared_ptr<const attention::Histogram>, kCompareSides> histogram;
};

class ComparePictures {
 public:
  ComparePictures();
  /// `partner`: the second checkpoint's layer; null: there is nothing to draw.
  void update(const PageFrame& frame, const MatrixLayout& layout,
              const std::shared_ptr<const checkpoint::Model>& second, const checkpoint::AttentionLayer* partner,
              ExhibitContext& context);

  const MatrixPicture& picture(CompareSide side) const { return pictures_[static_cast<std::size_t>(side)]; }
  /// Exact entries come from here; null: not yet.
  const std::shared_ptr<const ComparePair>& pair() const { return pair_; }
  ColorLimits limits(CompareSide side) const;
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return !running_; }
  const std::string& device() const { return device_; }
  const std::string& failure() const { return failure_; }

 private:
  struct Request {
    std::shared_ptr<const attention::LayerFactors> first;
    std::shared_ptr<const checkpoint::Model> second;
    const checkpoint::AttentionLayer* partner = nullptr;  ///< of `second`
    checkpoint::FactorOptions options;
    attention::Part part = attention::Part::Full;
    attention::Pool pool = attention::Pool::Extreme;
    attention::Crop crop;
    Eigen::Index step = 1;
    bool difference = false;
    bool sameMatrix(const Request& other) const;
    bool operator==(const Request& other) const;
  };
  struct Published {
    std::uint64_t ticket = 0;
    std::shared_ptr<const ComparePair> pair;
    std::array<MatrixPicture, kCompareSides> pictures;
    std::string device, failure;
    bool done = false;
  };
  struct Workshop;
  static Result<void> work(const Request& request, Workshop& shop, Exchange<Published>& exchange, ThreadPool& pool,
                           std::uint64_t ticket, JobContext& job);

  std::shared_ptr<Exchange<Published>> exchange_;
  std::shared_ptr<Workshop> workshop_;
  std::optional<Request> request_;
  std::uint64_t ticket_ = 0, revision_ = 1;
  bool running_ = false;
  std::shared_ptr<const ComparePair> pair_;
  std::array<MatrixPicture, kCompareSides> pictures_;
  std::string device_, failure_;
  double percentile_ = 99.5;
  attention::Pool pool_ = attention::Pool::Extreme;
  std::optional<ColorLimits> locked_;
};

}  // namespace sepx::ui
