// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/rotation.h"

#include <cassert>
#include <cmath>

namespace sepx::forward {

using checkpoint::RopeScaling;
using checkpoint::RopeSource;

template <class T>
Rotation<T>::Rotation(const RopeSource& source, const RopeScaling& scaling, int first, int length, int d_h)
    : source_(source), scaling_(scaling), first_(first), length_(length), d_h_(d_h) {
  const int half = source.dimensions / 2;
  assert(2 * half == source.dimensions && source.dimensions <= d_h);
  table_.half = half;
  std::vector<double> frequencies;
  for (int s = 0; s < half; ++s) {
    const double factor = scaling.factors.empty() ? 1 : scaling.factors[static_cast<std::size_t>(s)];
    frequencies.push_back(std::pow(source.base, -2.0 * s / source.dimensions) / factor);
  }
  for (int n = first; n < first + length; ++n)
    for (const double frequency : frequencies) {
      table_.cosine.push_back(static_cast<T>(scaling.amplitude * std::cos(n * frequency)));
      table_.sine.push_back(static_cast<T>(scaling.amplitude * std::sin(n * frequency)));
    }
}

template <class T>
bool Rotation<T>::isOf(const RopeSource& source, const RopeScaling& scaling, int first, int length, int d_h) const {
  return source.base == source_.base && source.dimensions == source_.dimensions &&
         source.interleaved == source_.interleaved && scaling.factors == scaling_.factors &&
         scaling.amplitude == scaling_.amplitude && first == first_ && length == length_ && d_h == d_h_;
}

template <class T>
void Rotation<T>::turn(ThreadPool& pool, int heads, T* x, std::size_t ld, bool back) const {
  if (table_.half == 0) return;
  if (!source_.interleaved && source_.dimensions == d_h_)
    return nn::rotate(pool, table_, 1, length_, heads, d_h_, x, ld, back);
  const auto half = static_cast<std::size_t>(table_.half), width = static_cast<std::size_t>(d_h_);
  const std::size_t apart = source_.interleaved ? 1 : half, step = source_.interleaved ? 2 : 1;
  const T sign = back ? T(-1) : T(1);
  constexpr std::size_t kRows = 32;
  pool.parallelFor(0, static_cast<std::size_t>(length_), kRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t head = 0; head < static_cast<std::size_t>(heads); ++head) {
        T* at = x + row * ld + head * width;
        for (std::size_t s = 0; s < half; ++s, at += step) {
          const T c = table_.cosine[row * half + s], sn = sign * table_.sine[row * half + s];
          const T a = at[0], b = at[apart];
          at[0] = a * c - b * sn;
          at[apart] = a * sn + b * c;
        }
      }
  });
}

template class Rotation<float>;
template class Rotation<double>;

}  // namespace sepx::forward
