// SPDX-License-Identifier: Apache-2.0
// Parts of W_qk and pictures of it. A picture of averages is the product of averaged factors; a picture of extremes
// computes every entry, strip by strip in the L2 cache, and stores none. Each pixel belongs to one task, and its
// entries are compared independently of their order, so that the number of threads does not affect the result.
#include "engine/attention/tiles.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include <fmt/format.h>

#include "engine/attention/product.h"
#include "engine/attention/strongest.h"

namespace sepx::attention {

namespace {

using Eigen::Index;

constexpr Index kStripRows = 224;
constexpr Index kStripColumns = 448;  // 224 x 448 floats and their panels fit an L2 cache of 1 MiB

void forBlocks(ThreadPool* pool, Index end, Index grain, const std::function<void(Index, Index)>& body) {
  if (pool)
    pool->parallelFor(
        0, static_cast<std::size_t>(end), static_cast<std::size_t>(grain),
        [&](std::size_t first, std::size_t last) { body(static_cast<Index>(first), static_cast<Index>(last)); });
  else
    for (Index first = 0; first < end; first += grain)
      body(first, std::min(first + grain, end));
}

/// Elements [first, last) of `order`, or first ... last - 1 if it is empty.
std::vector<int> part(const std::vector<int>& order, Index first, Index last) {
  std::vector<int> rows;
  for (Index i = first; i < last; ++i)
    rows.push_back(order.empty() ? static_cast<int>(i) : order[static_cast<std::size_t>(i)]);
  return rows;
}

}  // namespace

Matrix cropOf(const LayerFactors& factors, Part wanted, const Crop& crop, ThreadPool* pool,
              const std::vector<int>& rowOrder, const std::vector<int>& columnOrder) {
  assert(crop.row0 >= 0 && crop.row1 <= factors.rows() && crop.column0 >= 0 && crop.column1 <= factors.columns());
  Matrix result(std::max<Index>(crop.rows(), 0), std::max<Index>(crop.columns(), 0));
  if (result.size() == 0) return result;
  const std::shared_ptr<const LayerFactors> borrowed(std::shared_ptr<void>(), &factors);
  const PackedProduct<double> product(joinedHeads(borrowed, pool), pool, part(rowOrder, crop.row0, crop.row1),
                                      part(columnOrder, crop.column0, crop.column1));
  forBlocks(pool, result.rows(), kStripRows, [&](Index first, Index last) {
    for (Index column = 0; column < result.cols(); column += kStripColumns)
      product.block({first, last, column, std::min(column + kStripColumns, result.cols())},
                    result.data() + first * result.cols() + column, result.cols(), wanted);
  });
  return result;
}

namespace {

class TilesOnCpu final : public TileSource {
 public:
  TilesOnCpu(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool, std::vector<int> rowOrder,
             std::vector<int> columnOrder)
      : pool_(pool),
        factors_(joinedHeads(std::move(factors), pool)),
        rowOrder_(rowOrder),
        columnOrder_(columnOrder),
        product_(factors_, pool, std::move(rowOrder), std::move(columnOrder)) {}

  Index rows() const override { return product_.rows(); }
  Index columns() const override { return product_.columns(); }
  std::string device() const override {
    const int threads = pool_ ? pool_->size() : 1;
    return threads == 1 ? "CPU, 1 thread" : fmt::format("CPU, {} threads", threads);
  }
  Picture picture(const Crop& crop, Index step, Part part, Pool pool, const std::function<bool()>& cancelled) override;

 private:
  /// Each returns false if cancelled.
  bool entries(const Crop& crop, Part part, Picture& out, const std::function<bool()>& cancelled) const;
  bool means(const Crop& crop, Part part, Picture& out, const std::function<bool()>& cancelled) const;
  bool extremes(const Crop& crop, Part part, Picture& out, const std::function<bool()>& cancelled) const;
  /// Averages of the rows of a factor that each row (column) of the picture covers.
  Matrix averaged(const Matrix& factor, const std::vector<int>& order, Index first, Index last, Index step) const;

  ThreadPool* pool_;
  std::shared_ptr<const LayerFactors> factors_;  // joined
  std::vector<int> rowOrder_, columnOrder_;
  PackedProduct<float> product_;
};

Picture TilesOnCpu::picture(const Crop& crop, Index step, Part part, Pool pool,
                            const std::function<bool()>& cancelled) {
  assert(step >= 1 && crop.row0 >= 0 && crop.row1 <= rows() && crop.column0 >= 0 && crop.column1 <= columns());
  Picture out{(crop.rows() + step - 1) / step, (crop.columns() + step - 1) / step, step, {}};
  out.values.resize(static_cast<std::size_t>(out.rows * out.columns));
  if (out.values.empty()) return out;
  const bool done = step == 1            ? entries(crop, part, out, cancelled)
                    : pool == Pool::Mean ? means(crop, part, out, cancelled)
                                         : extremes(crop, part, out, cancelled);
  if (!done) out.values.clear();
  return out;
}

/// Computes a product strip by strip into a picture of the same size.
bool fill(const PackedProduct<float>& product, const Crop& crop, Part part, ThreadPool* pool, Picture& out,
          const std::function<bool()>& cancelled) {
  std::atomic<bool> stopped{false};
  forBlocks(pool, out.rows, kStripRows, [&](Index first, Index last) {
    for (Index column = 0; column < out.columns; column += kStripColumns) {
      if (stopped || (cancelled && cancelled())) {
        stopped = true;
        return;
      }
      const Index end = std::min(column + kStripColumns, out.columns);
      product.block({crop.row0 + first, crop.row0 + last, crop.column0 + column, crop.column0 + end},
                    out.values.data() + first * out.columns + column, out.columns, part);
    }
  });
  return !stopped;
}

bool TilesOnCpu::entries(const Crop& crop, Part part, Picture& out, const std::function<bool()>& cancelled) const {
  return fill(product_, crop, part, pool_, out, cancelled);
}

Matrix TilesOnCpu::averaged(const Matrix& factor, const std::vector<int>& order, Index first, Index last,
                            Index step) const {
  Matrix means((last - first + step - 1) / step, factor.cols());
  forBlocks(pool_, means.rows(), std::max<Index>(1, 256 / step), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index from = first + i * step, to = std::min(from + step, last);
      means.row(i).setZero();
      for (Index row = from; row < to; ++row)
        means.row(i) += factor.row(order.empty() ? row : order[static_cast<std::size_t>(row)]);
      means.row(i) /= static_cast<double>(to - from);
    }
  });
  return means;
}

