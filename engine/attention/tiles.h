// SPDX-License-Identifier: Apache-2.0
// Parts of W_qk on demand, and W_qk at reduced resolution: a picture of [rows / step, columns / step] in which each
// pixel represents a block of entries. CPU twin of the kernel gpu/kernels/qk_kernel.h. Pictures are computed in single
// precision, crops in double precision. Any thread; `pool` may be null.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/scores.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

enum class Part { Full, Symmetric, Skew };  ///< M, (M + M^T)/2, (M - M^T)/2; the last two for a square M only

/// Half-open ranges of rows and columns.
struct Crop {
  Eigen::Index row0 = 0, row1 = 0, column0 = 0, column1 = 0;  ///< rows [row0, row1), columns [column0, column1)
  Eigen::Index rows() const { return row1 - row0; }           ///< of the crop
  Eigen::Index columns() const { return column1 - column0; }  ///< of the crop
  bool operator==(const Crop&) const = default;
};

/// Entries of a crop in double precision. `rowOrder`, `columnOrder`: row (column) i of the crop is row (column)
/// order[i] of W_qk; empty: the original order.
Matrix cropOf(const LayerFactors& factors, Part part, const Crop& crop, ThreadPool* pool = nullptr,
              const std::vector<int>& rowOrder = {}, const std::vector<int>& columnOrder = {});

/// The value that a pixel has for the block of entries that it covers.
enum class Pool {
  Mean,     ///< exact average, from averaged factors: cheap, but noise cancels
  Extreme,  ///< the entry of largest modulus, with its sign: outliers stay visible
};

/// A picture for the screen, in single precision: block (i, j) covers `step` rows of the matrix from crop.row0 + i *
/// step on, and likewise the columns. The size of the crop need not be a multiple of step.
struct Picture {
  Eigen::Index rows = 0, columns = 0, step = 1;  ///< size of the picture; side of a block in matrix entries
  std::vector<float> values;                     ///< row-major, row 0 first
};

/// Makes pictures of one form. Keeps the factors and a float copy in the given order of rows and columns.
class TileSource {
 public:
  virtual ~TileSource() = default;
  virtual Eigen::Index rows() const = 0;     ///< of the whole matrix
  virtual Eigen::Index columns() const = 0;  ///< of the whole matrix
  /// "CPU, 2 threads" or the name of the GPU, for the status bar.
  virtual std::string device() const = 0;
  /// `cancelled` is called between tiles; if it returns true, `values` is empty.
  virtual Picture picture(const Crop& crop, Eigen::Index step, Part part, Pool pool,
                          const std::function<bool()>& cancelled = {}) = 0;
};

/// The CPU twin. Worker threads only (it may take milliseconds to seconds).
std::unique_ptr<TileSource> makeTileSource(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool,
                                           std::vector<int> rowOrder = {}, std::vector<int> columnOrder = {});

}  // namespace sepx::attention
