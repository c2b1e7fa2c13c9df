// SPDX-License-Identifier: Apache-2.0
// The products of a linear layer against the triple loop in long double: sizes around every block of the kernels,
// strides, adding, biases, no terms; and the promise of the same bits on any number of threads.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "engine/nn/layers/matmul.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

enum class Shape { ABt, AB, AtB };

template <class T>
std::vector<T> randomNumbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<T> numbers(count);
  for (T& x : numbers)
    x = static_cast<T>(normal(generator));
  return numbers;
}

/// Operands of C [m, n] with k terms, with strides wider than their rows.
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

  std::vector<T> run(ThreadPool& pool, const MatmulOptions<T>& options) const {
    std::vector<T> C = before;
    const auto product = shape == Shape::ABt ? &matmulABt<T> : shape == Shape::AB ? &matmulAB<T> : &matmulAtB<T>;
    product(pool, m, n, k, A.data(), lda, B.data(), ldb, C.data(), ldc, options);
    return C;
  }
  /// The largest error over the rounding of a sum of k terms; infinity where something else of C was touched.
  double worstError(const std::vector<T>& C, const MatmulOptions<T>& options) const {
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
        MatmulOptions<T> options;
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

TEST_CASE("x W^T + b is the triple loop") {
  checkAll<float>(Shape::ABt);
  checkAll<double>(Shape::ABt);
}

TEST_CASE("dy W is the triple loop") {
  checkAll<float>(Shape::AB);
  checkAll<double>(Shape::AB);
}

TEST_CASE("dy^T x is the triple loop") {
  checkAll<float>(Shape::AtB);
  checkAll<double>(Shape::AtB);
}

TEST_CASE("Column sums are added in one order on any number of threads") {
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

TEST_CASE("A NaN reaches its row or column and nothing else") {
  ThreadPool pool(2);
  Problem<float> problem(Shape::ABt, {50, 70, 30}, 0);
  problem.A[17 * problem.lda + 3] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> C = problem.run(pool, {});
  for (std::size_t i = 0; i < problem.m; ++i)
    for (std::size_t j = 0; j < problem.n; ++j)
      CHECK(std::isnan(C[i * problem.ldc + j]) == (i == 17));
}
