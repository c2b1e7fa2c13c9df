// SPDX-License-Identifier: Apache-2.0
// The compute kernels as seen from above: no Vulkan type, so that ui/ may use them. Each has a double-precision twin on
// the CPU:
//   BasinMapKernel     dynamics::integrateBasinMap
//   TrajectoriesKernel dynamics::integrateTrajectories
// Frame thread only. Work is cut into tiles; advance() submits what fits the budget and never waits for the device.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/basin_map.h"
#include "engine/dynamics/trajectories.h"

namespace sepx::gpu {

class Context;

/// One basin map at a time. Labels as in dynamics::BasinMap.
class BasinMapKernel {
 public:
  /// Usage when shaders/fields has no kernel for the field. The field must outlive the kernel.
  static Result<std::unique_ptr<BasinMapKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~BasinMapKernel() = default;

  /// Cancels what is queued and begins a new map (latest wins).
  virtual void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                     const dynamics::BasinMapOptions& options) = 0;
  virtual void cancel() = 0;
  /// Collects finished tiles and submits more, about `budgetMs` of device time. True while there is work left.
  virtual bool advance(double budgetMs) = 0;
  virtual double progress() const = 0;  ///< 0 to 1
  /// Labels so far; tiles come coarse to fine, a pixel not yet reached carries its coarse neighbour's label.
  virtual const dynamics::BasinMap& map() const = 0;
  /// Blocks until done: command line, tests, exports.
  virtual Result<void> finish() = 0;
};

class TrajectoriesKernel {
 public:
  static Result<std::unique_ptr<TrajectoriesKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~TrajectoriesKernel() = default;
  /// Blocks: [points, samples] states, sample j at j * length/(samples-1) along the orbit; single precision inside.
  virtual Result<dynamics::TrajectoryBatch> run(std::span<const double> parameters,
                                                const std::vector<dynamics::State>& starts,
                                                const dynamics::TrajectoryOptions& options) = 0;
};

}  // namespace sepx::gpu
