// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/dynamics/integrator.h"

using namespace sepx::dynamics;

namespace {

State oscillator(double, const State& x) {
  return Eigen::Vector2d(x[1], -x[0]);
}
State circle(double t) {
  return Eigen::Vector2d(std::sin(t), std::cos(t));
}

IntegratorOptions fixedSteps(double h, double tEnd) {
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e6;  // every step is accepted
  options.firstStep = options.maxStep = h;
  options.tEnd = tEnd;
  return options;
}

}  // namespace

TEST_CASE("The method has order five and its dense output order four") {
  const auto errors = [](int steps) {
    const Solution solution = integrate(oscillator, 0, circle(0), fixedSteps(2.0 / steps, 2));
    REQUIRE(solution.end == IntegrationEnd::ReachedEnd);
    REQUIRE(solution.statistics.steps == steps);
    double dense = 0;
    for (int i = 0; i < 997; ++i) {
      const double t = 2.0 * i / 997;
      dense = std::max(dense, (solution.at(t) - circle(t)).norm());
    }
    return std::pair((solution.x - circle(2)).norm(), dense);
  };
  const auto coarse = errors(20), fine = errors(40);
  CHECK(std::log2(coarse.first / fine.first) > 4.8);
  CHECK(std::log2(coarse.first / fine.first) < 6.2);
  CHECK(std::log2(coarse.second / fine.second) > 3.8);
}

TEST_CASE("Step control keeps the error near the tolerance, forward and backward") {
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    for (const double tEnd : {20.0, -20.0}) {
      IntegratorOptions options;
      options.relativeTolerance = options.absoluteTolerance = tolerance;
      options.tEnd = tEnd;
      const Solution solution = integrate(oscillator, 0, circle(0), options);
      CHECK(solution.t == tEnd);
      CHECK((solution.x - circle(tEnd)).norm() < 200 * tolerance);
      CHECK(solution.segments.back().t1 == tEnd);
      CHECK((solution.at(0.37 * tEnd) - circle(0.37 * tEnd)).norm() < 400 * tolerance);
    }
  }
}

TEST_CASE("An event is located on the dense output") {
  IntegratorOptions options;
  options.tEnd = 10;
  std::vector<Event> events(1);
  events[0].g = [](double, const State& x) { return x[0]; };  // sin t, which is also zero at the start
  Solution solution = integrate(oscillator, 0, circle(0), options, events);
  CHECK(solution.end == IntegrationEnd::EventHit);
  CHECK(solution.event == 0);
  CHECK(std::abs(solution.t - std::numbers::pi) < 1e-8);
  CHECK(solution.segments.back().t1 == solution.t);
  CHECK(solution.segments.back().x1 == solution.x);

  events[0].direction = 1;
  solution = integrate(oscillator, 0, circle(0), options, events);
  CHECK(std::abs(solution.t - 2 * std::numbers::pi) < 1e-8);

  options.tEnd = -10;
  events[0].direction = 0;
  solution = integrate(oscillator, 0, circle(0), options, events);
  CHECK(std::abs(solution.t + std::numbers::pi) < 1e-8);
}

TEST_CASE("Events that do not stop the integration are listed in order") {
  IntegratorOptions options;
  options.tEnd = 10;
  std::vector<Event> events(2);
  events[0] = {[](double, const State& x) { return x[1]; }, false, 0};
  events[1] = {[](double t, const State&) { return t - 9; }, true, 0};
  const Solution solution = integrate(oscillator, 0, circle(0), options, events);
  REQUIRE(solution.hits.size() == 4);
  for (int i = 0; i < 3; ++i) {
    CHECK(solution.hits[static_cast<std::size_t>(i)].event == 0);
    CHECK(std::abs(solution.hits[static_cast<std::size_t>(i)].t - (i + 0.5) * std::numbers::pi) < 1e-8);
  }
  CHECK(solution.event == 1);
  CHECK(std::abs(solution.t - 9) < 1e-12);
}

TEST_CASE("Every integration ends") {
  IntegratorOptions options;
  options.tEnd = 2;
  const State one = Eigen::Matrix<double, 1, 1>(1.0);
  const auto blowUp = [](double, const State& x) -> State { return x.cwiseProduct(x); };  // 1/(1 - t)
  const Solution blown = integrate(blowUp, 0, one, options);
  CHECK((blown.end == IntegrationEnd::StepTooSmall || blown.end == IntegrationEnd::NotFinite));
  CHECK(std::abs(blown.t - 1) < 1e-3);
  for (const Segment& segment : blown.segments)
    CHECK(segment.x1.allFinite());

  const auto nan = [](double, const State& x) -> State { return x * std::nan(""); };
  CHECK(integrate(nan, 0, one, options).end == IntegrationEnd::NotFinite);

  const auto jump = [](double t, const State&) -> State { return Eigen::Matrix<double, 1, 1>(t < 1 ? 1.0 : -1.0); };
  CHECK(std::abs(integrate(jump, 0, one, options).x[0] - 1) < 1e-6);

  options.maxSteps = 5;
  options.tEnd = 1000;
  CHECK(integrate(oscillator, 0, circle(0), options).end == IntegrationEnd::TooManySteps);

  options.tEnd = 0;
  const Solution nothing = integrate(oscillator, 0, circle(0), options);
  CHECK(nothing.end == IntegrationEnd::ReachedEnd);
  CHECK(nothing.segments.empty());
  CHECK(nothing.at(0) == circle(0));
}
