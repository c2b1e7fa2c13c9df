// SPDX-License-Identifier: Apache-2.0
// Joins the query heads that share a key head, and packs both factors for gemm.h, on a pool if there is one.
#include "engine/attention/product.h"

#include <algorithm>
#include <cassert>

#include "engine/attention/strongest.h"

namespace sepx::attention {

namespace {

using Eigen::Index;

/// The key heads that are used, ascending; empty if every query head h uses key head h and there are no other key
/// heads.
std::vector<int> keyHeadsToJoin(const LayerFactors& factors) {
  const auto keyHeads = factors.d_h == 0 ? Index{0} : factors.W_K.cols() / factors.d_h;
  bool same = keyHeads == factors.heads;
  for (int h = 0; h < factors.heads && same; ++h)
    same = factors.keyHead[static_cast<std::size_t>(h)] == h;
  if (same) return {};
  std::vector<int> used = factors.keyHead;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

void forRows(ThreadPool* pool, std::size_t rows, const std::function<void(std::size_t, std::size_t)>& body) {
  constexpr std::size_t kGrain = 192;
  if (pool)
    pool->parallelFor(0, rows, kGrain, body);
  else if (rows > 0)
    body(0, rows);
}

template <class T>
GemmPanels<T> packed(GemmSide side, const Matrix& rows, const std::vector<int>& order, ThreadPool* pool) {
  const std::size_t count = order.empty() ? static_cast<std::size_t>(rows.rows()) : order.size();
  GemmPanels<T> panels(side, count, static_cast<std::size_t>(rows.cols()));
  const auto row = [&](std::size_t i) {
    return rows.data() + (order.empty() ? static_cast<Index>(i) : order[i]) * rows.cols();
  };
  panels.template fill<double>(row, pool);
  return panels;
}

}  // namespace

std::shared_ptr<const LayerFactors> borrowed(const LayerFactors& factors) {
  return {std::shared_ptr<const LayerFactors>(), &factors};
}

std::shared_ptr<const LayerFactors> joinedHeads(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool) {
  const std::vector<int> used = keyHeadsToJoin(*factors);
  if (used.empty()) return factors;
  const LayerFactors& from = *factors;
  const Index d_h = from.d_h, count = static_cast<Index>(used.size());
  auto joined = std::make_shared<LayerFactors>();
  joined->heads = static_cast<int>(used.size());
  joined->d_h = from.d_h;
  joined->W_Q.resize(from.rows(), count * d_h);
  joined->W_K.resize(from.columns(), count * d_h);
  std::vector<Index> placeOfHead;  // in the joined order
  for (const int keyHead : from.keyHead)
    placeOfHead.push_back(std::lower_bound(used.begin(), used.end(), keyHead) - used.begin());
  for (Index g = 0; g < count; ++g)
    joined->keyHead.push_back(static_cast<int>(g));
  forRows(pool, static_cast<std::size_t>(from.rows()), [&](std::size_t first, std::size_t last) {
    for (auto i = static_cast<Index>(first); i < static_cast<Index>(last); ++i) {
      auto row = joined->W_Q.row(i);
      row.setZero();
      for (std::size_t h = 0; h < placeOfHead.size(); ++h)
        row.segment(placeOfHead[h] * d_h, d_h) += from.W_Q.row(i).segment(static_cast<Index>(h) * d_h, d_h);
    }
  });
  for (Index g = 0; g < count; ++g)
    joined->W_K.middleCols(g * d_h, d_h) = from.W_K.middleCols(used[static_cast<std::size_t>(g)] * d_h, d_h);
  return joined;
}

template <class T>
struct PackedProduct<T>::Transposed {
  GemmPanels<T> left, right;  // rows of W_K in the row order, rows of W_Q in the column order
};

template <class T>
PackedProduct<T>::PackedProduct(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool, std::vector<int> rows,
                                std::vector<int> columns, std::size_t mostPacked)
    : factors_(std::move(factors)), pool_(pool), rowOrder_(std::move(rows)), columnOrder_(std::move(columns)) {
  assert(keyHeadsToJoin(*factors_).empty());
  const auto numbers = static_cast<std::size_t>((this->rows() + this->columns()) * factors_->W_Q.cols());
  kept_ = numbers <= mostPacked / sizeof(T);
  if (!kept_) return;
  left_ = packed<T>(GemmSide::Left, factors_->W_Q, rowOrder_, pool);
  right_ = packed<T>(GemmSide::Right, factors_->W_K, columnOrder_, pool);
}

template <class T>
PackedProduct<T>::~PackedProduct() = default;

template <class T>
Index PackedProduct<T>::rows() const {
  return rowOrder_.empty() ? factors_->rows() : static_cast<Index>(rowOrder_.size());
}

template <class T>
Index PackedProduct<T>::columns() const {
  return columnOrder_.empty() ? factors_->columns() : static_cast<Index>(columnOrder_.size());
}

template <class T>
typename PackedProduct<T>::Transposed PackedProduct<T>::sidesOf(const Matrix& left, const Matrix& right,
                                                                const Crop& crop) const {
  const auto some = [](const std::vector<int>& order, Index first, Index last) {
    std::vector<int> numbers;
    for (Index i = first; i < last; ++i)
      numbers.push_back(order.empty() ? static_cast<int>(i) : order[static_cast<std::size_t>(i)]);
    return numbers;
  };
  return {packed<T>(GemmSide::Left, left, some(rowOrder_, crop.row0, crop.row1), nullptr),
          packed<T>(GemmSide::Right, right, some(columnOrder_, crop.column0, crop.column1), nullptr)};
}

template <class T>
const typename PackedProduct<T>::Transposed& PackedProduct<T>::transposed() const {
  // Does not use the pool, because other threads of the pool may be waiting here.
  std::call_once(once_, [this] {
    assert(factors_->rows() == factors_->columns());
    transposed_ =
        std::make_unique<Transposed>(Transposed{packed<T>(GemmSide::Left, factors_->W_K, rowOrder_, nullptr),
                                                packed<T>(GemmSide::Right, factors_->W_Q, columnOrder_, nullptr)});
  });
  return *transposed_;
}

/// Computes a block of W_qk, or of its transpose in the same orders.
template <class T>
void PackedProduct<T>::product(const Crop& crop, bool turned, T* out, Index ld) const {
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  if (!kept_) {
    const Transposed sides =
        turned ? sidesOf(factors_->W_K, factors_->W_Q, crop) : sidesOf(factors_->W_Q, factors_->W_K, crop);
    gemm(sides.left, 0, at(crop.rows()), sides.right, 0, at(crop.columns()), out, at(ld));
    return;
  }
  const GemmPanels<T>& left = turned ? transposed().left : left_;
  const GemmPanels<T>& right = turned ? transposed().right : right_;
  gemm(left, at(crop.row0), at(crop.row1), right, at(crop.column0), at(crop.column1), out, at(ld));
}

template <class T>
void PackedProduct<T>::block(const Crop& crop, T* out, Index ld, Part part) const {
  if (crop.rows() <= 0 || crop.columns() <= 0) return;
  product(crop, false, out, ld);
  if (part == Part::Full) return;
  const auto width = static_cast<std::size_t>(crop.columns());
  std::vector<T> mirror(static_cast<std::size_t>(crop.rows()) * width);
  product(crop, true, mirror.data(), crop.columns());
  for (Index i = 0; i < crop.rows(); ++i)
    halfSum(out + i * ld, mirror.data() + i * crop.columns(), width, part == Part::Skew);
}

template class PackedProduct<float>;
template class PackedProduct<double>;

Product::Product(const LayerFactors& factors, ThreadPool* pool)
    : product_(joinedHeads(borrowed(factors), pool), pool) {}

}  // namespace sepx::attention
