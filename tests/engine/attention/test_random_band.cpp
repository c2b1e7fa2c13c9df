// SPDX-License-Identifier: Apache-2.0
// The bands against matrices drawn by another generator: the share inside is the level, within what 1,000 draws tell.
#include <algorithm>
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "engine/attention/random_band.h"

using namespace sepx::attention;

namespace {

constexpr int kMatrices = 1000;
/// Binomial deviation at 95 % is 6.9; the band, itself sampled, adds 3.4: 25 is beyond three deviations.
constexpr int kSpread = 25;

Matrix gaussian(std::mt19937_64& generator, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped())
    entry = normal(generator);
  return matrix;
}

Moments randomForm(std::mt19937_64& generator, int n, int rank) {
  if (rank == 0) return momentsOf(gaussian(generator, n, n));
  LayerFactors factors{1, rank, gaussian(generator, n, rank), gaussian(generator, n, rank), {0}};
  return *momentsOf(factors);
}

struct Shape {
  int n, rank;
};

}  // namespace

TEST_CASE("1,000 random matrices fall into the band as often as it says", "[attention][band]") {
  const Shape shape =
      GENERATE(Shape{8, 0}, Shape{24, 4}, Shape{32, 0}, Shape{48, 48}, Shape{64, 1}, Shape{64, 2}, Shape{64, 16},
               Shape{64, 64}, Shape{96, 0}, Shape{128, 32}, Shape{128, 128}, Shape{256, 8}, Shape{256, 64});
  const Directionality variant = GENERATE(Directionality::Excess, Directionality::Sum);
  const ScoreOptions options{2, variant, ScoreOptions::usualDdof(variant)};
  const RandomBands bands = randomBands(shape.n, shape.rank, options);
  REQUIRE(bands.samples == kBandSamples);
  std::mt19937_64 generator(static_cast<unsigned>(shape.n * 1000 + shape.rank));
  int symmetric = 0, directional = 0, atEdge = 0;
  double sum = 0, squares = 0;
  for (int i = 0; i < kMatrices; ++i) {
    const Scores scores = scoresOf(randomForm(generator, shape.n, shape.rank), options);
    symmetric += bands.symmetry.holds(scores.symmetry);
    directional += bands.directionality.holds(scores.directionality);
    atEdge += std::abs(scores.directionality) == bands.directionality.high;
    sum += scores.symmetry;
    squares += scores.symmetry * scores.symmetry;
  }
  CAPTURE(shape.n, shape.rank, int(variant), symmetric, directional, atEdge, bands.symmetry.low, bands.symmetry.high,
          bands.directionality.high);
  CHECK(std::abs(symmetric - 950) <= kSpread);
  CHECK(directional >= 950 - kSpread);
  CHECK(directional - atEdge <= 950 + kSpread);  // an atom at the edge is inside as a whole
  if (atEdge == 0) CHECK(directional <= 950 + kSpread);
  const double mean = sum / kMatrices, deviation = std::sqrt(squares / kMatrices - mean * mean);
  CHECK(mean == Approx(1.0 / shape.n).margin(4 * bands.symmetry.deviation / std::sqrt(double(kMatrices))));
  CHECK(deviation == Approx(bands.symmetry.deviation).epsilon(shape.rank > 0 && shape.rank < 4 ? 0.3 : 0.1));
}
