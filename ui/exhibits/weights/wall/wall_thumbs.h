// SPDX-License-Identifier: Apache-2.0
// Small pictures of W_qk of layers and heads, made in a job: those in sight first, coarse before exact, kept until the
// model or what they show changes. Frame thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/attention/tiles.h"
#include "engine/checkpoint/shelf.h"
#include "engine/core/exchange.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/weights/shared/weights_page.h"

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

  WallThumbs();
  /// Takes over what is made; starts what is missing of `wanted`, in this order.
  void update(const WeightsShared& shared, const std::vector<WallPlace>& wanted, ExhibitContext& context);
  /// Null: not yet.
  ThumbPointer find(WallPlace place) const;
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return !running_; }
  const std::string& device() const { return device_; }
  const std::string& failure() const { return failure_; }

 private:
  using Made = std::vector<std::pair<WallPlace, ThumbPointer>>;
  struct Published {
    std::uint64_t ticket = 0;
    std::shared_ptr<const Made> made;  ///< of the whole job so far
    bool done = false;
    std::string device, failure;
  };
  struct Order;
  static std::vector<std::pair<int, WallPlace>> stepsOf(const Order& order);
  static Result<void> work(const Order& order, JobContext& job);
  void take();

  std::shared_ptr<Exchange<Published>> exchange_;
  std::map<WallPlace, ThumbPointer> thumbs_;
  std::vector<WallPlace> asked_;   ///< of the job that runs
  std::vector<std::uint64_t> of_;  ///< model and options that thumbs_ are of
  std::uint64_t ticket_ = 0, revision_ = 1;
  std::size_t taken_ = 0;  ///< of the running job's list
  bool running_ = false;
  std::string device_, failure_;
};

}  // namespace sepx::ui
