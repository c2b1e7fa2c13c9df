// SPDX-License-Identifier: Apache-2.0
// All results of the Flow exhibit: paths, loss picture, basins, the cloud of Gaussian initialisations. A few points are
// followed within the frame (well under a millisecond each); the rest runs as jobs. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/shared/flow_basin.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/shared/followed_points.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// The colouring of the plane over a window: the loss (or potential), times or gradients; `values` are places on the
/// scale.
struct LossPicture {
  render::Rect extent;
  int width = 0, height = 0;
  std::shared_ptr<const std::vector<float>> values;
  std::shared_ptr<const std::vector<float>> losses;  ///< the numbers that `color` names; `values` are their places
  ColorScale scale;
  ColorLimits own;  ///< the ends of the scale from the data
  PlaneColor color = PlaneColor::Loss;
};

struct Cloud {
  std::vector<render::Point> points;
  std::vector<markov::LimitKind> kinds;  ///< where each one ends, by the theorems
  double share = 0;                      ///< fraction that ends in a local minimum
};

/// With very many points in the canonical plane, only every pathStride()-th point and the selected one have a path,
/// because more paths could not be distinguished. The ends of the other points are known in closed form.
std::size_t pathStride(const FlowState& state);
bool hasPath(const FlowState& state, std::size_t point);

class FlowResults {
 public:
  /// Collects finished results and starts jobs for stale ones. `plot`: size of the plot in points.
  void update(const FlowState& state, const render::Rect& plot, ExhibitContext& context);

  /// Updates the points only, for pages that show none of the other results.
  void updatePoints(const FlowState& state, ExhibitContext& context);
  bool pointsComplete() const { return paths_.complete(); }

  /// Never null; `i` below the number of points.
  const PointResult& point(std::size_t i) const { return paths_[i]; }
  std::size_t points() const { return paths_.size(); }
  const LossPicture* loss() const { return loss_.result(); }  ///< null: none
  /// The ends of the colour scale from the data, and those in effect; empty if the plane is not shaded by a number.
  const std::optional<ColorLimits>& ownLimits() const { return ownLimits_; }
  const std::optional<ColorLimits>& limits() const { return limits_; }
  const BasinPicture& basin() const { return basin_.picture(); }
  std::shared_ptr<const Cloud> cloud() const { return cloud_.result() ? *cloud_.result() : nullptr; }
  /// P(local minimum) of the Gaussian cloud by quadrature; empty if p + q = 1 or for another field.
  std::optional<double> gaussProbability() const { return probability_; }

  /// The revisions change with the content; layers compare them.
  std::uint64_t pathsRevision() const { return paths_.revision(); }
  std::uint64_t revision(std::size_t i) const { return paths_.revision(i); }
  std::uint64_t lossRevision() const { return loss_.revision(); }
  std::uint64_t cloudRevision() const { return cloud_.revision(); }

  bool complete() const;
  bool advancing() const { return basin_.advancing(); }
  void releaseGpu() { basin_.releaseGpu(); }

 private:
  /// The input of the path of a point.
  struct PointWork {
    std::uint64_t model = 0;  ///< stamp of the model
    double e = 0, w = 0;
    Extent extent = Extent::Path;
    bool serves(const PointWork& wanted) const {
      return model == wanted.model && e == wanted.e && w == wanted.w &&
             (extent == wanted.extent || (wanted.extent < Extent::Path && extent == Extent::Path));
    }
  };
  struct LossRequest {
    FlowModel model;
    PlaneColor color = PlaneColor::Loss;
    render::Rect view;
    int width = 0, height = 0;
    std::optional<ColorLimits> limits;  ///< locked or shared; empty: those from the data
    bool operator==(const LossRequest&) const = default;
    bool sameLosses(const LossRequest& other) const {
      return model == other.model && color == other.color && view == other.view && width == other.width &&
             height == other.height;
    }
  };
  struct CloudRequest {
    double sigma = 1;
    int samples = 0, seed = 0;
    std::uint64_t stream = 0;  ///< the program's seed
    bool above = true;         ///< p + q > 1
    bool operator==(const CloudRequest&) const = default;
  };

  void updateLoss(const FlowState& state, const render::Rect& plot, ExhibitContext& context);
  void updateLimits(const FlowState& state, const ExhibitContext& context);
  void updateCloud(const FlowState& state, ExhibitContext& context);
  void updateProbability(const FlowState& state);

  std::optional<FlowModel> model_;
  std::uint64_t modelStamp_ = 0;
  FollowedPoints<PointWork, PointResult> paths_{"flow.paths", 32};

  Lane<LossRequest, LossPicture> loss_{"flow.loss"};
  std::optional<ColorLimits> ownLimits_, limits_;

  FlowBasin basin_;

  Lane<CloudRequest, std::shared_ptr<const Cloud>> cloud_{"flow.cloud"};

  std::optional<double> probability_;
  std::optional<std::pair<double, bool>> probabilityOf_;
};

}  // namespace sepx::ui
