// SPDX-License-Identifier: Apache-2.0
// W_qk on the device: pictures of tiles and the norms of rows and columns, in single precision. CPU twins:
// attention::makeTileSource, attention::cropOf and attention::momentsOf. No Vulkan type in here. Frame thread only,
// like the other kernels: start() and advance() for the interactive picture, the blocking calls for the command line.
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

struct QkOptions {                     ///< of tests
  std::uint64_t mostBindingBytes = 0;  ///< tests: as on a device that binds no more at once; 0: the device's own
};

class QkKernel {
 public:
  /// Uploads the factors (float). NoDevice when they do not fit the device, with how much is missing.
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
  /// Nothing more is submitted; what is on the device finishes unread.
  virtual void cancel() = 0;
  virtual double progress() const = 0;  ///< 0 to 1
  /// Of the last start(); pixels not yet reached are NaN, those of extremes may still grow.
  virtual const attention::Picture& picture() const = 0;

  /// Blocking: command line, tests, exports. `finish` ends the last start(), the others cancel it.
  /// A cancelled one leaves its picture as far as it came.
  virtual Result<void> finish(const std::function<bool()>& cancelled = {}) = 0;
  virtual Result<attention::Matrix> crop(attention::Part part, const attention::Crop& crop) = 0;
  virtual Result<attention::Moments> moments() = 0;  ///< rows and columns as stored, whatever the orders
};

}  // namespace sepx::gpu