/// The mean of a block of W_Q W_K^T is the product of the means of the rows of W_Q and of W_K. For the other parts the
/// transposed block needs the means of the same rows of the other factor: [W_Q | W_K] [W_K | +-W_Q]^T / 2.
bool TilesOnCpu::means(const Crop& crop, Part part, Picture& out, const std::function<bool()>& cancelled) const {
  auto small = std::make_shared<LayerFactors>();
  small->heads = 1;
  small->keyHead = {0};
  const auto side = [&](const Matrix& first, const Matrix& second, bool rowsOfPicture, double sign) {
    const auto& order = rowsOfPicture ? rowOrder_ : columnOrder_;
    const Index from = rowsOfPicture ? crop.row0 : crop.column0, to = rowsOfPicture ? crop.row1 : crop.column1;
    Matrix a = averaged(first, order, from, to, out.step);
    if (part == Part::Full) return a;
    Matrix both(a.rows(), 2 * a.cols());
    both << a, sign * averaged(second, order, from, to, out.step);
    return both;
  };
  small->W_Q = side(factors_->W_Q, factors_->W_K, true, 1);
  small->W_K = side(factors_->W_K, factors_->W_Q, false, part == Part::Skew ? -1 : 1);
  if (part != Part::Full) small->W_Q *= 0.5;
  small->d_h = static_cast<int>(small->W_Q.cols());
  const PackedProduct<float> product(small, pool_);
  return fill(product, {0, out.rows, 0, out.columns}, Part::Full, pool_, out, cancelled);
}

/// Computes one row of pixels from the largest keys of the columns.
void pixelsOf(const std::vector<std::uint32_t>& keys, Index step, float* pixels, Index count) {
  for (Index j = 0; j < count; ++j) {
    const auto first = keys.begin() + j * step;
    const auto last = keys.begin() + std::min(static_cast<Index>(keys.size()), (j + 1) * step);
    std::uint32_t most = 0;
    for (auto key = first; key != last; ++key)
      most = std::max(most, *key);
    pixels[j] = strengthValue(most);
  }
}

bool TilesOnCpu::extremes(const Crop& crop, Part part, Picture& out, const std::function<bool()>& cancelled) const {
  std::atomic<bool> stopped{false};
  const Index step = out.step, width = crop.columns();
  // A task has as many rows of pixels as fit into one strip of entries. A taller pixel takes several strips.
  forBlocks(pool_, out.rows, std::max<Index>(1, kStripRows / step), [&](Index first, Index last) {
    const Index top = crop.row0 + first * step, bottom = std::min(crop.row0 + last * step, crop.row1);
    std::vector<std::vector<std::uint32_t>> keys(static_cast<std::size_t>(last - first),
                                                 std::vector<std::uint32_t>(static_cast<std::size_t>(width), 0));
    std::vector<float> strip(static_cast<std::size_t>(kStripRows * std::min(kStripColumns, width)));
    for (Index row = top; row < bottom; row += kStripRows)
      for (Index column = 0; column < width; column += kStripColumns) {
        if (stopped || (cancelled && cancelled())) {
          stopped = true;
          return;
        }
        const Index rowEnd = std::min(row + kStripRows, bottom), end = std::min(column + kStripColumns, width);
        const Index count = end - column;
        product_.block({row, rowEnd, crop.column0 + column, crop.column0 + end}, strip.data(), count, part);
        for (Index i = row; i < rowEnd;) {
          const Index pixel = (i - crop.row0) / step;
          const Index next = std::min(crop.row0 + (pixel + 1) * step, rowEnd);
          foldStrongest(strip.data() + (i - row) * count, static_cast<std::size_t>(next - i),
                        static_cast<std::size_t>(count), static_cast<std::size_t>(count),
                        keys[static_cast<std::size_t>(pixel - first)].data() + column);
          i = next;
        }
      }
    for (Index pixel = first; pixel < last; ++pixel)
      pixelsOf(keys[static_cast<std::size_t>(pixel - first)], step, out.values.data() + pixel * out.columns,
               out.columns);
  });
  return !stopped;
}

}  // namespace

std::unique_ptr<TileSource> makeTileSource(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool,
                                           std::vector<int> rowOrder, std::vector<int> columnOrder) {
  return std::make_unique<TilesOnCpu>(std::move(factors), pool, std::move(rowOrder), std::move(columnOrder));
}

}  // namespace sepx::attention
