// SPDX-License-Identifier: Apache-2.0
// Everything the Flow exhibit has computed: paths, loss picture, basins, the cloud of Gaussian initialisations. A few
// points are followed at once (well under a millisecond each), the rest runs as jobs. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibit/exhibit.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/flow/shared/flow_basin.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// What colours the plane over a window: the loss (or potential), times or gradients; `values` are places on the scale.
struct LossPicture {
  render::Rect extent;
  int width = 0, height = 0;
  std::shared_ptr<const std::vector<float>> values;
  std::shared_ptr<const std::vector<float>> losses;  ///< what `values` are the places of, by `color`
  ColorScale scale;
  ColorLimits own;  ///< the ends that the losses themselves ask for
  PlaneColor color = PlaneColor::Loss;
};

struct Cloud {
  std::vector<render::Point> points;
  std::vector<markov::LimitKind> kinds;  ///< where each one ends, by the theorems
  double share = 0;                      ///< that end in a local minimum
};

/// Of very many points in the canonical plane every so many-th, and the selected one, has its path; where the others
/// end the closed form knows. More paths than that cannot be told apart.
std::size_t pathStride(const FlowState& state);
bool hasPath(const FlowState& state, std::size_t point);

using PointResultPointer = std::shared_ptr<const PointResult>;

class FlowResults {
 public:
  /// Takes over what is finished and starts what is stale. `plot`: size of the plot in points.
  void update(const FlowState& state, const render::Rect& plot, ExhibitContext& context);

  /// The points alone: for pages that show nothing else of these.
  void updatePoints(const FlowState& state, ExhibitContext& context);
  bool pointsComplete() const { return pathsDone_; }

  /// Never null; `i` below the number of points.
  const PointResult& point(std::size_t i) const { return *entries_[i].result; }
  std::size_t points() const { return entries_.size(); }
  const LossPicture* loss() const { return loss_.result(); }  ///< null: none
  /// The ends of the colour scale that the data ask for, and those in effect; nothing where there is no loss to shade.
  const std::optional<ColorLimits>& ownLimits() const { return ownLimits_; }
  const std::optional<ColorLimits>& limits() const { return limits_; }
  const BasinPicture& basin() const { return basin_.picture(); }
  std::shared_ptr<const Cloud> cloud() const { return cloud_.result() ? *cloud_.result() : nullptr; }
  /// P(local minimum) of the Gaussian cloud by quadrature; nothing when degenerate or for another field.
  std::optional<double> gaussProbability() const { return probability_; }

  /// Change with the content: layers compare them.
  std::uint64_t pathsRevision() const { return pathsRevision_; }
  std::uint64_t revision(std::size_t i) const { return entries_[i].revision; }
  std::uint64_t lossRevision() const { return loss_.revision(); }
  std::uint64_t cloudRevision() const { return cloud_.revision(); }

  bool complete() const;
  bool advancing() const { return basin_.advancing(); }
  void releaseGpu() { basin_.releaseGpu(); }

 private:
  struct Entry {
    std::uint64_t model = 0;  ///< stamp of the model the result belongs to
    double e = 0, w = 0;
    Extent extent = Extent::Path;
    bool pending = false;  ///< `result` is of before
    std::uint64_t revision = 0;
    PointResultPointer result;
    bool isOf(std::uint64_t stamp, const FlowPoint& point, Extent wanted) const {
      return result && model == stamp && e == point.e && w == point.w &&
             (extent == wanted || (wanted < Extent::Path && extent == Extent::Path));
    }
  };
  /// Points that wait for their path, by their index.
  struct PathsRequest {
    FlowModel model;
    std::vector<std::pair<std::size_t, Entry>> entries;
  };
  struct LossRequest {
    FlowModel model;
    PlaneColor color = PlaneColor::Loss;
    render::Rect view;
    int width = 0, height = 0;
    std::optional<ColorLimits> limits;  ///< locked or shared; nothing: those of the data
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

  void takeModel(const FlowState& state);
  void updatePaths(const FlowState& state, ExhibitContext& context);
  void collectPaths(ExhibitContext& context);
  /// How many of `order` were followed.
  std::size_t followAtOnce(const FlowState& state, const std::vector<std::size_t>& order, bool scripted);
  /// The points that wait, the selected one first, then in turn.
  std::vector<std::size_t> waiting(const FlowState& state) const;
  void startPaths(const FlowState& state, std::vector<std::size_t> stale, ExhibitContext& context);
  void updateLoss(const FlowState& state, const render::Rect& plot, ExhibitContext& context);
  void updateLimits(const FlowState& state, const ExhibitContext& context);
  void updateCloud(const FlowState& state, ExhibitContext& context);
  void updateProbability(const FlowState& state);

  std::optional<FlowModel> model_;
  std::uint64_t modelStamp_ = 0;
  std::vector<Entry> entries_;
  std::uint64_t pathsRevision_ = 0;
  std::size_t turn_ = 0;  ///< where following within the frame goes on
  bool pathsDone_ = true;
  Lane<PathsRequest, std::vector<std::pair<std::size_t, Entry>>> paths_{"flow.paths"};

  Lane<LossRequest, LossPicture> loss_{"flow.loss"};
  std::optional<ColorLimits> ownLimits_, limits_;

  FlowBasin basin_;

  Lane<CloudRequest, std::shared_ptr<const Cloud>> cloud_{"flow.cloud"};

  std::optional<double> probability_;
  std::optional<std::pair<double, bool>> probabilityOf_;
};

}  // namespace sepx::ui
