// SPDX-License-Identifier: Apache-2.0
// Parts of W_qk and pictures of it. A picture of averages is the product of averaged factors; a picture of extremes
// forms every entry, strip by strip, and keeps none.
#include "engine/attention/tiles.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace sepx::attention {

namespace {

using Eigen::Index;

constexpr Index kStripRows = 128;

Index rowOf(const std::vector<int>& order, Index i) {
  return order.empty() ? i : order[static_cast<std::size_t>(i)];
}

template <class To>
To gathered(const Matrix& from, const std::vector<int>& order, Index first, Index last) {
  To to(last - first, from.cols());
  for (Index i = first; i < last; ++i)
    to.row(i - first) = from.row(rowOf(order, i)).cast<typename To::Scalar>();
  return to;
}

void forBlocks(ThreadPool* pool, Index end, Index grain, const std::function<void(std::size_t, std::size_t)>& body) {
  if (pool)
    pool->parallelFor(0, static_cast<std::size_t>(end), static_cast<std::size_t>(grain), body);
  else
    body(0, static_cast<std::size_t>(end));
}

}  // namespace

Matrix cropOf(const LayerFactors& factors, Part part, const Crop& crop, ThreadPool* pool,
              const std::vector<int>& rowOrder, const std::vector<int>& columnOrder) {
  assert(crop.row0 >= 0 && crop.row1 <= factors.rows() && crop.column0 >= 0 && crop.column1 <= factors.columns());
  const Matrix keys = keysOfHeads(factors);
  const Matrix a = gathered<Matrix>(factors.W_Q, rowOrder, crop.row0, crop.row1);
  const Matrix b = gathered<Matrix>(keys, columnOrder, crop.column0, crop.column1);
  Matrix c, d;
  if (part != Part::Full) {
    c = gathered<Matrix>(keys, rowOrder, crop.row0, crop.row1);
    d = gathered<Matrix>(factors.W_Q, columnOrder, crop.column0, crop.column1);
  }
  Matrix result(crop.rows(), crop.columns());
  forBlocks(pool, crop.rows(), kStripRows, [&](std::size_t first, std::size_t last) {
    const auto begin = static_cast<Index>(first), count = static_cast<Index>(last - first);
    auto out = result.middleRows(begin, count);
    out.noalias() = a.middleRows(begin, count) * b.transpose();
    if (part == Part::Full) return;
    const Matrix other = c.middleRows(begin, count) * d.transpose();
    out = part == Part::Symmetric ? Matrix(0.5 * (out + other)) : Matrix(0.5 * (out - other));
  });
  return result;
}

namespace {

class TilesOnCpu final : public TileSource {
 public:
  TilesOnCpu(const LayerFactors& factors, ThreadPool* pool, const std::vector<int>& rowOrder,
             const std::vector<int>& columnOrder)
      : pool_(pool) {
    const Matrix keys = keysOfHeads(factors);
    a_ = gathered<MatrixF>(factors.W_Q, rowOrder, 0, factors.rows());
    b_ = gathered<MatrixF>(keys, columnOrder, 0, keys.rows());
    if (factors.rows() != factors.columns()) return;
    c_ = gathered<MatrixF>(keys, rowOrder, 0, keys.rows());
    d_ = gathered<MatrixF>(factors.W_Q, columnOrder, 0, factors.rows());
  }
  Index rows() const override { return a_.rows(); }
  Index columns() const override { return b_.rows(); }
  std::string device() const override {
    const int threads = pool_ ? pool_->size() : 1;
    return threads == 1 ? "CPU, 1 thread" : fmt::format("CPU, {} threads", threads);
  }
  Picture picture(const Crop& crop, Index step, Part part, Pool pool, const std::function<bool()>& cancelled) override;

 private:
  ThreadPool* pool_;
  MatrixF a_, b_;  // M = a b^T
  MatrixF c_, d_;  // M^T = c d^T, of a square M
};

MatrixF averaged(const MatrixF& from, Index first, Index last, Index step) {
  MatrixF to((last - first + step - 1) / step, from.cols());
  for (Index i = 0; i < to.rows(); ++i) {
    const Index begin = first + i * step, count = std::min(step, last - begin);
    to.row(i) = from.middleRows(begin, count).colwise().sum() / static_cast<float>(count);
  }
  return to;
}

/// Of two entries the one of larger modulus; of equal ones the positive; a NaN stays.
float stronger(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<float>::quiet_NaN();
  const float x = std::abs(a), y = std::abs(b);
  return x > y ? a : y > x ? b : std::max(a, b);
}

Picture TilesOnCpu::picture(const Crop& crop, Index step, Part part, Pool pool,
                            const std::function<bool()>& cancelled) {
  Picture out{(crop.rows() + step - 1) / step, (crop.columns() + step - 1) / step, step, {}};
  out.values.assign(static_cast<std::size_t>(out.rows * out.columns), 0);
  std::atomic<bool> stopped{false};
  const bool mean = pool == Pool::Mean || step == 1;
  const Index inner = mean ? 1 : step;  // rows of the strip's product that a pixel stands for
  const auto side = [&](const MatrixF& from, Index first, Index last) {
    return mean ? averaged(from, first, last, step) : MatrixF(from.middleRows(first, last - first));
  };
  const MatrixF a = side(a_, crop.row0, crop.row1), b = side(b_, crop.column0, crop.column1);
  const bool both = part != Part::Full;
  const MatrixF c = both ? side(c_, crop.row0, crop.row1) : MatrixF();
  const MatrixF d = both ? side(d_, crop.column0, crop.column1) : MatrixF();
  const Index grain = std::max<Index>(1, kStripRows / inner);
  forBlocks(pool_, out.rows, grain, [&](std::size_t first, std::size_t last) {
    if (stopped || (cancelled && cancelled())) {
      stopped = true;
      return;
    }
    const Index begin = static_cast<Index>(first) * inner;
    const Index count = std::min(static_cast<Index>(last) * inner, a.rows()) - begin;
    MatrixF strip = a.middleRows(begin, count) * b.transpose();
    if (both) {
      const MatrixF other = c.middleRows(begin, count) * d.transpose();
      strip = part == Part::Symmetric ? MatrixF(0.5f * (strip + other)) : MatrixF(0.5f * (strip - other));
    }
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < strip.cols(); ++j) {
        float& pixel =
            out.values[(first + static_cast<std::size_t>(i / inner)) * static_cast<std::size_t>(out.columns) +
                       static_cast<std::size_t>(j / inner)];
        pixel = inner == 1 ? strip(i, j) : stronger(pixel, strip(i, j));
      }
  });
  if (stopped) out.values.clear();
  return out;
}

}  // namespace

std::unique_ptr<TileSource> makeTileSource(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool,
                                           std::vector<int> rowOrder, std::vector<int> columnOrder) {
  return std::make_unique<TilesOnCpu>(*factors, pool, rowOrder, columnOrder);
}

}  // namespace sepx::attention
