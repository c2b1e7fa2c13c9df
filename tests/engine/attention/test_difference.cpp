// SPDX-License-Identifier: Apache-2.0
// Compares the difference and the cosine of two forms with their literal products, also where the forms are close.
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/attention/difference.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx::attention;

namespace {

void checkAgainstLoops(const LayerFactors& a, const LayerFactors& b) {
  const Matrix A = literal(a), B = literal(b);
  const Difference result = difference(a, b);
  CHECK(result.norm == Approx((A - B).norm()).epsilon(1e-11));
  CHECK(result.normA == Approx(A.norm()).epsilon(1e-12));
  CHECK(result.normB == Approx(B.norm()).epsilon(1e-12));
  CHECK(result.cosine == Approx(A.cwiseProduct(B).sum() / (A.norm() * B.norm())).margin(1e-12));
  CHECK(result.relative == Approx((A - B).norm() / std::sqrt(A.norm() * B.norm())).epsilon(1e-11));
}

}  // namespace

TEST_CASE("Difference and cosine computed from factors equal those of the products", "[attention][difference]") {
  checkAgainstLoops(randomFactors(50, 50, 2, 2, 3, 1), randomFactors(50, 50, 2, 2, 3, 2));
  checkAgainstLoops(randomFactors(50, 50, 4, 2, 3, 3), randomFactors(50, 50, 2, 2, 3, 4));
  checkAgainstLoops(randomFactors(50, 50, 2, 2, 3, 5), randomFactors(50, 50, 3, 3, 4, 6));  // another inner width
  checkAgainstLoops(randomFactors(210, 200, 2, 1, 60, 7), randomFactors(210, 200, 4, 2, 50, 8));
  checkAgainstLoops(randomFactors(30, 60, 1, 1, 4, 9), randomFactors(30, 60, 1, 1, 4, 10));
}

TEST_CASE("The difference of two almost equal forms keeps its accuracy", "[attention][difference]") {
  const LayerFactors a = GENERATE(randomFactors(60, 60, 2, 2, 4, 11), randomFactors(40, 40, 2, 2, 20, 12));
  CHECK(difference(a, a).norm == 0);
  CHECK(difference(a, a).relative == 0);
  CHECK(difference(a, a).cosine == Approx(1));
  LayerFactors b = a;
  b.W_Q *= 1 + 1e-7;
  // The accuracy is limited by the rounding of the factors: epsilon / 1e-7.
  CHECK(difference(a, b).norm == Approx(1e-7 * literal(a).norm()).epsilon(1e-7));
  CHECK(difference(a, b).cosine == Approx(1));
  b.W_Q = -a.W_Q;
  CHECK(difference(a, b).cosine == Approx(-1));
  CHECK(difference(a, b).relative == Approx(2));
}

TEST_CASE("The difference handles zero and non-finite forms", "[attention][difference]") {
  const LayerFactors a = randomFactors(20, 20, 1, 1, 2, 13);
  LayerFactors zero = a;
  zero.W_Q.setZero();
  CHECK(difference(zero, zero).relative == 0);
  CHECK(std::isnan(difference(zero, a).cosine));
  CHECK(difference(zero, a).norm == Approx(literal(a).norm()));
  LayerFactors broken = a;
  broken.W_K(3, 1) = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(difference(a, broken).norm));
}

TEST_CASE("The difference does not depend on threads and can be stopped", "[attention][difference]") {
  sepx::ThreadPool pool(3);
  const LayerFactors a = randomFactors(400, 400, 2, 2, 80, 14), b = randomFactors(400, 400, 2, 2, 80, 15);
  const auto pooled = difference(a, b, &pool, [] { return false; });
  REQUIRE(pooled);
  CHECK(pooled->norm == difference(a, b).norm);
  CHECK(pooled->cosine == difference(a, b).cosine);
  CHECK_FALSE(difference(a, b, &pool, [] { return true; }));
}
