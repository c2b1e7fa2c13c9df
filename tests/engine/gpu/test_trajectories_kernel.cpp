// SPDX-License-Identifier: Apache-2.0
// Compares shaders/compute/trajectories.comp with its CPU reference dynamics::integrateTrajectories, element by
// element. An orbit that starts next to a separatrix may go to the other side in single precision, so a small share of
// different orbits is allowed.
#include "engine/core/random.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "tests/engine/gpu/gpu_test.h"
#include "tests/engine/gpu/kernel_checks.h"

namespace sepx::gpu {

namespace {

using dynamics::State;
using dynamics::TrajectoryOptions;

std::vector<State> randomStarts(const dynamics::VectorField& field, int count) {
  RandomStream random(11);
  const auto& info = field.info();
  std::vector<State> starts;
  for (int i = 0; i < count; ++i)
    starts.push_back(Eigen::Vector2d(random.uniform(info.windowMin[0], info.windowMax[0]),
                                     random.uniform(info.windowMin[1], info.windowMax[1])));
  return starts;
}

dynamics::TrajectoryBatch runOnDevice(Context& context, const dynamics::VectorField& field,
                                      const std::vector<double>& parameters, const std::vector<State>& starts,
                                      const TrajectoryOptions& options) {
  auto kernel = TrajectoriesKernel::create(context, field);
  if (!kernel) FAIL(kernel.error().message);
  auto batch = (*kernel)->run(parameters, starts, options);
  if (!batch) FAIL(batch.error().message);
  return *batch;
}

/// The end point of an orbit is known only to one step of the integrator.
double toleranceOf(const TrajectoryOptions& options) {
  return 2e-3 + 2 * options.length / ((options.samples - 1) * options.substeps);
}

}  // namespace

TEST_CASE("The trajectory kernel of every registered field agrees with the CPU reference", "[fields]") {
  forEveryPlaneField("trajectories", [](Context& context, const dynamics::VectorField& field, ThreadPool& pool) {
    const auto starts = randomStarts(field, 500);
    for (const bool backward : {false, true}) {
      const TrajectoryOptions options{.samples = 48, .length = 3, .substeps = 10, .backward = backward};
      const auto twin = dynamics::integrateTrajectories(field, fallbacks(field), starts, options, pool);
      const auto batch = runOnDevice(context, field, fallbacks(field), starts, options);
      REQUIRE(batch.states.size() == twin.states.size());
      CAPTURE(backward);
      CHECK(strayShare(batch, twin, toleranceOf(options)) <= 0.01);
    }
  });
}

TEST_CASE("Batches of one orbit, of a non-multiple of the workgroup size and of many orbits are correct") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  ThreadPool pool;
  for (const auto& parameters : {std::vector{0.5, 0.8}, std::vector{0.2, 0.3}})
    for (const int count : {0, 1, 65, 3000}) {
      CAPTURE(count, parameters[0]);
      const auto starts = randomStarts(field, count);
      const TrajectoryOptions options{.samples = 33, .length = 2, .substeps = 8, .backward = false};
      const auto twin = dynamics::integrateTrajectories(field, parameters, starts, options, pool);
      const auto batch = runOnDevice(*context, field, parameters, starts, options);
      CHECK(batch.points == count);
      REQUIRE(batch.states.size() == twin.states.size());
      CHECK(strayShare(batch, twin, toleranceOf(options)) <= 0.01);
      for (int i = 0; i < count; ++i)  // the first sample is the initial point
        REQUIRE(batch.states[static_cast<std::size_t>(i) * 66] ==
                static_cast<float>(starts[static_cast<std::size_t>(i)][0]));
    }
  requireClean(*context);
}

TEST_CASE("More orbits than fit into one dispatch are computed") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("duffing");
  ThreadPool pool;
  const auto starts = randomStarts(field, 300);
  const TrajectoryOptions options{
      .samples = 10000, .length = 5, .substeps = 1, .backward = false};  // more than 2^21 states
  const auto twin = dynamics::integrateTrajectories(field, std::vector{0.2}, starts, options, pool);
  CHECK(strayShare(runOnDevice(*context, field, {0.2}, starts, options), twin, toleranceOf(options)) <= 0.01);
  requireClean(*context);
}

TEST_CASE("Orbits of fixed points and of non-finite numbers stay at their initial point") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("duffing");
  const std::vector<State> starts{Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 0), Eigen::Vector2d(1e30, 1e30),
                                  Eigen::Vector2d(std::nan(""), 0)};
  const TrajectoryOptions options{.samples = 4, .length = 1, .substeps = 4, .backward = false};
  const auto batch = runOnDevice(*context, field, {0.2}, starts, options);
  for (std::size_t i = 0; i < starts.size(); ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      const float value = batch.states[8 * i + j],
                  start = static_cast<float>(starts[i][static_cast<Eigen::Index>(j % 2)]);
      CAPTURE(i, j, value, start);
      CHECK((value == start || (std::isnan(value) && std::isnan(start))));
    }
  const auto kernel = TrajectoriesKernel::create(*context, field);
  REQUIRE(kernel);
  CHECK((*kernel)
            ->run(std::vector{0.2}, starts, {.samples = 0, .length = 1, .substeps = 1, .backward = false})
            .error()
            .kind == ErrorKind::Usage);
  requireClean(*context);
}

TEST_CASE("Trajectory kernels are refused for other dimensions and after device loss") {
  const auto context = makeContext();
  const auto registry = allFields();
  CHECK(TrajectoriesKernel::create(*context, *registry.find("ewab")).error().kind == ErrorKind::Usage);
  auto kernel = TrajectoriesKernel::create(*context, *registry.find("ew"));
  REQUIRE(kernel);
  context->markLost();
  CHECK((*kernel)->run(std::vector{0.5, 0.8}, {Eigen::Vector2d(1, 1)}, {}).error().kind == ErrorKind::NoDevice);
  requireClean(*context);
}

}  // namespace sepx::gpu
