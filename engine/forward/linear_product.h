// SPDX-License-Identifier: Apache-2.0
// The linear layers of a stored model, y = x W^T + b, directly from the file. The outputs are divided into slices. One
// thread decodes the weights of a slice (or reads them in place), packs them and multiplies them while they are in its
// cache, so that no matrix is ever held as a whole. The outputs of several tensors can be side by side in y. The same
// bits for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/gemm.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// Consecutive outputs of a stored matrix. Weight k of output o, counted from the first output of the run, is value
/// number base + o * ld + k of the tensor, or base + k * ld + o if it is transposed.
struct OutputRun {
  const checkpoint::TensorInfo* tensor = nullptr;
  bool transposed = false;
  std::uint64_t base = 0;
  std::size_t ld = 0, count = 0;
};

template <class T>
struct Linear {  ///< y = W x + b
  std::size_t in = 0, out = 0;
  std::vector<OutputRun> runs;  ///< together `out` outputs
  std::vector<T> bias;          ///< [out]; empty: none
};

/// BadInput if the tensor does not exist or does not have the shape in the plan.
template <class T>
Result<Linear<T>> linearOf(TensorReader& reader, const checkpoint::LinearSource& source);
/// A projection of `heads` heads with `width` outputs each.
template <class T>
Result<Linear<T>> linearOf(TensorReader& reader, const checkpoint::ProjectionSource& source,
                           const std::optional<checkpoint::ProjectionSource>& bias, int heads, int width, int in);
/// Joins `first` and `second`, which read the same x, with their outputs side by side.
template <class T>
Linear<T> sideBySide(Linear<T> first, Linear<T> second);

/// x [m, in] in the layout that multiply() reads: packed in panels, or a single row unchanged, because packing the
/// weights for one row would cost more than the product.
template <class T>
class Factor {
 public:
  Factor(ThreadPool& pool, std::size_t m, std::size_t in, const T* x);

  std::size_t rows() const { return row_.empty() ? panels_.rows() : 1; }
  std::size_t depth() const { return row_.empty() ? panels_.depth() : row_.size(); }
  const GemmPanels<T>& panels() const { return panels_; }
  /// The row; null if there are several.
  const T* row() const { return row_.empty() ? nullptr : row_.data(); }

 private:
  GemmPanels<T> panels_;
  std::vector<T> row_;
};

/// Computes y [m, out], in rows of `ldy`. Interrupted; BadInput as for TensorReader::read().
template <class T>
Result<void> multiply(TensorReader& reader, ThreadPool& pool, const Factor<T>& x, const Linear<T>& linear, T* y,
                      std::size_t ldy);

}  // namespace sepx::forward
