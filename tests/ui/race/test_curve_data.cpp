// SPDX-License-Identifier: Apache-2.0
// Transformations of series before they are drawn: smoothing, envelopes and quartiles.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "ui/race/curve_data.h"

using namespace sepx::ui;

TEST_CASE("curves: a smoothed constant is the same constant, from the first value on", "[training]") {
  const std::vector<double> steps{1, 2, 3, 10, 11, 400};
  for (const double value : smoothed(steps, std::vector<double>(6, 0.7), 50))
    CHECK(value == Approx(0.7));
  CHECK(smoothed(steps, {1, 2, 3, 4, 5, 6}, 0) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("curves: smoothing keeps a straight line and ignores NaN", "[training]") {
  std::vector<double> steps, values;
  for (int i = 0; i < 201; ++i) {
    steps.push_back(5 * i);
    values.push_back(i % 7 == 3 ? std::numeric_limits<double>::quiet_NaN() : 3 - 0.01 * i);
  }
  const auto made = smoothed(steps, values, 60);
  REQUIRE(made.size() == 201);
  for (std::size_t i = 0; i < made.size(); ++i)
    CHECK(made[i] == Approx(3 - 0.01 * static_cast<double>(i)).margin(1e-9));
  CHECK(std::isnan(smoothed({1, 2}, std::vector<double>(2, std::nan("")), 5)[1]));
}

TEST_CASE("curves: smoothing does not lag behind a loss that falls at the start", "[training]") {
  // The mean of the previous values is off by up to 0.7 here.
  std::vector<double> steps, values;
  const auto loss = [](double step) { return 1 + 2.5 * std::exp(-step / 30); };
  for (int step = 1; step <= 600; ++step) {
    steps.push_back(step);
    values.push_back(loss(step) + (step % 2 == 0 ? 0.1 : -0.1));
  }
  const auto made = smoothed(steps, values, 20);
  for (std::size_t i = 0; i < made.size(); ++i) {
    INFO("step " << steps[i]);
    CHECK(std::abs(made[i] - loss(steps[i])) < (i < 8 ? 0.12 : 0.05));
  }
  for (std::size_t i = 400; i + 40 < made.size(); ++i)  // the later values are smooth
    CHECK(std::abs(made[i] - loss(steps[i])) < 0.01);
}

TEST_CASE("curves: smoothed values near a peak stay within the range of the values", "[training]") {
  std::vector<double> steps, values(300, 1.0);
  for (int step = 1; step <= 300; ++step)
    steps.push_back(step);
  values[250] = 1e4;
  for (const double value : smoothed(steps, values, 20))
    CHECK((value >= 1 && value <= 1e4));
}

TEST_CASE("curves: a long series keeps its extremes", "[training]") {
  std::vector<double> steps, values;
  for (int i = 0; i < 100000; ++i) {
    steps.push_back(i + 1);
    values.push_back(i == 70001 ? 50 : std::sin(i * 0.1));
  }
  const Envelope made = envelopeOf(steps, values, 1000);
  CHECK(made.steps.size() <= 2000);
  REQUIRE(made.high.size() == made.steps.size());
  CHECK(*std::max_element(made.high.begin(), made.high.end()) == 50);
  CHECK(*std::min_element(made.low.begin(), made.low.end()) == Approx(-1).margin(1e-3));
  CHECK(made.steps.back() == 100000);
  const Envelope few = envelopeOf({1, 2}, {3, 4}, 1000);
  CHECK(few.mean == std::vector<double>{3, 4});
  CHECK(few.low.empty());
}

TEST_CASE("curves: median and quartiles are computed over layers", "[training]") {
  RunSeries a{"symmetry", 0, -1, {5, 10}, {0.1, 0.5}}, b{"symmetry", 1, -1, {5, 10}, {0.3, 0.1}},
      c{"symmetry", 2, -1, {10}, {0.9}};
  const QuartileSeries made = spreadOf({&a, &b, &c});
  REQUIRE(made.steps == std::vector<double>{5, 10});
  CHECK(made.median[0] == Approx(0.2));
  CHECK(made.median[1] == Approx(0.5));
  CHECK(made.q1[1] == Approx(0.3));
  CHECK(made.q3[1] == Approx(0.7));
}
