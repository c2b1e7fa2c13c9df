// SPDX-License-Identifier: Apache-2.0
// Compares products with the literal triple loop at every instruction level of this machine and at irregular sizes,
// with strides, biases and accumulation. An entry has the same bits at any position and on any number of threads.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "engine/core/gemm.h"

using namespace sepx;

namespace {

constexpr GemmLevel kLevels[] = {GemmLevel::Generic, GemmLevel::Avx2, GemmLevel::Avx512};

template <class T>
std::vector<T> randomNumbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<T> numbers(count);
  for (T& x : numbers)
    x = static_cast<T>(normal(generator));
  return numbers;
}

template <class T>
GemmPanels<T> packed(GemmSide side, const std::vector<T>& rows, std::size_t count, std::size_t depth, GemmLevel level) {
  GemmPanels<T> panels(side, count, depth, level);
  panels.template fill<T>([&](std::size_t i) { return rows.data() + i * depth; });
  return panels;
}

/// The largest error in units of epsilon * (k + 1) * sum |terms|, the rounding of a sum of k terms.
template <class T>
double worstError(std::size_t m, std::size_t n, std::size_t k, GemmLevel level) {
  const auto a = randomNumbers<T>(m * k, 1), b = randomNumbers<T>(n * k, 2);
  std::vector<T> c(m * n, std::numeric_limits<T>::quiet_NaN());
  gemm(packed(GemmSide::Left, a, m, k, level), 0, m, packed(GemmSide::Right, b, n, k, level), 0, n, c.data(), n);
  double worst = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      long double sum = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const auto term = static_cast<long double>(a[i * k + p]) * b[j * k + p];
        sum += term;
        size += std::abs(term);
      }
      const double error = static_cast<double>(std::abs(c[i * n + j] - sum));
      const double unit = static_cast<double>(size) * std::numeric_limits<T>::epsilon() * static_cast<double>(k + 1);
      worst = std::max(worst, k == 0 ? error : error / unit);
    }
  return worst;
}

enum class Shape { ABt, AB, AtB };

/// Operands of C [m, n] with k terms. With slack their strides are larger than their rows.
template <class T>
struct Problem {
  Shape shape;
  std::size_t m, n, k, lda, ldb, ldc;
  std::vector<T> A, B, before, bias;

  Problem(Shape s, std::array<std::size_t, 3> size, std::size_t slack)
      : shape(s), m(size[0]), n(size[1]), k(size[2]), ldc(n + slack) {
    lda = (s == Shape::AtB ? m : k) + 2 * slack;
    ldb = (s == Shape::ABt ? k : n) + slack;
    A = randomNumbers<T>(lda * (s == Shape::AtB ? k : m), 1);
    B = randomNumbers<T>(ldb * (s == Shape::ABt ? n : k), 2);
    before = randomNumbers<T>(ldc * m, 3);
    bias = randomNumbers<T>(n, 4);
  }
  T a(std::size_t i, std::size_t p) const { return shape == Shape::AtB ? A[p * lda + i] : A[i * lda + p]; }
  T b(std::size_t p, std::size_t j) const { return shape == Shape::ABt ? B[j * ldb + p] : B[p * ldb + j]; }

  std::vector<T> run(ThreadPool& pool, const GemmOptions<T>& options) const {
    std::vector<T> C = before;
    if (shape == Shape::ABt)
      gemmABt(pool, m, n, k, A.data(), lda, B.data(), ldb, C.data(), ldc, options);
    else if (shape == Shape::AB)
      gemmAB(pool, m, n, k, A.data(), lda, B.data(), ldb, C.data(), ldc, options);
    else
      gemmAtB(pool, m, n, k, A.data(), lda, B.data(), ldb, C.data(), ldc, options);
    return C;
  }
  /// The largest error in units of the rounding of a sum of k terms, or infinity if anything else in C was changed.
  double worstError(const std::vector<T>& C, const GemmOptions<T>& options) const {
    double worst = 0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const T start = options.add ? before[i * ldc + j] : options.bias != nullptr ? options.bias[j] : T{0};
        long double sum = start, size = std::abs(sum);
        for (std::size_t p = 0; p < k; ++p) {
          const long double term = static_cast<long double>(a(i, p)) * b(p, j);
          sum += term;
          size += std::abs(term);
        }
        const double error = static_cast<double>(std::abs(C[i * ldc + j] - sum));
        const double unit = static_cast<double>(size) * std::numeric_limits<T>::epsilon() * static_cast<double>(k + 1);
        worst = std::max(worst, unit == 0 ? (error == 0 ? 0 : INFINITY) : error / unit);
      }
      for (std::size_t j = n; j < ldc; ++j)
        if (C[i * ldc + j] != before[i * ldc + j]) return INFINITY;
    }
    return worst;
  }
};

