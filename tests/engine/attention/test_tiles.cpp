// SPDX-License-Identifier: Apache-2.0
// Compares crops and pictures with the triple loop for every part, both kinds of pixel, orders, incomplete edge blocks,
// cancelling and NaN.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "engine/attention/strongest.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx;
using namespace sepx::attention;
using Eigen::Index;

namespace {

std::shared_ptr<const LayerFactors> shared(LayerFactors factors) {
  return std::make_shared<const LayerFactors>(std::move(factors));
}

std::vector<int> shuffled(int n, unsigned seed) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

Matrix reordered(const Matrix& M, const std::vector<int>& rows, const std::vector<int>& columns) {
  Matrix out(M.rows(), M.cols());
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < M.cols(); ++j)
      out(i, j) = M(rows.empty() ? i : rows[static_cast<std::size_t>(i)],
                    columns.empty() ? j : columns[static_cast<std::size_t>(j)]);
  return out;
}

double blockValue(const Matrix& block, Pool pool) {
  if (pool == Pool::Mean) return block.mean();
  double extreme = 0;
  for (Index i = 0; i < block.size(); ++i)
    if (std::abs(block.data()[i]) > std::abs(extreme) || block.data()[i] == -extreme)
      extreme = std::abs(block.data()[i]) > std::abs(extreme) ? block.data()[i] : std::abs(extreme);
  return extreme;
}

/// The largest difference between a pixel of the picture and its block of M.
double worstPixel(const Picture& picture, const Matrix& M, const Crop& crop, Pool pool) {
  REQUIRE(picture.rows == (crop.rows() + picture.step - 1) / picture.step);
  REQUIRE(picture.columns == (crop.columns() + picture.step - 1) / picture.step);
  REQUIRE(picture.values.size() == static_cast<std::size_t>(picture.rows * picture.columns));
  double worst = 0;
  for (Index i = 0; i < picture.rows; ++i)
    for (Index j = 0; j < picture.columns; ++j) {
      const Index row = crop.row0 + i * picture.step, column = crop.column0 + j * picture.step;
      const Matrix block =
          M.block(row, column, std::min(picture.step, crop.row1 - row), std::min(picture.step, crop.column1 - column));
      const double value = picture.values[static_cast<std::size_t>(i * picture.columns + j)];
      worst = std::max(worst, std::abs(value - blockValue(block, pool)));
    }
  return worst;
}

}  // namespace

TEST_CASE("cropOf gives the entries of any crop, part and order") {
  ThreadPool pool(2);
  const LayerFactors factors = randomFactors(90, 90, 4, 2, 6, 1);
  const auto rows = shuffled(90, 1), columns = shuffled(90, 2);
  for (const Part part : {Part::Full, Part::Symmetric, Part::Skew}) {
    const Matrix M = literal(factors, part), ordered = reordered(M, rows, columns);
    for (const Crop& crop : {Crop{0, 90, 0, 90}, Crop{3, 4, 88, 90}, Crop{10, 60, 0, 1}, Crop{5, 5, 0, 10}}) {
      const Matrix plain = cropOf(factors, part, crop, &pool);
      REQUIRE(plain.rows() == crop.rows());
      CHECK(plain.isApprox(M.block(crop.row0, crop.column0, crop.rows(), crop.columns()), 1e-12));
      CHECK(cropOf(factors, part, crop, nullptr, rows, columns)
                .isApprox(ordered.block(crop.row0, crop.column0, crop.rows(), crop.columns()), 1e-12));
    }
  }
}

TEST_CASE("cropOf handles cross attention with two widths") {
  const LayerFactors factors = randomFactors(20, 31, 2, 2, 4, 3);
  CHECK(cropOf(factors, Part::Full, {0, 20, 0, 31}).isApprox(literal(factors), 1e-12));
}

