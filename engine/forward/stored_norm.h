// SPDX-License-Identifier: Apache-2.0
// The norms of a stored model, with gain and bias from the file, computed by nn::normForward(). Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/tensor_reader.h"
#include "engine/nn/layers/norm.h"

namespace sepx::forward {

template <class T>
struct StoredNorm {
  nn::Norm kind = nn::Norm::Layer;
  std::vector<T> gain, bias;  ///< of one row or of several; an empty bias: none
  T epsilon = 0;

  /// The arguments of normForward(), for the row that begins at index `first`.
  nn::NormWeights<T> weights(std::size_t first = 0) const {
    return {kind, gain.data() + first, bias.empty() ? nullptr : bias.data() + first, epsilon};
  }
};

/// Reads a norm of `width` values; a source without a gain gives ones. BadInput as for TensorReader::values().
template <class T>
Result<StoredNorm<T>> normOf(TensorReader& reader, const checkpoint::NormSource& source, std::size_t width);

/// y = norm(x) of rows [m, width]; y may be x.
template <class T>
Result<void> applyNorm(TensorReader& reader, ThreadPool& pool, const checkpoint::NormSource& source, std::size_t m,
                       std::size_t width, T* x, T* y);
/// In place, if there is a norm.
template <class T>
Result<void> applyNorm(TensorReader& reader, ThreadPool& pool, const std::optional<checkpoint::NormSource>& source,
                       std::size_t m, std::size_t width, T* x);

}  // namespace sepx::forward
