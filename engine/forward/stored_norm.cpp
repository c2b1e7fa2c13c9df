// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/stored_norm.h"

#include "engine/core/try.h"

namespace sepx::forward {

using checkpoint::NormSource;

template <class T>
Result<StoredNorm<T>> normOf(TensorReader& reader, const NormSource& source, std::size_t width) {
  StoredNorm<T> norm;
  norm.kind = source.kind == NormSource::Kind::Rms ? nn::Norm::Rms : nn::Norm::Layer;
  norm.epsilon = static_cast<T>(source.epsilon);
  if (source.gain.empty()) {
    norm.gain.assign(width, T(1));
  } else {
    SEPX_ASSIGN(norm.gain, reader.values<T>(source.gain, 0, width));
  }
  if (source.onePlusGain)
    for (T& gain : norm.gain)
      gain += 1;
  if (!source.bias.empty()) {
    SEPX_ASSIGN(norm.bias, reader.values<T>(source.bias, 0, width));
  }
  return norm;
}

template <class T>
Result<void> applyNorm(TensorReader& reader, ThreadPool& pool, const NormSource& source, std::size_t m,
                       std::size_t width, T* x, T* y) {
  SEPX_ASSIGN(const StoredNorm<T> norm, normOf<T>(reader, source, width));
  std::vector<T> stats(2 * m);
  nn::normForward(pool, m, width, x, static_cast<const T*>(nullptr), norm.weights(), y, stats.data());
  return {};
}

template <class T>
Result<void> applyNorm(TensorReader& reader, ThreadPool& pool, const std::optional<NormSource>& source, std::size_t m,
                       std::size_t width, T* x) {
  return source ? applyNorm(reader, pool, *source, m, width, x, x) : Result<void>();
}

#define SEPX_INSTANTIATE(T)                                                                                         \
  template Result<StoredNorm<T>> normOf<T>(TensorReader&, const NormSource&, std::size_t);                          \
  template Result<void> applyNorm(TensorReader&, ThreadPool&, const NormSource&, std::size_t, std::size_t, T*, T*); \
  template Result<void> applyNorm(TensorReader&, ThreadPool&, const std::optional<NormSource>&, std::size_t,        \
                                  std::size_t, T*);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