TEST_CASE("Pictures show the exact mean or the strongest entry of the blocks of W_qk") {
  ThreadPool pool(2);
  const auto factors = shared(randomFactors(250, 250, 4, 2, 8, 4));
  const auto rows = shuffled(250, 5), columns = shuffled(250, 6);
  const auto plain = makeTileSource(factors, &pool);
  const auto sorted = makeTileSource(factors, &pool, rows, columns);
  for (const Part part : {Part::Full, Part::Symmetric, Part::Skew}) {
    const Matrix M = literal(*factors, part), ordered = reordered(M, rows, columns);
    for (const Pool kind : {Pool::Mean, Pool::Extreme})
      for (const Index step : {1, 2, 7, 200, 1000})
        for (const Crop& crop : {Crop{0, 250, 0, 250}, Crop{3, 240, 11, 250}, Crop{249, 250, 0, 3}}) {
          INFO("part " << static_cast<int>(part) << " pool " << static_cast<int>(kind) << " step " << step);
          CHECK(worstPixel(plain->picture(crop, step, part, kind), M, crop, kind) < 1e-4);
          CHECK(worstPixel(sorted->picture(crop, step, part, kind), ordered, crop, kind) < 1e-4);
        }
  }
  CHECK(plain->picture({5, 5, 0, 10}, 2, Part::Full, Pool::Mean).values.empty());
}

TEST_CASE("The bits of a picture do not depend on the number of threads") {
  const auto factors = shared(randomFactors(700, 650, 2, 2, 40, 7));
  ThreadPool two(2), three(3);
  const auto one = makeTileSource(factors, nullptr), other = makeTileSource(factors, &three),
             another = makeTileSource(factors, &two);
  CHECK(one->device() == "CPU, 1 thread");
  CHECK(other->device() == "CPU, 3 threads");
  for (const Pool pool : {Pool::Mean, Pool::Extreme}) {
    const auto a = one->picture({1, 700, 2, 650}, 3, Part::Full, pool).values;
    CHECK(a == other->picture({1, 700, 2, 650}, 3, Part::Full, pool).values);
    CHECK(a == another->picture({1, 700, 2, 650}, 3, Part::Full, pool).values);
  }
}

TEST_CASE("A cancelled picture is empty and stops at once") {
  const auto factors = shared(randomFactors(2000, 2000, 1, 1, 16, 8));
  const auto source = makeTileSource(factors, nullptr);
  for (const Pool pool : {Pool::Mean, Pool::Extreme}) {
    int asked = 0;
    const Picture picture = source->picture({0, 2000, 0, 2000}, 2, Part::Full, pool, [&] { return ++asked > 2; });
    CHECK(picture.values.empty());
    CHECK(asked == 3);
  }
}

TEST_CASE("NaN and infinite weights show in the picture at their rows and columns") {
  LayerFactors bad = randomFactors(60, 60, 1, 1, 5, 9);
  bad.W_Q(33, 2) = std::numeric_limits<double>::quiet_NaN();
  bad.W_K(7, 1) = std::numeric_limits<double>::infinity();
  const auto source = makeTileSource(shared(bad), nullptr);
  for (const Pool pool : {Pool::Mean, Pool::Extreme}) {
    const Picture picture = source->picture({0, 60, 0, 60}, 4, Part::Full, pool);
    for (Index i = 0; i < picture.rows; ++i)
      for (Index j = 0; j < picture.columns; ++j) {
        const float value = picture.values[static_cast<std::size_t>(i * picture.columns + j)];
        CHECK(std::isfinite(value) == (i != 33 / 4 && j != 7 / 4));
        if (i == 33 / 4) CHECK(std::isnan(value));
      }
  }
}

TEST_CASE("The strongest of several floats does not depend on their order") {
  CHECK(strengthValue(strengthKey(-0.25f)) == -0.25f);
  CHECK(strengthValue(strengthKey(3e38f)) == 3e38f);
  CHECK(strengthKey(2.f) > strengthKey(-2.f));
  CHECK(strengthKey(-2.f) > strengthKey(1.999f));
  CHECK(strengthKey(-1e-45f) > strengthKey(0.f));
  CHECK(strengthKey(std::numeric_limits<float>::quiet_NaN()) > strengthKey(std::numeric_limits<float>::infinity()));
  for (const std::size_t columns : {1u, 15u, 16u, 67u}) {
    std::mt19937 generator(3);
    std::normal_distribution<float> normal;
    std::vector<float> block(9 * columns);
    for (float& x : block)
      x = normal(generator);
    std::vector<std::uint32_t> keys(columns, 0);
    foldStrongest(block.data(), 4, columns, columns, keys.data());
    foldStrongest(block.data() + 4 * columns, 5, columns, columns, keys.data());
    for (std::size_t j = 0; j < columns; ++j) {
      float expected = 0;
      for (std::size_t i = 0; i < 9; ++i)
        if (std::abs(block[i * columns + j]) > std::abs(expected)) expected = block[i * columns + j];
      CHECK(strengthValue(keys[j]) == expected);
    }
  }
}
