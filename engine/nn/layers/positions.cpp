// SPDX-License-Identifier: Apache-2.0
// Embedding copies rows, and its gradient adds them. Each column of every table is summed over the rows in order by one
// thread, which takes a strip of columns, so that dx is read once for all tables. Any thread.
#include "engine/nn/layers/positions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace sepx::nn {

namespace {

constexpr std::size_t kStrip = 64;  ///< columns of a strip
constexpr std::size_t kSpan = 256;  ///< rows that are summed in T before their sum is added in double

/// One row of x; `scale` is 1 except with Input::Bit, where it is the bit.
template <class T>
void embedRow(std::size_t d, const T* token, T scale, const T* position, const T* segment, T* x) {
  for (std::size_t i = 0; i < d; ++i)
    x[i] = token == nullptr ? T(0) : scale * token[i];
  if (position != nullptr)
    for (std::size_t i = 0; i < d; ++i)
      x[i] += position[i];
  if (segment != nullptr)
    for (std::size_t i = 0; i < d; ++i)
      x[i] += segment[i];
}

/// A sum over rows of one strip, in T within kSpan rows and in double beyond them.
template <class T>
class StripSum {
 public:
  explicit StripSum(std::size_t columns) : columns_(columns) {}
  void add(const T* values) {
    for (std::size_t i = 0; i < columns_; ++i)
      near_[i] += values[i];
    if (++rows_ == kSpan) flush();
  }
  void addTo(T* out) {
    flush();
    for (std::size_t i = 0; i < columns_; ++i)
      out[i] += static_cast<T>(far_[i]);
  }

 private:
  void flush() {
    for (std::size_t i = 0; i < columns_; ++i) {
      far_[i] += static_cast<double>(near_[i]);
      near_[i] = 0;
    }
    rows_ = 0;
  }
  std::size_t columns_, rows_ = 0;
  std::array<T, kStrip> near_{};
  std::array<double, kStrip> far_{};
};

/// Adds the gradients of the columns [column, column + columns) of all tables.
template <class T>
void embedBackwardStrip(Input input, const Batch& batch, std::size_t d, std::size_t column, std::size_t columns,
                        const T* dx, const EmbeddingTables<T>& tables) {
  StripSum<T> bit(columns), segment(columns);
  const std::size_t length = static_cast<std::size_t>(batch.length);
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch.sequences); ++b)
    for (std::size_t n = 0; n < length; ++n) {
      const std::size_t row = b * length + n;
      const T* values = dx + row * d + column;
      const std::int32_t token = batch.tokens[row];
      if (tables.tokens != nullptr && input == Input::Table) {
        T* to = tables.tokens + static_cast<std::size_t>(token) * d + column;
        for (std::size_t i = 0; i < columns; ++i)
          to[i] += values[i];
      } else if (tables.tokens != nullptr && token != 0) {
        bit.add(values);
      }
      if (tables.positions != nullptr) {
        T* to = tables.positions + n * d + column;
        for (std::size_t i = 0; i < columns; ++i)
          to[i] += values[i];
      }
      if (tables.segment != nullptr) segment.add(values);
    }
  if (tables.tokens != nullptr && input == Input::Bit) bit.addTo(tables.tokens + column);
  if (tables.segment != nullptr) segment.addTo(tables.segment + column);
}

}  // namespace

template <class T>
std::vector<T> sinusoidal(int length, int d) {
  std::vector<T> table(static_cast<std::size_t>(length) * static_cast<std::size_t>(d));
  for (int n = 0; n < length; ++n)
    for (int i = 0; i < d; ++i) {
      const double angle = n * std::pow(10000.0, -static_cast<double>(i - i % 2) / d);
      table[static_cast<std::size_t>(n) * static_cast<std::size_t>(d) + static_cast<std::size_t>(i)] =
          static_cast<T>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return table;
}

template <class T>
void embedForward(ThreadPool& pool, Input input, const Batch& batch, int d, const EmbeddingTables<const T>& tables,
                  const T* fixed, T* x) {
  const std::size_t width = static_cast<std::size_t>(d), length = static_cast<std::size_t>(batch.length);
  const T* positions = tables.positions != nullptr ? tables.positions : fixed;
  assert(tables.positions == nullptr || fixed == nullptr);
  assert(batch.tokens.size() == static_cast<std::size_t>(batch.sequences) * length);
  const std::size_t grain = std::max<std::size_t>(1, 16384 / std::max<std::size_t>(width, 1));
  pool.parallelFor(0, batch.tokens.size(), grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) {
      const std::int32_t token = batch.tokens[row];
      const T* from = tables.tokens;
      if (from != nullptr && input == Input::Table) from += static_cast<std::size_t>(token) * width;
      embedRow(width, from, input == Input::Bit ? static_cast<T>(token) : T(1),
               positions == nullptr ? nullptr : positions + row % length * width, tables.segment, x + row * width);
    }
  });
}

template <class T>
void embedBackward(ThreadPool& pool, Input input, const Batch& batch, int d, const T* dx,
                   const EmbeddingTables<T>& tables) {
  const std::size_t width = static_cast<std::size_t>(d), strips = (width + kStrip - 1) / kStrip;
  pool.parallelFor(0, strips, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t strip = first; strip < last; ++strip)
      embedBackwardStrip(input, batch, width, strip * kStrip, std::min(kStrip, width - strip * kStrip), dx, tables);
  });
}

#define SEPX_INSTANTIATE(T)                                                                                            \
  template std::vector<T> sinusoidal<T>(int, int);                                                                     \
  template void embedForward<T>(ThreadPool&, Input, const Batch&, int, const EmbeddingTables<const T>&, const T*, T*); \
  template void embedBackward<T>(ThreadPool&, Input, const Batch&, int, const T*, const EmbeddingTables<T>&);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::nn
