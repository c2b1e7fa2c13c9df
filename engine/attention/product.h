// SPDX-License-Identifier: Apache-2.0
// Computes W_qk = W_Q W_K^T block by block, from factors that are packed once for the inner loop of engine/core/gemm.h.
// Query heads that share a key head are added up first, since sum_h W_Q^h (W_K^g)^T = (sum_h W_Q^h) (W_K^g)^T, so that
// a form with grouped queries costs kvHeads * d_h terms per entry. An entry has the same bits in every block. After
// construction any thread, several at once.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/tiles.h"
#include "engine/core/gemm.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

/// A non-owning pointer, valid as long as `factors`.
std::shared_ptr<const LayerFactors> borrowed(const LayerFactors& factors);
/// The same W_qk with one head per key head that is used, in the order of the key heads; `factors` itself if it already
/// has this form.
std::shared_ptr<const LayerFactors> joinedHeads(std::shared_ptr<const LayerFactors> factors,
                                                ThreadPool* pool = nullptr);

/// `T`: float or double, the type of products and sums.
template <class T>
class PackedProduct {
 public:
  /// Factors larger than this are packed block by block on demand, and the packed blocks are not kept.
  static constexpr std::size_t kMostPacked = std::size_t{1} << 30;  // bytes

  /// `rows`, `columns`: the rows (columns) of W_qk that the product has, in this order; empty: all. `factors` must be
  /// joined (joinedHeads).
  PackedProduct(std::shared_ptr<const LayerFactors> factors, ThreadPool* pool, std::vector<int> rows = {},
                std::vector<int> columns = {}, std::size_t mostPacked = kMostPacked);

  Eigen::Index rows() const;     ///< of W_qk
  Eigen::Index columns() const;  ///< of W_qk
  /// Writes the entries of `crop`; `ld`: distance between rows of `out`, in elements.
  void block(const Crop& crop, T* out, Eigen::Index ld, Part part = Part::Full) const;

 private:
  struct Transposed;  // W_qk^T in the same orders, packed when a symmetric or skew part is first requested
  const Transposed& transposed() const;
  /// Packs the factors of one block: rows of `left` in the row order, rows of `right` in the column order.
  Transposed sidesOf(const Matrix& left, const Matrix& right, const Crop& crop) const;
  void product(const Crop& crop, bool transposed, T* out, Eigen::Index ld) const;

  std::shared_ptr<const LayerFactors> factors_;
  ThreadPool* pool_;
  std::vector<int> rowOrder_, columnOrder_;
  bool kept_;  // whether left_ and right_ hold the whole factors
  GemmPanels<T> left_, right_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Transposed> transposed_;

 public:
  ~PackedProduct();
};

/// The product in double precision, for sums over all entries.
class Product {
 public:
  /// `factors` must outlive this object.
  explicit Product(const LayerFactors& factors, ThreadPool* pool = nullptr);
  Eigen::Index rows() const { return product_.rows(); }
  Eigen::Index columns() const { return product_.columns(); }
  void block(const Crop& crop, double* out, Eigen::Index ld) const { product_.block(crop, out, ld); }

 private:
  PackedProduct<double> product_;
};

}  // namespace sepx::attention
