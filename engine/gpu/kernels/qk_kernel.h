// SPDX-License-Identifier: Apache-2.0
// Computes W_qk on the device in single precision: pictures in tiles, and the norms of rows and columns. CPU
// counterparts: attention::makeTileSource, attention::cropOf and attention::momentsOf. No Vulkan types here. Frame
// thread only, like the other kernels. start() and advance() are for the interactive picture, the blocking calls for
// the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/attention/scores.h"
#include "engine/attention/tiles.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/kernels/kernel_state.h"

namespace sepx::gpu {

class Context;
struct QkData;

struct QkOptions {                     ///< for tests
  std::uint64_t mostBindingBytes = 0;  ///< simulates a device with this binding limit; 0: the device's own limit
};

class QkKernel {
 public:
  /// Uploads the factors in single precision. NoDevice, with the missing amount of memory, when they do not fit the
  /// device.
  static Result<std::unique_ptr<QkKernel>> create(Context& context,
                                                  std::shared_ptr<const attention::LayerFactors> factors,
                                                  const std::vector<int>& rowOrder = {},
                                                  const std::vector<int>& columnOrder = {});
  static Result<std::unique_ptr<QkKernel>> create(Context& context, const QkData& data, const QkOptions& options = {});
  virtual ~QkKernel() = default;

  virtual Eigen::Index rows() const = 0;     ///< of W_qk
  virtual Eigen::Index columns() const = 0;  ///< of W_qk
  /// Cancels what is queued and begins a new picture (latest wins).
  virtual void start(const attention::Crop& crop, Eigen::Index step, attention::Part part, attention::Pool pool) = 0;
  /// Collects finished tiles and submits more, about `budgetMs` of device time.
  virtual KernelState advance(double budgetMs) = 0;
  /// Submits nothing more. Tiles on the device finish, but their results are not read.
  virtual void cancel() = 0;
  virtual double progress() const = 0;  ///< 0 to 1
  /// The picture of the last start(). Pixels not yet computed are NaN; those of extremes may still grow.
  virtual const attention::Picture& picture() const = 0;

  /// Blocking calls, for the command line, tests and exports. finish() completes the last start(); the others cancel
  /// it. A cancelled finish() leaves the picture as far as it was computed.
  virtual Result<void> finish(const std::function<bool()>& cancelled = {}) = 0;
  virtual Result<attention::Matrix> crop(attention::Part part, const attention::Crop& crop) = 0;
  virtual Result<attention::Moments> moments() = 0;  ///< in the stored order of rows and columns
};

}  // namespace sepx::gpu
