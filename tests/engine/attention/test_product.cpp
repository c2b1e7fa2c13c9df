// SPDX-License-Identifier: Apache-2.0
// Compares joined heads and packed products with the triple loop.
#include <catch2/catch.hpp>

#include "engine/attention/product.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx;
using namespace sepx::attention;

namespace {
std::shared_ptr<const LayerFactors> shared(LayerFactors factors) {
  return std::make_shared<const LayerFactors>(std::move(factors));
}
}  // namespace

TEST_CASE("Joining the heads that share a key head leaves W_qk unchanged") {
  const auto grouped = shared(randomFactors(17, 13, 6, 2, 3, 1));
  const auto joined = joinedHeads(grouped);
  CHECK(joined->heads == 2);
  CHECK(joined->keyHead == std::vector<int>{0, 1});
  CHECK((literal(*joined) - literal(*grouped)).cwiseAbs().maxCoeff() < 1e-12);

  LayerFactors published = randomFactors(9, 9, 4, 2, 5, 2);
  published.keyHead = {0, 1, 0, 1};  // the pairing of the published code
  const auto source = shared(published);
  CHECK((literal(*joinedHeads(source)) - literal(*source)).cwiseAbs().maxCoeff() < 1e-12);

  LayerFactors unused = randomFactors(9, 9, 1, 1, 4, 3);
  unused.W_K = randomFactors(9, 9, 3, 3, 4, 4).W_K;
  unused.keyHead = {2};  // the third of three key heads
  const auto one = shared(unused);
  CHECK(joinedHeads(one)->W_K.cols() == 4);
  CHECK((literal(*joinedHeads(one)) - literal(*one)).cwiseAbs().maxCoeff() < 1e-12);

  const auto plain = shared(randomFactors(8, 8, 2, 2, 4, 5));
  CHECK(joinedHeads(plain) == plain);
}

TEST_CASE("A packed product gives any block with the same bits as the whole matrix") {
  ThreadPool pool(2);
  const LayerFactors factors = randomFactors(230, 201, 6, 3, 20, 6);
  const Product product(factors, &pool);
  REQUIRE(product.rows() == 230);
  REQUIRE(product.columns() == 201);
  Matrix whole(230, 201);
  product.block({0, 230, 0, 201}, whole.data(), 201);
  CHECK((whole - literal(factors)).cwiseAbs().maxCoeff() < 1e-11);
  const Crop crop{3, 200, 190, 201};
  Matrix part(crop.rows(), crop.columns());
  product.block(crop, part.data(), part.cols());
  CHECK(part == whole.block(crop.row0, crop.column0, crop.rows(), crop.columns()));
}

TEST_CASE("The symmetric and skew parts of a product are exactly symmetric and skew") {
  const auto factors = shared(randomFactors(75, 75, 3, 3, 11, 7));
  const PackedProduct<double> product(factors, nullptr);
  for (const Part part : {Part::Symmetric, Part::Skew}) {
    Matrix M(75, 75);
    product.block({0, 75, 0, 75}, M.data(), 75, part);
    CHECK((M - literal(*factors, part)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(M == (part == Part::Symmetric ? Matrix(M.transpose()) : Matrix(-M.transpose())));
  }
}

TEST_CASE("Factors that are too large to be packed at once give the same bits") {
  const auto factors = shared(randomFactors(250, 250, 4, 4, 30, 8));
  std::vector<int> rows, columns;
  for (int i = 0; i < 240; ++i) {
    rows.push_back((7 * i) % 250);
    columns.push_back(249 - i);
  }
  const PackedProduct<double> kept(factors, nullptr, rows, columns);
  const PackedProduct<double> unpacked(factors, nullptr, rows, columns, 0);
  REQUIRE(unpacked.rows() == 240);
  REQUIRE(unpacked.columns() == 240);
  const Crop crop{5, 231, 17, 240};
  for (const Part part : {Part::Full, Part::Symmetric, Part::Skew}) {
    Matrix a(crop.rows(), crop.columns()), b = a;
    kept.block(crop, a.data(), a.cols(), part);
    unpacked.block(crop, b.data(), b.cols(), part);
    CHECK(a == b);
  }
}
