// SPDX-License-Identifier: Apache-2.0
// Gathering and scattering of rows (gather_rows.h).
#include "engine/nn/gather_rows.h"

#include <algorithm>

namespace sepx::nn {

namespace {

/// Rows that a thread takes at once: about 64 kB.
std::size_t grain(std::size_t d) {
  return std::max<std::size_t>(1, 16384 / std::max<std::size_t>(d, 1));
}

}  // namespace

template <class T>
void gatherRows(ThreadPool& pool, std::span<const Target> targets, std::size_t d, const T* x, const T* addend, T* out) {
  pool.parallelFor(0, targets.size(), grain(d), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t at = static_cast<std::size_t>(targets[i].row) * d;
      T* const to = out + i * d;
      if (addend == nullptr)
        std::copy_n(x + at, d, to);
      else
        std::transform(x + at, x + at + d, addend + at, to, [](T a, T b) { return a + b; });
    }
  });
}

template <class T>
void scatterRows(ThreadPool& pool, std::span<const Target> targets, std::size_t m, std::size_t d, const T* dx, T* out) {
  pool.parallelFor(0, m, grain(d), [&](std::size_t first, std::size_t last) {
    auto next = std::lower_bound(targets.begin(), targets.end(), first, [](const Target& t, std::size_t row) {
      return static_cast<std::size_t>(t.row) < row;
    });
    for (std::size_t row = first; row < last; ++row) {
      T* const to = out + row * d;
      bool empty = true;
      for (; next != targets.end() && static_cast<std::size_t>(next->row) == row; ++next, empty = false) {
        const T* const from = dx + static_cast<std::size_t>(next - targets.begin()) * d;
        if (empty)
          std::copy_n(from, d, to);
        else
          std::transform(to, to + d, from, to, [](T a, T b) { return a + b; });
      }
      if (empty) std::fill_n(to, d, T(0));
    }
  });
}

template void gatherRows<float>(ThreadPool&, std::span<const Target>, std::size_t, const float*, const float*, float*);
template void gatherRows<double>(ThreadPool&, std::span<const Target>, std::size_t, const double*, const double*,
                                 double*);
template void scatterRows<float>(ThreadPool&, std::span<const Target>, std::size_t, std::size_t, const float*, float*);
template void scatterRows<double>(ThreadPool&, std::span<const Target>, std::size_t, std::size_t, const double*,
                                  double*);

}  // namespace sepx::nn
