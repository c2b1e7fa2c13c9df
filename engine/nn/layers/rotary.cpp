// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/rotary.h"

#include <cassert>
#include <cmath>

namespace sepx::nn {

template <class T>
RotaryTable<T> rotaryTable(int length, int headDim, double base) {
  RotaryTable<T> table;
  table.half = headDim / 2;
  const auto size = static_cast<std::size_t>(length) * static_cast<std::size_t>(table.half);
  table.cosine.reserve(size);
  table.sine.reserve(size);
  for (int n = 0; n < length; ++n)
    for (int s = 0; s < table.half; ++s) {
      const double angle = n * std::pow(base, -2.0 * s / headDim);
      table.cosine.push_back(static_cast<T>(std::cos(angle)));
      table.sine.push_back(static_cast<T>(std::sin(angle)));
    }
  return table;
}

namespace {

/// Rotates one head: its first and second half in the planes (s, s + half).
template <class T>
void turn(const T* __restrict cosine, const T* __restrict sine, std::size_t half, T sign, T* __restrict first,
          T* __restrict second) {
  for (std::size_t s = 0; s < half; ++s) {
    const T x = first[s], y = second[s], sn = sign * sine[s];
    first[s] = x * cosine[s] - y * sn;
    second[s] = x * sn + y * cosine[s];
  }
}

}  // namespace

template <class T>
void rotate(ThreadPool& pool, const RotaryTable<T>& table, int sequences, int length, int heads, int headDim, T* x,
            std::size_t ld, bool back) {
  assert(table.half == headDim / 2);
  const auto positions = static_cast<std::size_t>(length), width = static_cast<std::size_t>(headDim);
  const auto half = static_cast<std::size_t>(table.half), side = static_cast<std::size_t>(heads);
  assert(table.cosine.size() >= positions * half);
  const T sign = back ? T(-1) : T(1);
  constexpr std::size_t kRows = 128;
  pool.parallelFor(0, static_cast<std::size_t>(sequences) * positions, kRows, [&](std::size_t from, std::size_t to) {
    for (std::size_t row = from; row < to; ++row) {
      const std::size_t angle = row % positions * half;
      for (std::size_t h = 0; h < side; ++h) {
        T* head = x + row * ld + h * width;
        turn(table.cosine.data() + angle, table.sine.data() + angle, half, sign, head, head + half);
      }
    }
  });
}

template struct RotaryTable<float>;
template struct RotaryTable<double>;
template RotaryTable<float> rotaryTable(int, int, double);
template RotaryTable<double> rotaryTable(int, int, double);
template void rotate(ThreadPool&, const RotaryTable<float>&, int, int, int, int, float*, std::size_t, bool);
template void rotate(ThreadPool&, const RotaryTable<double>&, int, int, int, int, double*, std::size_t, bool);

}  // namespace sepx::nn
