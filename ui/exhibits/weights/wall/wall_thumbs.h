// SPDX-License-Identifier: Apache-2.0
// Small pictures of W_qk of layers and heads, made in a job: those in sight first, coarse before exact, kept until the
// model or what they show changes. Frame thread.
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

/// A layer by its place in the map, and a head of it; -1: the whole layer.
struct WallPlace {
  int layer = 0;
  int head = -1;
  auto operator<=>(const WallPlace&) const = default;
};

struct Thumb {
  int rows = 0, columns = 0;
  std::shared_ptr<const std::vector<float>> values;  ///< [rows, columns], row 0 on top
  float limit = 0;         ///< 99.5 % of the pixels' moduli are at most this; 0: nothing but zeros, or nothing finite
  bool nonfinite = false;  ///< some pixels are
  bool exact = false;      ///< false: averaged blocks until the exact one is made
  bool wide = false;       ///< not square: cross attention of two widths
};
using ThumbPointer = std::shared_ptr<const Thumb>;

class WallThumbs {
 public:
  static constexpr int kPixels = 128;  ///< a side, at most

  /// Takes over what is made; starts what is missing of `wanted`, in this order.
  void update(const WeightsShared& shared, const std::vector<WallPlace>& wanted, ExhibitContext& context);
  /// Null: not yet.
  ThumbPointer find(WallPlace place) const;
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return lane_.complete(); }
  const std::string& device() const { return made().device; }
  const std::string& failure() const { return made().failure; }

 private:
  struct Request {
    std::shared_ptr<const checkpoint::Model> model;
    std::vector<WallPlace> places;
    std::set<WallPlace> coarse;  ///< have an average already
    checkpoint::FactorOptions options;
    attention::Part part = attention::Part::Full;  ///< of square matrices
    attention::Pool pool = attention::Pool::Extreme;
  };
  struct Made {
    std::vector<std::pair<WallPlace, ThumbPointer>> thumbs;  ///< of the whole job so far
    std::string device, failure;
  };
  static std::vector<std::pair<int, WallPlace>> stepsOf(const Request& request);
  static void work(const Request& request, ThreadPool& pool, LaneOutput<Made>& output);
  const Made& made() const { return lane_.value(); }
  void take(ExhibitContext& context);

  Lane<Request, Made> lane_{"weights.wall"};
  std::map<WallPlace, ThumbPointer> thumbs_;
  std::uint64_t of_ = 0;  ///< digest of the model and the options that thumbs_ are of
  std::uint64_t revision_ = 1;
  std::size_t taken_ = 0;  ///< of the running job's list
};

}  // namespace sepx::ui
