// SPDX-License-Identifier: Apache-2.0
// Compares the bands with matrices drawn by another generator: the share inside a band is its level, up to the sampling
// error of 1,000 draws.
#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/attention/random_band.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx::attention;

namespace {

constexpr int kMatrices = 1000;
/// The binomial deviation at 95 % is 6.9. The band, which is itself sampled, adds 3.4. Hence 25 is more than three
/// deviations.
constexpr int kSpread = 25;

Moments randomForm(std::mt19937_64& generator, int n, int rank) {
  if (rank == 0) return momentsOf(gaussian(generator, n, n));
  LayerFactors factors{1, rank, gaussian(generator, n, rank), gaussian(generator, n, rank), {0}};
  return *momentsOf(factors);
}

struct Shape {
  int n, rank;
};

/// The number of forms, out of 1,000, that lie in each band.
struct Tally {
  int symmetric = 0, directional = 0;
  int atEdge = 0;  ///< d exactly at the end of the band, where its distribution has an atom
};

void count(Tally& tally, const RandomBands& bands, const Scores& scores) {
  tally.symmetric += bands.symmetry.holds(scores.symmetry);
  tally.directional += bands.directionality.holds(scores.directionality);
  tally.atEdge += std::abs(scores.directionality) == bands.directionality.high;
}

void checkShares(const Tally& tally, const RandomBands& bands) {
  CAPTURE(tally.symmetric, tally.directional, tally.atEdge, bands.symmetry.low, bands.symmetry.high,
          bands.directionality.high);
  CHECK(bands.samples == kBandSamples);
  CHECK(std::abs(tally.symmetric - 950) <= kSpread);
  CHECK(tally.directional >= 950 - kSpread);
  CHECK(tally.directional - tally.atEdge <= 950 + kSpread);  // an atom at the end lies inside as a whole
  CHECK(bands.directionality.low == -bands.directionality.high);
}

}  // namespace

TEST_CASE("The share of 1,000 random matrices inside the band equals its level", "[attention][band]") {
  const Shape shape =
      GENERATE(Shape{8, 0}, Shape{24, 4}, Shape{32, 0}, Shape{48, 48}, Shape{64, 1}, Shape{64, 2}, Shape{64, 16},
               Shape{64, 64}, Shape{96, 0}, Shape{128, 32}, Shape{128, 128}, Shape{256, 8}, Shape{256, 64});
  CAPTURE(shape.n, shape.rank);
  const ScoreOptions excess{2, Directionality::Excess, 1}, sum{2, Directionality::Sum, 0},
      near{1, Directionality::Sum, 1};
  const RandomBands ofExcess = randomBands(shape.n, shape.rank, excess), ofSum = randomBands(shape.n, shape.rank, sum),
                    ofNear = randomBands(shape.n, shape.rank, near);
  std::mt19937_64 generator(static_cast<unsigned>(shape.n * 1000 + shape.rank));
  Tally inExcess, inSum, inNear;
  double total = 0, squares = 0;
  for (int i = 0; i < kMatrices; ++i) {
    const Moments moments = randomForm(generator, shape.n, shape.rank);
    count(inExcess, ofExcess, scoresOf(moments, excess));
    count(inSum, ofSum, scoresOf(moments, sum));
    count(inNear, ofNear, scoresOf(moments, near));
    total += symmetry(moments);
    squares += symmetry(moments) * symmetry(moments);
  }
  checkShares(inExcess, ofExcess);
  checkShares(inSum, ofSum);
  checkShares(inNear, ofNear);
  const double mean = total / kMatrices, deviation = std::sqrt(squares / kMatrices - mean * mean);
  const Band& band = ofExcess.symmetry;
  CHECK(band.mean == 1.0 / shape.n);
  CHECK(mean == Approx(band.mean).margin(4 * band.deviation / std::sqrt(double(kMatrices))));
  // At low ranks the distribution has a long tail that is rarely sampled.
  CHECK(deviation == Approx(band.deviation).epsilon(shape.rank > 0 && shape.rank < 4 ? 0.3 : 0.1));
}

TEST_CASE("A band is the same on every call and on any thread, and has the requested level", "[attention][band]") {
  const ScoreOptions options{2.125, Directionality::Excess, 1};
  RandomBands first, second;
  std::thread one([&] { first = randomBands(100, 8, options); });
  std::thread two([&] { second = randomBands(100, 8, options); });
  one.join();
  two.join();
  CHECK(first.directionality.high == second.directionality.high);
  CHECK(first.symmetry.low == second.symmetry.low);
  CHECK(randomBands(100, 8, options).symmetry.high == first.symmetry.high);
  const RandomBands half = randomBands(100, 8, options, 0.5);
  CHECK(half.level == 0.5);
  CHECK(half.symmetry.high < first.symmetry.high);
  CHECK(half.directionality.high < first.directionality.high);
}

TEST_CASE("For large matrices the band of s has a closed form and that of d falls as one over the square root of n",
          "[attention][band]") {
  for (const int n : {8, 64, 4096})
    CHECK(symmetryDeviation(n, 0) ==
          Approx(std::sqrt(2.0 * (double(n) * n - 1) / (double(n) * n * (double(n) * n + 2)))).epsilon(1e-3));
  // Rank 1: s = cos^2 of the angle between two random directions.
  for (const int n : {2, 16, 1000})
    CHECK(symmetryDeviation(n, 1) == Approx(std::sqrt(2.0 * (n - 1) / (double(n) * n * (n + 2)))).epsilon(1e-9));
  CHECK(symmetryDeviation(4096, 128) == Approx(std::sqrt(2.0) / 4096).epsilon(0.002));
  const RandomBands small = randomBands(1024, 64, {}), large = randomBands(4096, 64, {});
  CHECK(large.directionality.high == Approx(small.directionality.high / 2).epsilon(0.08));
  CHECK(large.symmetry.high - large.symmetry.mean ==
        Approx((small.symmetry.high - small.symmetry.mean) / 4).epsilon(0.01));
}

TEST_CASE("A band is empty for invalid arguments and degenerate for a 1 x 1 matrix", "[attention][band]") {
  CHECK(randomBands(0, 0, {}).samples == 0);
  CHECK(randomBands(10, 2, {std::nan(""), Directionality::Excess, 1}).samples == 0);
  CHECK(randomBands(10, 2, {}, 1.5).samples == 0);
  const RandomBands one = randomBands(1, 1, {2, Directionality::Excess, 1});
  CHECK(one.symmetry.low == 1);
  CHECK(one.symmetry.high == 1);
  CHECK(one.directionality.holds(0));
}
