// SPDX-License-Identifier: Apache-2.0
// The W_qk kernel's data and commands on the device: the factors as floats, with rows in the order of the picture and
// padded to a multiple of 16 terms, its two pipelines, and the commands of one tile. A tile binds only the rows that it
// reads, so that a factor may be larger than what the device can bind at once. Constructors throw VulkanError. Frame
// thread, except that prepareQk (qk_prepare.h) fills a QkData on any thread.
#pragma once

#include <memory>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/tiles.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/buffer.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/qk_kernel.h"

namespace sepx::gpu {

struct QkData {                        ///< the factors of a product, prepared for the device
  Eigen::Index rows = 0, columns = 0;  ///< of W_qk
  Eigen::Index depth = 0;              ///< terms per entry, a multiple of 16
  bool square = false;
  std::size_t nonfinite = 0;  ///< non-finite numbers in the original factors
  /// W_Q in the row order and W_K in the column order of the picture. If the form is square and the two orders differ,
  /// also W_K in the row order and W_Q in the column order, for the entries M(j, i).
  std::vector<float> left, right, leftMirror, rightMirror;
  std::vector<int> rowOrder, columnOrder;  ///< empty: as stored
  std::uint64_t bytes() const;
};

/// The factors of a product, as buffers on the device.
struct QkSides {
  const Buffer* left = nullptr;
  const Buffer* right = nullptr;
  const Buffer* leftMirror = nullptr;
  const Buffer* rightMirror = nullptr;
};

/// The work of one submission.
struct QkTask {
  attention::Crop tile;  ///< rows of the left sides and columns (rows of the right sides)
  attention::Part part = attention::Part::Full;
  std::uint32_t mode = 0;              ///< SEPX_QK_*
  Eigen::Index step = 1;               ///< entries per pixel side, for extremes
  Eigen::Index row0 = 0, column0 = 0;  ///< the entry where the first pixel of the picture begins
  Eigen::Index pixelRow() const { return (tile.row0 - row0) / step; }
  Eigen::Index pixelColumn() const { return (tile.column0 - column0) / step; }
  /// Size of the output: number of pixels touched, or of workgroups for moments.
  Eigen::Index outputRows() const;
  Eigen::Index outputColumns() const;
  std::size_t outputBytes() const;
};

class QkDevice {
 public:
  /// Throws VulkanError. `mostBytes`: upper limit of one binding; 0: the device's limit.
  QkDevice(Context& context, const QkData& data, std::uint32_t sets, std::uint64_t mostBytes);
  /// NoDevice, with one sentence, when the device cannot hold or bind the data.
  static Result<void> fits(Context& context, const QkData& data, std::uint64_t mostBytes);

  Eigen::Index rows() const { return rows_; }
  Eigen::Index columns() const { return columns_; }
  Eigen::Index depth() const { return depth_; }
  bool square() const { return square_; }
  /// Number of rows of a factor that can be bound at once.
  Eigen::Index mostRows() const { return mostRows_; }
  QkSides sides() const;

  Buffer makeAverages(Eigen::Index rows) const;  ///< for `rows` rows of means
  DescriptorSet makeSet(bool ofProduct) const { return (ofProduct ? product_ : mean_).makeSet(); }

  /// `set` and `output` must not be in use by an earlier submission. `output` must hold at least task.outputBytes().
  void recordTask(VkCommandBuffer commands, DescriptorSet& set, const QkSides& sides, const QkTask& task,
                  const Buffer& output) const;
  /// Rows [first, last) of `factor`, which are part of the crop that begins at row `crop0` and has `total` rows, into
  /// the averages of `step` rows each.
  void recordMean(VkCommandBuffer commands, DescriptorSet& set, const Buffer& factor, Eigen::Index first,
                  Eigen::Index last, Eigen::Index crop0, Eigen::Index total, Eigen::Index step,
                  const Buffer& averages) const;
  /// Fills `buffer` with zeros. Call it before the first recordMean().
  void recordClear(VkCommandBuffer commands, const Buffer& buffer) const;

 private:
  /// Binds rows [first, last), starting at the nearest aligned row at or below `first`. Returns the index of `first` in
  /// the binding.
  Eigen::Index bindRows(DescriptorSet& set, std::uint32_t binding, const Buffer& buffer, Eigen::Index first,
                        Eigen::Index last) const;
  void upload(Buffer& buffer, const std::vector<float>& from, const char* name);

  Context& context_;
  Eigen::Index rows_, columns_, depth_, mostRows_ = 0;
  bool square_;
  std::uint64_t alignment_ = 1;
  ComputeProgram product_, mean_;
  Buffer left_, right_, leftMirror_, rightMirror_;
};

}  // namespace sepx::gpu
