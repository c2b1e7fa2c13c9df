// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/output_head.h"

#include <span>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/forward/feed_forward.h"
#include "engine/forward/large_array.h"
#include "engine/forward/linear_product.h"
#include "engine/forward/soft_cap.h"
#include "engine/forward/stored_norm.h"

namespace sepx::forward {

namespace {

using checkpoint::HeadPlan;
using checkpoint::LinearSource;

/// Applies a linear layer to rows x of `width`; BadInput if the layer has another input width.
template <class T>
Result<std::vector<T>> linearLayer(TensorReader& reader, ThreadPool& pool, const LinearSource& source, std::size_t m,
                                   std::size_t width, const std::vector<T>& x) {
  SEPX_ASSIGN(const Linear<T> linear, linearOf<T>(reader, source));
  if (linear.in != width)
    return fail(ErrorKind::BadInput, fmt::format("{}: tensor {} reads {} numbers, there are {}", reader.path(),
                                                 inQuotes(source.tensor), linear.in, width));
  std::vector<T> y;
  resizeLarge(pool, y, m * linear.out);
  SEPX_TRY(multiply(reader, pool, Factor<T>(pool, m, width, x.data()), linear, y.data(), linear.out));
  return y;
}

/// logits <- cap tanh((scale logits + bias) / cap) row by row; returns at once if nothing would change.
template <class T>
void finishLogits(ThreadPool& pool, const HeadPlan& head, const std::vector<T>& bias, std::size_t m,
                  std::size_t columns, T* logits) {
  const T scale = static_cast<T>(head.scale), cap = static_cast<T>(head.cap);
  if (scale == 1 && cap == 0 && bias.empty()) return;
  pool.parallelFor(0, m, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::span<T> row(logits + i * columns, columns);
      for (T& x : row)
        x *= scale;
      for (std::size_t j = 0; j < bias.size(); ++j)
        row[j] += bias[j];
      softCap(row, cap);
    }
  });
}

}  // namespace

template <class T>
Result<std::vector<T>> outputLogits(TensorReader& reader, ThreadPool& pool, const HeadPlan& head, std::size_t m,
                                    std::size_t width, std::vector<T> x) {
  SEPX_TRY(applyNorm(reader, pool, head.finalNorm, m, width, x.data()));
  if (head.transform) {
    SEPX_ASSIGN(const std::vector<T> before, linearLayer(reader, pool, *head.transform, m, width, x));
    width = before.size() / m;
    x.resize(before.size());
    activate(pool, head.transformActivation, m, width, before.data(), width, x.data());
    SEPX_TRY(applyNorm(reader, pool, head.transformNorm, m, width, x.data()));
  }
  // The scale applies to the product only, so the bias is added afterwards.
  LinearSource table = head.logits;
  const std::string biasName = head.outputBias.empty() ? table.bias : head.outputBias;
  const std::int64_t first = head.outputBias.empty() ? table.biasFirst : 0;
  table.bias.clear();
  SEPX_ASSIGN(std::vector<T> logits, linearLayer(reader, pool, table, m, width, x));
  const std::size_t columns = logits.size() / m;
  std::vector<T> bias;
  if (!biasName.empty()) {
    SEPX_ASSIGN(bias, reader.values<T>(biasName, static_cast<std::uint64_t>(first), columns));
  }
  finishLogits(pool, head, bias, m, columns, logits.data());
  return logits;
}

template Result<std::vector<float>> outputLogits(TensorReader&, ThreadPool&, const HeadPlan&, std::size_t, std::size_t,
                                                 std::vector<float>);
template Result<std::vector<double>> outputLogits(TensorReader&, ThreadPool&, const HeadPlan&, std::size_t, std::size_t,
                                                  std::vector<double>);

}  // namespace sepx::forward