const std::vector<std::array<std::size_t, 3>> kSizes{
    {1, 1, 1},    {1, 7, 0},     {7, 1, 3},     {3, 4, 257},   {12, 32, 256},  {13, 33, 255},
    {14, 8, 24},  {29, 65, 513}, {97, 48, 8},   {193, 31, 64}, {385, 24, 17},  {64, 200, 96},
    {8, 8, 3000}, {24, 40, 700}, {300, 130, 1}, {2, 700, 40},  {40, 24, 5000},
};

template <class T>
void checkAll(Shape shape) {
  ThreadPool one(1), two(2), three(3);
  for (const auto& size : kSizes)
    for (const std::size_t slack : {std::size_t{0}, std::size_t{3}}) {
      const Problem<T> problem(shape, size, slack);
      for (int kind = 0; kind < 9; ++kind) {
        GemmOptions<T> options;
        options.level = static_cast<GemmLevel>(kind / 3);
        options.add = kind % 3 == 1;
        if (kind % 3 == 2) options.bias = problem.bias.data();
        INFO(size[0] << " x " << size[1] << " x " << size[2] << ", slack " << slack << ", kind " << kind);
        const std::vector<T> C = problem.run(one, options);
        CHECK(problem.worstError(C, options) < 1);
        CHECK(std::memcmp(C.data(), problem.run(two, options).data(), C.size() * sizeof(T)) == 0);
        CHECK(std::memcmp(C.data(), problem.run(three, options).data(), C.size() * sizeof(T)) == 0);
      }
    }
}

}  // namespace

TEST_CASE("gemm equals the triple loop at every level and at irregular sizes") {
  for (const GemmLevel level : kLevels)
    for (const auto& [m, n, k] : {std::array<std::size_t, 3>{1, 1, 1},
                                  {1, 7, 3},
                                  {5, 33, 256},
                                  {12, 32, 257},
                                  {13, 31, 64},
                                  {200, 97, 515},
                                  {193, 65, 1},
                                  {3, 4, 0}}) {
      INFO(gemmLevelName(level) << " " << m << " x " << n << " x " << k);
      CHECK(worstError<float>(m, n, k, level) < 1);
      CHECK(worstError<double>(m, n, k, level) < 1);
    }
}

TEST_CASE("A product with a stored matrix has the bits of a product with panels") {
  for (const GemmLevel level : kLevels)
    for (const auto& [m, n, k] :
         {std::array<std::size_t, 3>{2, 1, 1}, {7, 33, 257}, {64, 300, 515}, {200, 161, 64}, {6, 16, 0}})
      for (const bool transposed : {false, true}) {
        INFO(gemmLevelName(level) << " " << m << " x " << n << " x " << k << (transposed ? ", transposed" : ""));
        const std::size_t ld = (transposed ? n : k) + 5, ldc = n + 3;
        const auto a = randomNumbers<float>(m * k, 21), bias = randomNumbers<float>(n, 22);
        const auto b = randomNumbers<float>((transposed ? k : n) * ld, 23);
        std::vector<float> rows(n * k);
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t p = 0; p < k; ++p)
            rows[j * k + p] = transposed ? b[p * ld + j] : b[j * ld + p];
        const GemmPanels<float> left = packed(GemmSide::Left, a, m, k, level);
        const GemmPanels<float> right = packed(GemmSide::Right, rows, n, k, level);
        for (const bool biased : {false, true}) {
          std::vector<float> wanted(m * ldc, 42), got(m * ldc, 42);
          for (std::size_t i = 0; biased && i < m; ++i)
            std::ranges::copy(bias, wanted.begin() + static_cast<std::ptrdiff_t>(i * ldc));
          gemm(left, 0, m, right, 0, n, wanted.data(), ldc, biased);
          gemm(left, {b.data(), ld, n, transposed}, biased ? bias.data() : nullptr, got.data(), ldc);
          CHECK(std::memcmp(wanted.data(), got.data(), got.size() * sizeof(float)) == 0);
        }
      }
}

TEST_CASE("gemmABt respects leading dimensions and leaves the rest of C unchanged") {
  const std::size_t m = 9, n = 11, k = 5, lda = 8, ldb = 6, ldc = 20;
  const auto a = randomNumbers<double>(m * lda, 3), b = randomNumbers<double>(n * ldb, 4);
  std::vector<double> c(m * ldc, 42);
  gemmABt(m, n, k, a.data(), lda, b.data(), ldb, c.data(), ldc);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < ldc; ++j) {
      double sum = 0;
      for (std::size_t p = 0; p < k; ++p)
        sum += j < n ? a[i * lda + p] * b[j * ldb + p] : 0;
      CHECK(c[i * ldc + j] == (j < n ? Approx(sum).epsilon(1e-13) : Approx(42)));
    }
}

