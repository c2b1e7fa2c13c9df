// SPDX-License-Identifier: Apache-2.0
// Parts of W_qk on demand, and W_qk seen from far: a picture of [rows / step, columns / step] in which a pixel stands
// for a block of entries. CPU twin of the kernel gpu/kernels/qk_kernel.h; float products with float sums of d_h terms
// in `Single`, doubles in `Double`. Any thread; `pool` may be null.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/scores.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

enum class Part { Full, Symmetric, Skew };  ///< M, (M + M^T)/2, (M - M^T)/2; the latter two of a square M only

/// Half-open ranges of rows and columns.
struct Crop {
  Eigen::Index row0 = 0, row1 = 0, column0 = 0, column1 = 0;  ///< rows [row0, row1), columns [column0, column1)
  Eigen::Index rows() const { return row1 - row0; }           ///< of the crop
  Eigen::Index columns() const { return column1 - column0; }  ///< of the crop
  bool operator==(const Crop&) const = default;
};

/// Entries of a crop in double precision. `order`: rows (columns) i of the picture are rows order[i] of W_qk; empty: as
/// they are.
Matrix cropOf(const LayerFactors& factors, Part part, const Crop& crop, ThreadPool* pool = nullptr,
              const std::vector<int>& rowOrder = {}, const std::vector<int>& columnOrder = {});

/// What a pixel says of the block of entries under it.
enum class Pool {
  Mean,     ///< exact average, from averaged factors: cheap, but noise cancels
  Extreme,  ///< the entry of largest modulus, with its sign: what stands out stays visible
};

/// A picture for the screen, in single precision: block (i, j) covers rows row0 + i * step … of the crop. The crop's
/// ends need not be multiples of step.
struct Picture {
  Eigen::Index rows = 0, columns = 0, step = 1;  ///< size of the picture; side of a block, in entries of the matrix
  std::vector<float> values;                     ///< row-major, row 0 first
};

/// Makes pictures of one form; keeps float copies of the factors, in the given order of rows and columns.
class TileSource {
 public:
  virtual ~TileSource() = default;
  virtual Eigen::Index rows() const = 0;     ///< of the whole matrix
  virtual Eigen::Index columns() const = 0;  ///< of the whole matrix
  /// "CPU, 2 threads" or the name of the device: for the status bar.
  virtual std::string device() const = 0;
  /// `cancelled` is asked between tiles; values empty then.
  virtual Picture picture(const Crop& crop, Eigen::Index step, Part part, Pool pool,
                          const std::function<bool()>& cancelled = {}) = 0;
};

/// The CPU twin. Worker threads only (it may take milliseconds to seconds).
std::unique_ptr<TileSource> makeTileSource(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool,
                                           std::vector<int> rowOrder = {}, std::vector<int> columnOrder = {});

}  // namespace sepx::attention
