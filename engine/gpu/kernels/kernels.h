// SPDX-License-Identifier: Apache-2.0
// The compute kernels as seen from above: no Vulkan type, so that ui/ may use them. Each has a double-precision twin on
// the CPU:
//   BasinMapKernel     dynamics::integrateBasinMap
//   TrajectoriesKernel dynamics::integrateTrajectories
//   LicKernel          dynamics::lineIntegralConvolution
//   ParticlesKernel    dynamics::ParticleCloud
// Frame thread only. Work is cut into tiles; advance() submits what fits the budget and never waits for the device.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/basin_map.h"
#include "engine/dynamics/lic.h"
#include "engine/dynamics/particles.h"
#include "engine/dynamics/trajectories.h"
#include "engine/gpu/kernels/kernel_state.h"

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
  /// Collects finished tiles and submits more, about `budgetMs` of device time.
  virtual KernelState advance(double budgetMs) = 0;
  virtual double progress() const = 0;  ///< 0 to 1
  /// Labels so far; tiles come coarse to fine, a pixel not yet reached carries its coarse neighbour's label.
  virtual const dynamics::BasinMap& map() const = 0;
  /// Blocks until done: command line, tests, exports.
  virtual Result<void> finish() = 0;
};

class TrajectoriesKernel {  ///< orbits of many starts
 public:
  /// Unsupported: the field has no kernel.
  static Result<std::unique_ptr<TrajectoriesKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~TrajectoriesKernel() = default;
  /// Blocks: [points, samples] states, sample j at j * length/(samples-1) along the orbit; single precision inside.
  virtual Result<dynamics::TrajectoryBatch> run(std::span<const double> parameters,
                                                const std::vector<dynamics::State>& starts,
                                                const dynamics::TrajectoryOptions& options) = 0;
};

/// One flow texture at a time.
class LicKernel {
 public:
  static constexpr std::size_t kMostTexture = std::size_t{3} << 21;  ///< pixels; a larger one stays neutral
  /// Unsupported: the field has no kernel.
  static Result<std::unique_ptr<LicKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~LicKernel() = default;
  /// Cancels what is queued and begins a new texture (latest wins).
  virtual void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                     const dynamics::LicOptions& options) = 0;
  virtual void cancel() = 0;
  /// As BasinMapKernel::advance.
  virtual KernelState advance(double budgetMs) = 0;
  virtual double progress() const = 0;  ///< 0 to 1
  /// So far: row by row from the top, neutral below.
  virtual const dynamics::FlowTexture& texture() const = 0;
  /// Blocks until done: command line, tests, benchmarks.
  virtual Result<void> finish() = 0;
};

/// A cloud of particles that lives on the device: only its picture comes back.
class ParticlesKernel {
 public:
  /// Unsupported: the field has no kernel.
  static Result<std::unique_ptr<ParticlesKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~ParticlesKernel() = default;
  /// The cloud at its starts (as ParticleCloud's constructor); Usage when the window has too many pixels.
  virtual Result<void> start(const dynamics::ParticleOptions& options, const dynamics::BasinWindow& window) = 0;
  /// The same cloud seen through another window, without its trails.
  virtual Result<void> look(const dynamics::BasinWindow& window) = 0;
  /// Submits one step and its picture. False when as many are in flight as may be: nothing was done.
  virtual bool step(std::span<const double> parameters, const dynamics::ParticleStep& step) = 0;
  /// Takes the newest finished picture; false when there is none since the last call. Never waits.
  virtual bool collect() = 0;
  virtual const dynamics::ParticlePicture& picture() const = 0;
  virtual bool inFlight() const = 0;
  /// Blocks until everything submitted is in picture().
  virtual Result<void> finish() = 0;
  /// Of the last step collected, device milliseconds; 0 before.
  virtual double stepMs() const = 0;
};

}  // namespace sepx::gpu
