// SPDX-License-Identifier: Apache-2.0
// The public interface of the compute kernels, without Vulkan types, so that ui/ may use it. Each kernel has a
// double-precision counterpart on the CPU:
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

/// Computes one basin map at a time. Labels as in dynamics::BasinMap.
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
  /// The labels so far. Tiles are computed from coarse to fine; a pixel not yet computed has the label of its coarse
  /// neighbour.
  virtual const dynamics::BasinMap& map() const = 0;
  /// Blocks until done. For the command line, tests and exports.
  virtual Result<void> finish() = 0;
};

class TrajectoriesKernel {  ///< orbits from many initial points
 public:
  /// Usage when shaders/fields has no kernel for the field.
  static Result<std::unique_ptr<TrajectoriesKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~TrajectoriesKernel() = default;
  /// Blocks. Returns [points, samples] states; sample j lies at j * length/(samples-1) along the orbit. Computes in
  /// single precision.
  virtual Result<dynamics::TrajectoryBatch> run(std::span<const double> parameters,
                                                const std::vector<dynamics::State>& starts,
                                                const dynamics::TrajectoryOptions& options) = 0;
};

/// Computes one flow texture at a time.
class LicKernel {
 public:
  static constexpr std::size_t kMostTexture = std::size_t{3} << 21;  ///< pixels; a larger texture stays neutral
  /// Usage when shaders/fields has no kernel for the field.
  static Result<std::unique_ptr<LicKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~LicKernel() = default;
  /// Cancels what is queued and begins a new texture (latest wins).
  virtual void start(std::span<const double> parameters, const dynamics::BasinWindow& window,
                     const dynamics::LicOptions& options) = 0;
  virtual void cancel() = 0;
  /// As BasinMapKernel::advance.
  virtual KernelState advance(double budgetMs) = 0;
  virtual double progress() const = 0;  ///< 0 to 1
  /// The texture so far: computed row by row from the top, neutral below.
  virtual const dynamics::FlowTexture& texture() const = 0;
  /// Blocks until done. For the command line, tests and benchmarks.
  virtual Result<void> finish() = 0;
};

/// A cloud of particles that stays on the device. Only its picture is read back.
class ParticlesKernel {
 public:
  /// Usage when shaders/fields has no kernel for the field.
  static Result<std::unique_ptr<ParticlesKernel>> create(Context& context, const dynamics::VectorField& field);
  virtual ~ParticlesKernel() = default;
  /// Places the cloud at its initial points (as the constructor of ParticleCloud). Usage when the window has no or too
  /// many pixels.
  virtual Result<void> start(const dynamics::ParticleOptions& options, const dynamics::BasinWindow& window) = 0;
  /// Shows the same cloud in another window and clears the trails. Errors as in start().
  virtual Result<void> look(const dynamics::BasinWindow& window) = 0;
  /// Submits one step and its picture. Returns false, and does nothing, when the maximum number of steps is in flight
  /// or the device is lost.
  virtual bool step(std::span<const double> parameters, const dynamics::ParticleStep& step) = 0;
  /// Takes the newest finished picture. Returns false when there is none since the last call. Never waits.
  virtual bool collect() = 0;
  virtual const dynamics::ParticlePicture& picture() const = 0;
  virtual bool inFlight() const = 0;
  /// Blocks until everything submitted is in picture().
  virtual Result<void> finish() = 0;
  /// Device time of the last collected step, milliseconds; 0 before the first.
  virtual double stepMs() const = 0;
};

}  // namespace sepx::gpu
