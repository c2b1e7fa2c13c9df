// SPDX-License-Identifier: Apache-2.0
// Patches are copied into rows, so that the linear map is one product. The class token's row is zero there, and its
// result is overwritten. Sums over rows are computed in double, each column by one thread. Any thread.
#include "engine/nn/layers/patches.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "engine/core/gemm.h"

namespace sepx::nn {

namespace {

constexpr std::size_t kPatchColumns = 32;  ///< columns of dx that a thread sums at a time

/// Sums the columns [first, last) of dx over the images: the class token's rows, the others, and each position.
template <class T>
void sumPatchColumns(const Batch& batch, std::size_t d, std::size_t first, std::size_t last, const T* dx,
                     const PatchTables<T>& tables) {
  const std::size_t columns = last - first, length = static_cast<std::size_t>(batch.length);
  std::vector<double> place(columns), patches(columns);
  for (std::size_t n = 0; n < length; ++n) {
    std::ranges::fill(place, 0.0);
    for (std::size_t b = 0; b < static_cast<std::size_t>(batch.sequences); ++b) {
      const T* const row = dx + (b * length + n) * d + first;
      for (std::size_t i = 0; i < columns; ++i)
        place[i] += static_cast<double>(row[i]);
    }
    for (std::size_t i = 0; i < columns; ++i) {
      if (tables.positions != nullptr) tables.positions[n * d + first + i] += static_cast<T>(place[i]);
      if (n == 0 && tables.classToken != nullptr) tables.classToken[first + i] += static_cast<T>(place[i]);
      if (n > 0) patches[i] += place[i];
    }
  }
  if (tables.bias == nullptr) return;
  for (std::size_t i = 0; i < columns; ++i)
    tables.bias[first + i] += static_cast<T>(patches[i]);
}

}  // namespace

ImageShape imageShape(const ModelConfig& config) {
  return {config.image, config.channels, config.patch};
}

template <class T>
void cutIntoPatches(ThreadPool& pool, const ImageShape& shape, const Batch& batch, T* out) {
  const std::size_t side = static_cast<std::size_t>(shape.side), patch = static_cast<std::size_t>(shape.patch);
  const std::size_t across = side / patch, length = static_cast<std::size_t>(batch.length), values = shape.values();
  assert(length == across * across + 1);
  assert(batch.pixels.size() == static_cast<std::size_t>(batch.sequences) * shape.pixels());
  pool.parallelFor(0, static_cast<std::size_t>(batch.sequences), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const float* const image = batch.pixels.data() + b * shape.pixels();
      T* to = out + b * length * values;
      to = std::fill_n(to, values, T{0});
      for (std::size_t n = 0; n < across * across; ++n)
        for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c)
          for (std::size_t y = 0; y < patch; ++y) {
            const float* const from = image + (c * side + n / across * patch + y) * side + n % across * patch;
            to = std::transform(from, from + patch, to, [](float value) { return static_cast<T>(value); });
          }
    }
  });
}

template <class T>
void embedPatches(ThreadPool& pool, const ImageShape& shape, const Batch& batch, int d,
                  const PatchTables<const T>& tables, T* rows, T* x) {
  const std::size_t width = static_cast<std::size_t>(d), length = static_cast<std::size_t>(batch.length);
  const std::size_t count = static_cast<std::size_t>(batch.sequences) * length, values = shape.values();
  cutIntoPatches(pool, shape, batch, rows);
  gemmABt<T>(pool, count, width, values, rows, values, tables.projection, values, x, width, {.bias = tables.bias});
  pool.parallelFor(0, count, std::max<std::size_t>(1, 16384 / width), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      T* const to = x + row * width;
      if (row % length == 0) std::copy_n(tables.classToken, width, to);
      if (tables.positions == nullptr) continue;
      const T* const position = tables.positions + row % length * width;
      for (std::size_t i = 0; i < width; ++i)
        to[i] += position[i];
    }
  });
}

template <class T>
void embedPatchesBackward(ThreadPool& pool, const ImageShape& shape, const Batch& batch, int d, const T* dx,
                          const T* rows, const PatchTables<T>& tables) {
  const std::size_t width = static_cast<std::size_t>(d), values = shape.values();
  const std::size_t count = static_cast<std::size_t>(batch.sequences) * static_cast<std::size_t>(batch.length);
  // The class tokens' rows are zero in `rows` and add nothing.
  gemmAtB<T>(pool, width, values, count, dx, width, rows, values, tables.projection, values, {.add = true});
  const std::size_t strips = (width + kPatchColumns - 1) / kPatchColumns;
  pool.parallelFor(0, strips, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t strip = begin; strip < end; ++strip)
      sumPatchColumns(batch, width, strip * kPatchColumns, std::min(width, (strip + 1) * kPatchColumns), dx, tables);
  });
}

#define SEPX_INSTANTIATE(T)                                                                                         \
  template void cutIntoPatches<T>(ThreadPool&, const ImageShape&, const Batch&, T*);                                \
  template void embedPatches<T>(ThreadPool&, const ImageShape&, const Batch&, int, const PatchTables<const T>&, T*, \
                                T*);                                                                                \
  template void embedPatchesBackward<T>(ThreadPool&, const ImageShape&, const Batch&, int, const T*, const T*,      \
                                        const PatchTables<T>&);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::nn
