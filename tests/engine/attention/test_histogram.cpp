// SPDX-License-Identifier: Apache-2.0
// Compares histograms, percentiles and survival curves with sorted lists.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "engine/attention/histogram.h"
#include "engine/attention/survival.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx::attention;

TEST_CASE("Percentiles and bins agree with the sorted entries", "[attention][histogram]") {
  std::mt19937_64 generator(1);
  for (const double scale : {1.0, 1e-12, 1e9}) {
    const Matrix M = scale * gaussian(generator, 100, 200);
    std::vector<double> sorted(M.data(), M.data() + M.size()), moduli;
    for (const double value : sorted)
      moduli.push_back(std::abs(value));
    std::sort(sorted.begin(), sorted.end());
    std::sort(moduli.begin(), moduli.end());
    Histogram histogram;
    histogram.add(std::span<const double>(M.data(), 7000));
    Histogram rest;
    rest.add(std::span<const double>(M.data() + 7000, static_cast<std::size_t>(M.size()) - 7000));
    histogram.add(rest);
    CHECK(histogram.finite() == 20000);
    CHECK(histogram.nonfinite() == 0);
    CHECK(histogram.lowest() == sorted.front());
    CHECK(histogram.highest() == sorted.back());
    CHECK(histogram.largest() == moduli.back());
    for (const double percent : {0.1, 1.0, 5.0, 25.0, 75.0, 95.0, 99.5, 100.0}) {
      const auto place = static_cast<std::size_t>(percent / 100 * 19999);
      CHECK(histogram.percentile(percent) == Approx(sorted[place]).epsilon(0.004).margin(0.004 * scale));
      CHECK(histogram.percentileOfModulus(percent) == Approx(moduli[place]).epsilon(0.004).margin(0.004 * scale));
    }
    CHECK(histogram.percentile(0) == Approx(sorted.front()).epsilon(0.004));
    const std::vector<double> bins = histogram.bins(-2 * scale, 2 * scale, 40);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const double low = (-2 + 0.1 * double(i)) * scale, high = low + 0.1 * scale;
      const auto exact =
          double(std::count_if(sorted.begin(), sorted.end(), [&](double x) { return x >= low && x < high; }));
      CHECK(bins[i] == Approx(exact).margin(20));
    }
    const std::vector<double> all = histogram.bins(sorted.front(), sorted.back(), 33);
    CHECK(std::accumulate(all.begin(), all.end(), 0.0) == Approx(20000));
    CHECK(histogram.shareBelow(0) == Approx(0.5).margin(0.02));
    CHECK(histogram.shareAbove(scale) == Approx(0.1587).margin(0.01));
    CHECK(histogram.shareBelow(2 * sorted.back()) == 1);
    CHECK(histogram.shareBelow(2 * sorted.front()) == 0);
  }
}

TEST_CASE("A histogram handles no values, non-finite values, equal values and extreme values",
          "[attention][histogram]") {
  Histogram histogram;
  CHECK(std::isnan(histogram.percentile(50)));
  CHECK(std::isnan(histogram.lowest()));
  CHECK(histogram.bins(-1, 1, 3) == std::vector<double>(3, 0));
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> odd = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
  histogram.add(odd);
  CHECK(histogram.nonfinite() == 3);
  CHECK(histogram.finite() == 0);
  histogram.add(std::vector<float>(10, 0.5F));
  CHECK(histogram.percentile(50) == 0.5);
  CHECK(histogram.percentileOfModulus(99.5) == 0.5);
  CHECK(histogram.bins(0, 1, 4) == std::vector<double>{0, 0, 10, 0});
  CHECK(histogram.bins(1, 0, 4) == std::vector<double>(4, 0));
  Histogram extreme;
  extreme.add(std::vector<double>{1e300, -1e300, 0, 1e-320});
  CHECK(extreme.highest() == 1e300);
  CHECK(extreme.percentile(100) == Approx(1e300));
  // The outermost bin ends at the extreme entry and is split in proportion: 0.9 of its one entry lies beyond 1e299.
  CHECK(extreme.shareBelow(-1e299) == Approx(0.25 * 0.9));
  CHECK(extreme.shareAbove(1e299) == Approx(0.25 * 0.9));
}

TEST_CASE("The histogram of W_qk computed from its factors agrees with its entries", "[attention][histogram]") {
  const LayerFactors factors = randomFactors(150, 150, 4, 2, 5, 3);
  const Matrix M = literal(factors), S = (M + M.transpose()) / 2, N = (M - M.transpose()) / 2;
  for (const auto& [part, expected] :
       {std::pair<Part, const Matrix*>{Part::Full, &M}, {Part::Symmetric, &S}, {Part::Skew, &N}}) {
    const auto histogram = histogramOf(factors, part);
    REQUIRE(histogram);
    CHECK(histogram->sampled == 1);
    CHECK(histogram->finite() == 22500);
    CHECK(histogram->highest() == Approx(expected->maxCoeff()).epsilon(1e-12));
    CHECK(histogram->lowest() == Approx(expected->minCoeff()).epsilon(1e-12));
  }
  const auto sample = histogramOf(factors, Part::Full, 2500);
  REQUIRE(sample);
  CHECK(sample->finite() == 2500);
  CHECK(sample->sampled == Approx(1.0 / 9));
  CHECK(sample->percentileOfModulus(50) ==
        Approx(histogramOf(factors, Part::Full)->percentileOfModulus(50)).epsilon(0.2));
  CHECK_FALSE(histogramOf(factors, Part::Full, 22500, nullptr, [] { return true; }));
}

TEST_CASE("A survival curve gives the share of values above each norm", "[attention][survival]") {
  Eigen::VectorXd norms(6);
  norms << 3, 1, 2, 2, std::numeric_limits<double>::quiet_NaN(), 5;
  const Survival survival = survivalOf(norms);
  CHECK(survival.count == 5);
  CHECK(survival.norm == std::vector<double>{1, 2, 3, 5});
  CHECK(survival.share == std::vector<double>{0.8, 0.4, 0.2, 0});
  CHECK(survival.at(0) == 1);
  CHECK(survival.at(1) == 0.8);
  CHECK(survival.at(1.5) == 0.8);
  CHECK(survival.at(2) == 0.4);
  CHECK(survival.at(4.9) == 0.2);
  CHECK(survival.at(5) == 0);
  CHECK(survival.at(9) == 0);
  const auto corners = staircase(survival);
  CHECK(corners.front() == std::pair{0.0, 1.0});
  CHECK(corners[1] == std::pair{1.0, 1.0});
  CHECK(corners[2] == std::pair{1.0, 0.8});
  CHECK(corners.back() == std::pair{5.0, 0.0});
  CHECK(survivalOf(Eigen::VectorXd()).at(1) == 0);
}

TEST_CASE("A thinned staircase stays close to the survival curve and keeps its tail", "[attention][survival]") {
  std::mt19937_64 generator(5);
  const Eigen::VectorXd norms = gaussian(generator, 5000, 1).cwiseAbs().col(0);
  const Survival survival = survivalOf(norms);
  const auto corners = staircase(survival, 200);
  CHECK(corners.size() <= 500);
  for (std::size_t i = 1; i < corners.size(); ++i) {
    CHECK(corners[i].first >= corners[i - 1].first);
    CHECK(corners[i].second <= corners[i - 1].second);
    CHECK(std::abs(corners[i].second - survival.at(corners[i].first)) <= 0.011);
  }
  CHECK(corners[corners.size() - 3].first == survival.norm[4998]);
}
