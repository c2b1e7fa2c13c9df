// SPDX-License-Identifier: Apache-2.0
// The linear layers of a stored model, y = x W^T + b, straight from the file: outputs are taken in slices; each is
// decoded (or read where it lies), laid out and multiplied by one thread while it is in that thread's cache, so that no
// matrix is ever held as a whole. The outputs of several tensors can stand side by side in y. The same bits on any
// number of threads.
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

/// Consecutive outputs of a stored matrix. Weight k of output o, counted from the run's first, is the tensor's value
/// number base + o * ld + k, and where it is transposed base + k * ld + o.
struct OutputRun {
  const checkpoint::TensorInfo* tensor = nullptr;
  bool transposed = false;
  std::uint64_t base = 0;
  std::size_t ld = 0, count = 0;
};

template <class T>
struct Linear {  ///< y = W x + b
  std::size_t in = 0, out = 0;
  std::vector<OutputRun> runs;  ///< of `out` outputs together
  std::vector<T> bias;          ///< [out]; empty: none
};

/// BadInput: no such tensor, or not of the shape that the plan says.
template <class T>
Result<Linear<T>> linearOf(TensorReader& reader, const checkpoint::LinearSource& source);
/// `heads` heads of `width` outputs each.
template <class T>
Result<Linear<T>> linearOf(TensorReader& reader, const checkpoint::ProjectionSource& source,
                           const std::optional<checkpoint::ProjectionSource>& bias, int heads, int width, int in);
/// `first` and `second`, which read the same x, with their outputs side by side.
template <class T>
Linear<T> sideBySide(Linear<T> first, Linear<T> second);

/// x [m, in] as its products read it: laid out in panels, or a single row as it is, since laying out the weights for
/// one row would cost more than the product.
template <class T>
class Factor {
 public:
  Factor(ThreadPool& pool, std::size_t m, std::size_t in, const T* x);

  std::size_t rows() const { return row_.empty() ? panels_.rows() : 1; }
  std::size_t depth() const { return row_.empty() ? panels_.depth() : row_.size(); }
  const GemmPanels<T>& panels() const { return panels_; }
  /// Null where there are several.
  const T* row() const { return row_.empty() ? nullptr : row_.data(); }

 private:
  GemmPanels<T> panels_;
  std::vector<T> row_;
};

/// y [m, out] in rows of `ldy`. Interrupted; BadInput as of TensorReader::read.
template <class T>
Result<void> multiply(TensorReader& reader, ThreadPool& pool, const Factor<T>& x, const Linear<T>& linear, T* y,
                      std::size_t ldy);

}  // namespace sepx::forward