TEST_CASE("gemmAtB multiplies by the transposed matrix") {
  for (const auto& [m, n, k] : {std::array<std::size_t, 3>{1, 1, 1}, {13, 35, 300}, {64, 128, 512}, {5, 3, 0}}) {
    const std::size_t lda = m + 3, ldb = n + 1;
    const auto a = randomNumbers<double>(k * lda, 11), b = randomNumbers<double>(k * ldb, 12);
    std::vector<double> c(m * n, 42);
    gemmAtB(m, n, k, a.data(), lda, b.data(), ldb, c.data(), n);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t p = 0; p < k; ++p)
          sum += a[p * lda + i] * b[p * ldb + j];
        CHECK(c[i * n + j] == Approx(sum).epsilon(1e-11).margin(1e-11));
      }
  }
}

TEST_CASE("An entry has the same bits in every crop") {
  const std::size_t m = 230, n = 150, k = 300;
  const auto a = randomNumbers<float>(m * k, 5), b = randomNumbers<float>(n * k, 6);
  for (const GemmLevel level : kLevels) {
    const auto left = packed(GemmSide::Left, a, m, k, level);
    const auto right = packed(GemmSide::Right, b, n, k, level);
    std::vector<float> whole(m * n);
    gemm(left, 0, m, right, 0, n, whole.data(), n);
    for (const auto& [row0, row1, column0, column1] :
         {std::array<std::size_t, 4>{0, 1, 0, 1}, {7, 8, 3, 100}, {191, 230, 31, 33}, {5, 205, 149, 150}}) {
      std::vector<float> part((row1 - row0) * (column1 - column0));
      gemm(left, row0, row1, right, column0, column1, part.data(), column1 - column0);
      for (std::size_t i = row0; i < row1; ++i)
        REQUIRE(std::memcmp(&whole[i * n + column0], &part[(i - row0) * (column1 - column0)],
                            (column1 - column0) * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("The levels with fused multiply-add agree bit for bit") {
  if (gemmLevel() != GemmLevel::Avx512) {
    WARN("this machine has no AVX-512: nothing to compare");
    return;
  }
  const std::size_t m = 50, n = 70, k = 400;
  const auto a = randomNumbers<double>(m * k, 7), b = randomNumbers<double>(n * k, 8);
  std::vector<double> c[2];
  for (int i = 0; i < 2; ++i) {
    const GemmLevel level = i == 0 ? GemmLevel::Avx2 : GemmLevel::Avx512;
    c[i].resize(m * n);
    gemm(packed(GemmSide::Left, a, m, k, level), 0, m, packed(GemmSide::Right, b, n, k, level), 0, n, c[i].data(), n);
  }
  CHECK(c[0] == c[1]);
}

TEST_CASE("NaN and infinity reach only the entries that depend on them") {
  const std::size_t m = 30, n = 40, k = 20;
  auto a = randomNumbers<float>(m * k, 9), b = randomNumbers<float>(n * k, 10);
  a[17 * k + 3] = std::numeric_limits<float>::quiet_NaN();
  b[39 * k + 19] = std::numeric_limits<float>::infinity();
  std::vector<float> c(m * n);
  gemmABt(m, n, k, a.data(), k, b.data(), k, c.data(), n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      CHECK(std::isnan(c[i * n + j]) == (i == 17));
      CHECK(std::isinf(c[i * n + j]) == (j == 39 && i != 17));
    }
}

TEST_CASE("x W^T + b equals the triple loop") {
  checkAll<float>(Shape::ABt);
  checkAll<double>(Shape::ABt);
}

TEST_CASE("dy W equals the triple loop") {
  checkAll<float>(Shape::AB);
  checkAll<double>(Shape::AB);
}

TEST_CASE("dy^T x equals the triple loop") {
  checkAll<float>(Shape::AtB);
  checkAll<double>(Shape::AtB);
}

TEST_CASE("Column sums are added in the same order on any number of threads") {
  ThreadPool one(1), two(2);
  for (const auto& [m, n, lda] : {std::array<std::size_t, 3>{1, 1, 1}, {0, 5, 5}, {1000, 37, 40}, {513, 8, 8}}) {
    const auto A = randomNumbers<float>(m * lda, 7), start = randomNumbers<float>(n, 8);
    std::vector<float> out = start, again = start;
    addColumnSums(one, m, n, A.data(), lda, out.data());
    addColumnSums(two, m, n, A.data(), lda, again.data());
    CHECK(out == again);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = start[j], size = std::abs(sum);
      for (std::size_t i = 0; i < m; ++i) {
        sum += A[i * lda + j];
        size += std::abs(A[i * lda + j]);
      }
      CHECK(std::abs(out[j] - sum) <= 1e-6 * size);
    }
  }
}

TEST_CASE("A NaN in a row of x reaches only this row of the product") {
  ThreadPool pool(2);
  Problem<float> problem(Shape::ABt, {50, 70, 30}, 0);
  problem.A[17 * problem.lda + 3] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> C = problem.run(pool, {});
  for (std::size_t i = 0; i < problem.m; ++i)
    for (std::size_t j = 0; j < problem.n; ++j)
      CHECK(std::isnan(C[i * problem.ldc + j]) == (i == 17));
}
