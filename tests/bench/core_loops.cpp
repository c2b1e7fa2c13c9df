// SPDX-License-Identifier: Apache-2.0
// Measures two tables of notes.md on single loops of engine/core, with one thread: exp of doubles compared with
// Highway, if it is installed (libhwy-dev), and a product of 64 rows by weights from memory. No build includes this
// program; build and run it with:
//   cmake --build --preset release --target sepx_core_loops && build/release/bin/sepx_core_loops
#if __has_include(<hwy/contrib/math/math-inl.h>)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/core_loops.cpp"
#include <hwy/foreach_target.h>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sepx::bench::HWY_NAMESPACE {
void exponents(const double* x, double* out, std::size_t count) {
  const hwy::HWY_NAMESPACE::ScalableTag<double> lanes;
  for (std::size_t i = 0; i < count; i += hwy::HWY_NAMESPACE::Lanes(lanes))
    StoreU(Exp(lanes, LoadU(lanes, x + i)), lanes, out + i);
}
}  // namespace sepx::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(HWY_ONCE) || HWY_ONCE
#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/core/gemm.h"
#include "engine/core/random.h"
#include "engine/core/simd.h"

namespace sepx::bench {

#if defined(HWY_ONCE)
HWY_EXPORT(exponents);
#endif

namespace {

/// The time of the fastest of `rounds` runs, seconds.
double least(int rounds, const std::function<void()>& body) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

/// exp of 16,384 doubles between -30 and 30: nanoseconds per value, and how many values differ from those of the widest
/// level.
class Exponents {
 public:
  Exponents() : x_(kCount), out_(kCount) {
    RandomStream random(1);
    for (double& one : x_)
      one = random.uniform(-30, 30);
  }

  void ours() {
    for (const GemmLevel level : {GemmLevel::Avx512, GemmLevel::Avx2, GemmLevel::Generic})
      if (level <= gemmLevel())
        row("sepx, " + std::string(gemmLevelName(level)), [&] { simdMap(SimdFunction::Exp, x_, out_, level); });
    widest_.clear();
  }

  void highway() {
#if defined(HWY_ONCE)
    for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4}) {
      if ((hwy::SupportedTargets() & target) == 0) continue;
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      row(std::string("Highway, ") + hwy::TargetName(target), [&] {
        HWY_DYNAMIC_DISPATCH(exponents)(x_.data(), out_.data(), kCount);
      });
      hwy::SetSupportedTargetsForTest(0);
    }
#else
    fmt::print("Highway: not installed (apt install libhwy-dev)\n");
#endif
  }

 private:
  static constexpr std::size_t kCount = 16'384;

  void row(const std::string& name, const std::function<void()>& once) {
    const double seconds = least(41, once);
    if (widest_.empty()) widest_ = out_;
    std::size_t differ = 0;
    for (std::size_t i = 0; i < kCount; ++i)
      differ += out_[i] != widest_[i];
    fmt::print("{:<28} {:6.2f} ns, {} of {} differ from the first level\n", name, 1e9 * seconds / kCount, differ,
               kCount);
  }

  std::vector<double> x_, out_, widest_;
};

/// The speed of the product of 64 rows by stored weights with `out` outputs and leading dimension `ld`, GF/s. The
/// matrices are too many or too large for the caches and are processed in slices, as in the forward pass. Measured are
/// packing before the product, packing during the product, and products by panels that are kept.
void products(const char* name, std::size_t out, std::size_t ld, bool transposed) {
  constexpr std::size_t kRows = 64, kIn = 768, kSlice = (std::size_t{1} << 17) / kIn;
  const std::size_t values = kIn * out, matrices = std::max<std::size_t>(1, (std::size_t{1} << 25) / values);
  std::vector<float> x(kRows * kIn, 0.5F), weights(matrices * values, 0.25F), y(kRows * kSlice);
  GemmPanels<float> left(GemmSide::Left, kRows, kIn);
  left.fill<float>([&](std::size_t row) { return x.data() + row * kIn; });
  const auto eachSlice = [&](const std::function<void(const float*, std::size_t)>& body) {
    for (std::size_t matrix = 0; matrix < matrices; ++matrix)
      for (std::size_t first = 0; first < out; first += kSlice)
        body(weights.data() + matrix * values + (transposed ? first : first * ld), std::min(kSlice, out - first));
  };
  std::vector<GemmPanels<float>> kept;
  const auto laidOut = [&](const float* data, std::size_t count) {
    GemmPanels<float> right(GemmSide::Right, count, kIn);
    if (transposed)
      right.fillTransposed(data, ld);
    else
      right.fill<float>([&](std::size_t row) { return data + row * ld; });
    return right;
  };
  eachSlice([&](const float* data, std::size_t count) { kept.push_back(laidOut(data, count)); });
  std::size_t next = 0;
  const auto speed = [&](const std::function<void(const float*, std::size_t)>& body) {
    const double seconds = least(15, [&] {
      next = 0;
      eachSlice(body);
    });
    return 2e-9 * double(kRows) * double(matrices * values) / seconds;
  };
  const double apart = speed([&](const float* data, std::size_t count) {
    const GemmPanels<float> right = laidOut(data, count);
    gemm(left, 0, kRows, right, 0, count, y.data(), kSlice);
  });
  const double together = speed([&](const float* data, std::size_t count) {
    gemm(left, GemmMatrix<float>{data, ld, count, transposed}, static_cast<const float*>(nullptr), y.data(), kSlice);
  });
  const double panels =
      speed([&](const float*, std::size_t count) { gemm(left, 0, kRows, kept[next++], 0, count, y.data(), kSlice); });
  fmt::print("{:<28} {:6.1f} laid out first, {:6.1f} while it is multiplied, {:6.1f} by kept panels, GF/s\n", name,
             apart, together, panels);
}

}  // namespace

}  // namespace sepx::bench

int main() {
  sepx::bench::Exponents exponents;
  exponents.ours();
  exponents.highway();
  sepx::bench::products("[768, 768] transposed", 768, 768, true);
  sepx::bench::products("columns of [768, 2304]", 2304, 2304, true);
  sepx::bench::products("columns of [768, 3072]", 3072, 3072, true);
  sepx::bench::products("rows of [50257, 768]", 50257, 768, false);
  return 0;
}
#endif
