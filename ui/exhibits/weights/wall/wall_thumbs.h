// SPDX-License-Identifier: Apache-2.0
// Small pictures of W_qk of layers and heads, made in a job, coarse before exact. They are kept until the model or an
// option that they depend on changes. Frame thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "engine/attention/tiles.h"
#include "engine/checkpoint/model_cache.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// A layer, by its index in the map, and one of its heads; -1: the whole layer.
struct WallPlace {
  int layer = 0;
  int head = -1;
  auto operator<=>(const WallPlace&) const = default;
};

struct Thumb {
  int rows = 0, columns = 0;
  std::shared_ptr<const std::vector<float>> values;  ///< [rows, columns], row 0 on top
  float limit = 0;         ///< 99.5 % of the pixels' moduli are at most this; 0: all pixels are 0, or none is finite
  bool nonfinite = false;  ///< some pixels are NaN or infinite
  bool exact = false;      ///< false: averaged blocks until the exact picture is made
  bool wide = false;       ///< not square: cross attention of two widths
};
using ThumbPointer = std::shared_ptr<const Thumb>;

class WallThumbs {
 public:
  static constexpr int kPixels = 128;  ///< largest number along a side

  /// Takes over finished pictures and starts those of `wanted` that are missing, in this order.
  void update(const WeightsShared& shared, const std::vector<WallPlace>& wanted, ExhibitContext& context);
  /// Null: not yet made.
  ThumbPointer find(WallPlace place) const;
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return lane_.complete(); }
  const std::string& device() const { return made().device; }
  const std::string& failure() const { return made().failure; }

 private:
  struct Request {
    std::shared_ptr<const checkpoint::Model> model;
    std::vector<WallPlace> places;
    std::set<WallPlace> coarse;  ///< already have a coarse picture
    checkpoint::FactorOptions options;
    attention::Part part = attention::Part::Full;  ///< shown of square matrices
    attention::Pool pool = attention::Pool::Extreme;
  };
  struct Made {
    std::vector<std::pair<WallPlace, ThumbPointer>> thumbs;  ///< all that the job has made so far
    std::string device, failure;
  };
  static std::vector<std::pair<int, WallPlace>> stepsOf(const Request& request);
  static void work(const Request& request, ThreadPool& pool, LaneOutput<Made>& output);
  const Made& made() const { return lane_.value(); }
  void take(ExhibitContext& context);

  Lane<Request, Made> lane_{"weights.wall"};
  std::map<WallPlace, ThumbPointer> thumbs_;
  std::uint64_t of_ = 0;  ///< digest of the model and the options of thumbs_
  std::uint64_t revision_ = 1;
  std::size_t taken_ = 0;  ///< number taken over from the running job's list
};

}  // namespace sepx::ui
