// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/attention_tiles.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/nn/layers/attention_rows.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sepx::nn {

namespace {

/// Memory of a thread that is kept between calls, aligned to a cache line.
template <class T>
class Aligned {
 public:
  T* atLeast(std::size_t count) {
    constexpr std::size_t kLine = 64 / sizeof(T);
    if (memory_.size() < count + kLine) memory_.resize(count + kLine);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    data_ = memory_.data() + (64 - address % 64) % 64 / sizeof(T);
    return data_;
  }
  T* data() const { return data_; }

 private:
  std::vector<T> memory_;
  T* data_ = nullptr;
};

#define SEPX_LANES "engine/nn/layers/attention_lanes.inc"
#include "engine/core/simd_levels.inc"

}  // namespace

#define SEPX_AT_LEVEL(level_namespace)                                         \
  if constexpr (std::is_same_v<T, float>) {                                    \
    static thread_local level_namespace::floats::SEPX_SCRATCH scratch;         \
    level_namespace::floats::SEPX_RANGE(shape, arrays, scratch, first, last);  \
  } else {                                                                     \
    static thread_local level_namespace::doubles::SEPX_SCRATCH scratch;        \
    level_namespace::doubles::SEPX_RANGE(shape, arrays, scratch, first, last); \
  }                                                                            \
  return

template <class T>
void attentionForwardTiles(SimdLevel level, const AttentionShape& shape, const ForwardArrays<T>& arrays,
                           std::size_t first, std::size_t last) {
#define SEPX_SCRATCH ForwardScratch
#define SEPX_RANGE forwardRange
  switch (std::min(level, simdLevel())) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      SEPX_AT_LEVEL(avx512);
    case SimdLevel::Avx2:
      SEPX_AT_LEVEL(avx2);
#endif
    default:
      SEPX_AT_LEVEL(generic);
  }
#undef SEPX_SCRATCH
#undef SEPX_RANGE
}

template <class T>
void attentionBackwardTiles(SimdLevel level, const AttentionShape& shape, const BackwardArrays<T>& arrays,
                            std::size_t first, std::size_t last) {
#define SEPX_SCRATCH BackwardScratch
#define SEPX_RANGE backwardRange
  switch (std::min(level, simdLevel())) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      SEPX_AT_LEVEL(avx512);
    case SimdLevel::Avx2:
      SEPX_AT_LEVEL(avx2);
#endif
    default:
      SEPX_AT_LEVEL(generic);
  }
#undef SEPX_SCRATCH
#undef SEPX_RANGE
}

std::size_t attentionPartialSize(const AttentionShape& shape) {
  return 2 * static_cast<std::size_t>(shape.length) * static_cast<std::size_t>(shape.headDim);
}

template <class T>
void attentionAddParts(const AttentionShape& shape, const BackwardArrays<T>& arrays, std::size_t first,
                       std::size_t last) {
  const auto length = static_cast<std::size_t>(shape.length), headDim = static_cast<std::size_t>(shape.headDim);
  const auto kvHeads = static_cast<std::size_t>(shape.kvHeads), parts = static_cast<std::size_t>(arrays.parts);
  const std::size_t size = attentionPartialSize(shape);
  for (std::size_t owner = first; owner < last; ++owner) {
    T* sum = arrays.partial + owner * parts * size;
    for (std::size_t part = 1; part < parts; ++part)
      for (std::size_t i = 0; i < size; ++i)
        sum[i] += sum[part * size + i];
    const std::size_t at = owner / kvHeads * length * arrays.ldg + owner % kvHeads * headDim;
    for (std::size_t j = 0; j < length; ++j) {
      std::copy_n(sum + j * headDim, headDim, arrays.dk + at + j * arrays.ldg);
      std::copy_n(sum + (length + j) * headDim, headDim, arrays.dv + at + j * arrays.ldg);
    }
  }
}

#define SEPX_INSTANTIATE(T)                                                                                     \
  template void attentionForwardTiles(SimdLevel, const AttentionShape&, const ForwardArrays<T>&, std::size_t,   \
                                      std::size_t);                                                             \
  template void attentionBackwardTiles(SimdLevel, const AttentionShape&, const BackwardArrays<T>&, std::size_t, \
                                       std::size_t);                                                            \
  template void attentionAddParts(const AttentionShape&, const BackwardArrays<T>&, std::size_t, std::size_t)
SEPX_INSTANTIATE(float);
SEPX_INSTANTIATE(double);
#undef SEPX_INSTANTIATE
#undef SEPX_AT_LEVEL

}  // namespace sepx::nn
