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
#include "ui/exhibit/lane.h"
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

  const MatrixPicture& picture(CompareSide side) const { return made().pictures[static_cast<std::size_t>(side)]; }
  /// Exact entries come from here; null: not yet.
  const std::shared_ptr<const ComparePair>& pair() const { return made().pair; }
  ColorLimits limits(CompareSide side) const;
  std::uint64_t revision() const { return lane_.revision(); }
  bool complete() const { return lane_.complete(); }
  const std::string& device() const { return made().device; }
  const std::string& failure() const { return made().failure; }

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
    std::shared_ptr<const ComparePair> pair;
    std::array<MatrixPicture, kCompareSides> pictures;
    std::string device, failure;
  };
  struct Workshop;
  static void work(const Request& request, Workshop& shop, ThreadPool& pool, LaneOutput<Published>& output);
  const Published& made() const { return lane_.result() ? *lane_.result() : nothing_; }

  Lane<Request, Published> lane_{"weights.compare.picture"};
  std::shared_ptr<Workshop> workshop_;
  const Published nothing_;  ///< while there are no pictures
  double percentile_ = 99.5;
  attention::Pool pool_ = attention::Pool::Extreme;
  std::optional<ColorLimits> locked_;
};

}  // namespace sepx::ui
