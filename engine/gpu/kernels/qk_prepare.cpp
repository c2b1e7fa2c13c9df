// SPDX-License-Identifier: Apache-2.0
// Packs the factors of W_qk for the device: joins heads that share a key head, converts to floats, puts the rows in the
// picture's order and pads them with zeros. Worker threads.
#include "engine/gpu/kernels/qk_prepare.h"

#include <algorithm>
#include <cmath>

#include "engine/attention/product.h"
#include "engine/gpu/kernels/qk_device.h"

namespace sepx::gpu {

namespace {

using attention::Matrix;
using Eigen::Index;

constexpr Index kTerms = 16;  // terms that a workgroup processes at a time
constexpr std::size_t kGrain = 256;

std::vector<float> floats(const Matrix& from, const std::vector<int>& order, Index depth, ThreadPool* pool) {
  const std::size_t rows = order.empty() ? static_cast<std::size_t>(from.rows()) : order.size();
  std::vector<float> to(rows * static_cast<std::size_t>(depth), 0.0f);
  const auto convert = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Index row = order.empty() ? static_cast<Index>(i) : order[i];
      Eigen::Map<Eigen::RowVectorXf>(to.data() + i * static_cast<std::size_t>(depth), from.cols()) =
          from.row(row).cast<float>();
    }
  };
  if (pool)
    pool->parallelFor(0, rows, kGrain, convert);
  else
    convert(0, rows);
  return to;
}

std::size_t nonfiniteOf(const Matrix& matrix) {
  if (matrix.allFinite()) return 0;
  return static_cast<std::size_t>(
      std::count_if(matrix.data(), matrix.data() + matrix.size(), [](double x) { return !std::isfinite(x); }));
}

}  // namespace

std::shared_ptr<const QkData> prepareQk(std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                                        const std::vector<int>& rowOrder, const std::vector<int>& columnOrder) {
  auto data = std::make_shared<QkData>();
  data->nonfinite = nonfiniteOf(factors->W_Q) + nonfiniteOf(factors->W_K);
  const std::shared_ptr<const attention::LayerFactors> joined = attention::joinedHeads(std::move(factors), pool);
  data->rows = joined->rows();
  data->columns = joined->columns();
  data->square = data->rows == data->columns;
  data->depth = std::max<Index>(1, (joined->W_Q.cols() + kTerms - 1) / kTerms) * kTerms;
  data->rowOrder = rowOrder;
  data->columnOrder = columnOrder;
  data->left = floats(joined->W_Q, rowOrder, data->depth, pool);
  data->right = floats(joined->W_K, columnOrder, data->depth, pool);
  if (!data->square || rowOrder == columnOrder) return data;
  data->leftMirror = floats(joined->W_K, rowOrder, data->depth, pool);
  data->rightMirror = floats(joined->W_Q, columnOrder, data->depth, pool);
  return data;
}

}  // namespace sepx::gpu
