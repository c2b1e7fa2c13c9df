// SPDX-License-Identifier: Apache-2.0
// A real transformer that started at a point of the canonical plane, beside the flow of theory from the same point: the
// two paths and how far they are apart. Pure; frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/markov/chain.h"
#include "engine/render/scene.h"
#include "ui/runs/projected_path.h"
#include "ui/runs/run.h"

namespace sepx::ui {

/// Where a run stands and the flow with it.
struct RealPlace {
  std::int64_t step = 0;  ///< of the projection
  render::Point at;       ///< (e, w) of the projection
  double residual = 0;    ///< of the projection
  render::Point nearest;  ///< place of the flow's path that is nearest to `at`
  double distance = 0;    ///< to it
  double time = 0;        ///< sum of the learning rates
  render::Point then;     ///< where the flow is at that time
  double apart = 0;       ///< from `at` to there
};

class RealRun {
 public:
  /// Takes over what the run has reported; the flow is integrated once a run (below a millisecond). True: something
  /// changed. Null: no run.
  bool update(const RunPointer& run);

  const RunPointer& run() const { return run_; }
  const ProjectedPath& path() const { return path_; }
  const std::vector<double>& halo() const { return halo_; }  ///< residual |(e, w)| at each of path()
  const std::vector<render::Point>& flow() const { return flow_; }
  const std::optional<RealPlace>& place() const { return place_; }  ///< the newest; nothing before the first
  std::optional<markov::Chain> chain() const { return chain_; }     ///< of its data, once its config is read
  std::uint64_t revision() const { return revision_; }

 private:
  void integrate();
  void measure();
  render::Point flowAt(double time) const;

  RunPointer run_;
  std::uint64_t seen_ = 0, revision_ = 0;
  std::optional<markov::Chain> chain_;
  ProjectedPath path_;
  std::vector<double> halo_;
  std::vector<render::Point> flow_;
  std::vector<double> times_;  ///< of flow_
  std::optional<RealPlace> place_;
};

}  // namespace sepx::ui
