// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/dynamics/integrator.h"
#include "engine/dynamics/trajectories.h"

using namespace sepx::dynamics;
using sepx::ThreadPool;

namespace {

const VectorField& duffing() {
  static const FieldRegistry registry = textbookFields();
  return *registry.find("duffing");
}
const std::vector<double> kDamping{0.2};

State sampleOf(const TrajectoryBatch& batch, int point, int sample) {
  State x(batch.dimension);
  for (int i = 0; i < batch.dimension; ++i)
    x[i] = batch.states[static_cast<std::size_t>((point * batch.samples + sample) * batch.dimension + i)];
  return x;
}

std::vector<State> starts() {
  return {Eigen::Vector2d(1.5, 0.3), Eigen::Vector2d(-0.2, 1.0), Eigen::Vector2d(0.7, -1.2)};
}

}  // namespace

TEST_CASE("Samples lie on the orbit at equal arc lengths") {
  ThreadPool pool(2);
  TrajectoryOptions options;
  options.samples = 33;
  const TrajectoryBatch batch = integrateTrajectories(duffing(), kDamping, starts(), options, pool);
  REQUIRE(batch.points == 3);
  REQUIRE(batch.samples == 33);
  REQUIRE(batch.states.size() == 3 * 33 * 2);
  const auto byArc = [](double, const State& x) -> State {
    const State f = duffing().evaluate(x, kDamping);
    return f / f.norm();
  };
  for (int point = 0; point < 3; ++point) {
    const State start = starts()[static_cast<std::size_t>(point)];
    CHECK((sampleOf(batch, point, 0) - start).norm() < 1e-7);
    IntegratorOptions integration;
    integration.tEnd = options.length;
    const Solution solution = integrate(byArc, 0, start, integration);
    for (int sample = 0; sample < options.samples; ++sample) {
      const State reference = solution.at(options.length * sample / (options.samples - 1));
      CHECK((sampleOf(batch, point, sample) - reference).norm() < 1e-5);
    }
  }
}

TEST_CASE("Backward integration returns to the initial points") {
  ThreadPool pool(1);
  TrajectoryOptions options;
  options.samples = 17;
  options.length = 2;
  const TrajectoryBatch forward = integrateTrajectories(duffing(), kDamping, starts(), options, pool);
  options.backward = true;
  std::vector<State> ends;
  for (int point = 0; point < 3; ++point)
    ends.push_back(sampleOf(forward, point, 16));
  const TrajectoryBatch back = integrateTrajectories(duffing(), kDamping, ends, options, pool);
  for (int point = 0; point < 3; ++point)
    CHECK((sampleOf(back, point, 16) - starts()[static_cast<std::size_t>(point)]).norm() < 1e-4);
}

TEST_CASE("Batches do not depend on threads, and one sample, a fixed point and no start are handled") {
  ThreadPool one(1), three(3);
  TrajectoryOptions options;
  const std::vector<State> many(100, starts()[0]);
  CHECK(integrateTrajectories(duffing(), kDamping, many, options, one).states ==
        integrateTrajectories(duffing(), kDamping, many, options, three).states);
  options.samples = 1;
  CHECK(integrateTrajectories(duffing(), kDamping, starts(), options, one).states.size() == 6);
  const TrajectoryBatch fixed =
      integrateTrajectories(duffing(), kDamping, {Eigen::Vector2d(0, 0)}, TrajectoryOptions{}, one);
  for (const float x : fixed.states)
    CHECK(x == 0);
  CHECK(integrateTrajectories(duffing(), kDamping, {}, options, one).states.empty());
}
