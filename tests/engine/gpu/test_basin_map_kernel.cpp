// SPDX-License-Identifier: Apache-2.0
// Compares shaders/compute/basin_map.comp with its CPU reference dynamics::integrateBasinMap and, for the canonical
// model, with the closed form. The test over the registry covers every field with a shader, including future fields.
#include <thread>

#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/basin.h"
#include "tests/engine/gpu/gpu_test.h"
#include "tests/engine/gpu/kernel_checks.h"

namespace sepx::gpu {

namespace {

using dynamics::BasinMap;
using dynamics::BasinWindow;
using dynamics::LimitKind;

/// The share of pixels off the boundaries that may differ. Single precision shifts a separatrix by less than a pixel.
constexpr double kLimit = 1e-3;

BasinMap mapOnDevice(Context& context, const dynamics::VectorField& field, const std::vector<double>& parameters,
                     const BasinWindow& window) {
  auto kernel = BasinMapKernel::create(context, field);
  if (!kernel) FAIL(kernel.error().message);
  (*kernel)->start(parameters, window, dynamics::basinMapOptions(window));
  const auto finished = (*kernel)->finish();
  if (!finished) FAIL(finished.error().message);
  CHECK((*kernel)->progress() == 1.0);
  return (*kernel)->map();
}

bool only(const BasinMap& map, LimitKind kind) {
  return std::all_of(map.labels.begin(), map.labels.end(),
                     [&](std::uint8_t label) { return label == static_cast<std::uint8_t>(kind); });
}

}  // namespace

TEST_CASE("The basin kernel of every registered field agrees with the CPU reference", "[fields]") {
  forEveryPlaneField("basin_map", [](Context& context, const dynamics::VectorField& field, ThreadPool& pool) {
    const auto window = windowOf(field, 90, 70);
    const auto parameters = fallbacks(field);
    const BasinMap twin = dynamics::integrateBasinMap(field, parameters, window, {}, pool);
    const auto compared = compareLabels(mapOnDevice(context, field, parameters, window), twin);
    CAPTURE(compared.inside, compared.different);
    CHECK(compared.inside > twin.labels.size() / 2);
    CHECK(compared.share() <= kLimit);
  });
}

TEST_CASE("Basin maps of any size agree with the theorems") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  ThreadPool pool;
  const std::vector<double> parameters{0.5, 0.8};
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 3}, {1, 200}, {65, 67}, {512, 384}}) {
    CAPTURE(width, height);
    const auto window = windowOf(field, width, height);
    const BasinMap twin = markov::exactBasinMap({0.5, 0.8}, window, pool);
    const BasinMap map = mapOnDevice(*context, field, parameters, window);
    REQUIRE(map.labels.size() == twin.labels.size());
    CHECK(compareLabels(map, twin).share() <= kLimit);
    CHECK(dynamics::disagreement(map, twin) < 0.05);
  }
  requireClean(*context);
}

TEST_CASE("The canonical kernel agrees with the theorems on both sides of p + q = 1") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  ThreadPool pool;
  for (const auto& [p, q] : {std::pair{0.5, 0.8},
                             {0.2, 0.3},
                             {0.8, 0.5},
                             {0.9, 0.05},
                             {0.7, 0.7},
                             {0.999, 0.998},
                             {0.01, 0.02},
                             {0.5001, 0.5}}) {
    CAPTURE(p, q);
    const auto window = windowOf(field, 120, 90);
    const BasinMap exact = markov::exactBasinMap({p, q}, window, pool);
    const auto compared = compareLabels(mapOnDevice(*context, field, {p, q}, window), exact);
    CAPTURE(compared.different);
    CHECK(compared.share() <= kLimit);
  }
  requireClean(*context);
}

TEST_CASE("The canonical kernel agrees with the theorems in large windows and thin strips") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  ThreadPool pool;
  for (const double reach : {5.0, 10.0, 100.0, 1000.0})
    for (const auto& [p, q] : {std::pair{0.5, 0.8}, {0.2, 0.3}, {0.9, 0.8}}) {
      CAPTURE(reach, p, q);
      const BasinWindow window{-reach, reach, -reach, reach, 64, 48};
      const BasinMap exact = markov::exactBasinMap({p, q}, window, pool);
      const BasinMap map = mapOnDevice(*context, field, {p, q}, window);
      const auto compared = compareLabels(map, exact);
      CAPTURE(compared.different);
      CHECK(compared.inside > exact.labels.size() / 2);
      CHECK(compared.different == 0);
      CHECK(dynamics::disagreement(map, exact) < 0.02);
    }
  const BasinWindow strip{-8, 8, -1e-5, 1e-5, 64, 40};
  CHECK(dynamics::disagreement(mapOnDevice(*context, field, {0.5, 0.8}, strip),
                               markov::exactBasinMap({0.5, 0.8}, strip, pool)) < 0.002);
  requireClean(*context);
}

TEST_CASE("The kernel is correct at axes, saddle and separatrix, far away, and for p + q = 1") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  ThreadPool pool;
  const double saddle = -std::sqrt(0.5);
  const markov::Chain chain{0.5, 0.8};
  // The column e = 0 itself: maxima and minima on the axis, exactly as in the theorems.
  const BasinWindow axis{-1, 1, -2, 2, 1, 401};
  CHECK(compareLabels(mapOnDevice(*context, field, {0.5, 0.8}, axis), markov::exactBasinMap(chain, axis, pool))
            .different == 0);
  // A close-up of the saddle with both branches of the separatrix and the axis.
  const BasinWindow close{-0.05, 0.05, saddle - 0.05, saddle + 0.05, 101, 101};
  CHECK(compareLabels(mapOnDevice(*context, field, {0.5, 0.8}, close), markov::exactBasinMap(chain, close, pool))
            .share() <= 0.01);
  // Beyond the length to which an orbit is followed the kernel ends, and never gives another basin.
  const BasinWindow far{-1e6, 1e6, -1e6, 1e6, 16, 16};
  const BasinMap map = mapOnDevice(*context, field, {0.5, 0.8}, far), exact = markov::exactBasinMap(chain, far, pool);
  for (std::size_t i = 0; i < map.labels.size(); ++i)
    CHECK((map.labels[i] == 0 || map.labels[i] == exact.labels[i]));
  const auto window = windowOf(field, 20, 20);
  for (const double p : {0.5, 0.2, 0.3, 0.9, 1e-3})
    CHECK(only(mapOnDevice(*context, field, {p, 1 - p}, window), LimitKind::Undecided));
  requireClean(*context);
}

TEST_CASE("Non-finite and extreme numbers give undecided pixels") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("duffing");
  const double nan = std::nan("");
  CHECK(only(mapOnDevice(*context, field, {nan}, windowOf(field, 9, 9)), LimitKind::Undecided));
  CHECK(only(mapOnDevice(*context, field, {0.2}, {nan, 1, -1, 1, 9, 9}), LimitKind::Undecided));
  CHECK(only(mapOnDevice(*context, field, {0.2}, {-1e38, 1e38, -1e38, 1e38, 8, 8}), LimitKind::Undecided));
  requireClean(*context);
}

TEST_CASE("A repeated map is the same for any division into tiles") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("duffing");
  const auto window = windowOf(field, 150, 130);
  const BasinMap whole = mapOnDevice(*context, field, {0.2}, window);
  auto kernel = BasinMapKernel::create(*context, field);
  REQUIRE(kernel);
  (*kernel)->start(std::vector{0.2}, window, {});
  double progress = 0;
  int frames = 0;
  while ((*kernel)->advance(0.5) == KernelState::Working) {
    CHECK((*kernel)->progress() >= progress);
    progress = (*kernel)->progress();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(++frames < 20000);
  }
  CHECK((*kernel)->progress() == 1.0);
  CHECK((*kernel)->map().labels == whole.labels);
  requireClean(*context);
}

TEST_CASE("After the coarsest level every pixel has the label of its neighbourhood") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  auto kernel = BasinMapKernel::create(*context, field);
  REQUIRE(kernel);
  (*kernel)->start(std::vector{0.5, 0.8}, {0.1, 2, 0.1, 2, 128, 128}, {});  // inside a single basin
  CHECK(only((*kernel)->map(), LimitKind::Undecided));
  while ((*kernel)->progress() == 0.0)
    (*kernel)->advance(1e-6);
  CHECK((*kernel)->progress() < 0.5);
  CHECK(only((*kernel)->map(), LimitKind::LocalMin));
  requireClean(*context);
}

TEST_CASE("A new start cancels the old map, and the latest wins") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  const auto window = windowOf(field, 200, 150);
  const BasinMap wanted = mapOnDevice(*context, field, {0.2, 0.3}, window);
  auto kernel = BasinMapKernel::create(*context, field);
  REQUIRE(kernel);
  for (int i = 0; i < 20; ++i) {
    (*kernel)->start(std::vector{0.3 + 0.02 * i, 0.8}, windowOf(field, 150 + i, 120), {});
    (*kernel)->advance(2);
  }
  (*kernel)->start(std::vector{0.2, 0.3}, window, {});
  REQUIRE((*kernel)->finish());
  CHECK((*kernel)->map().window == window);
  CHECK((*kernel)->map().labels == wanted.labels);
  (*kernel)->start(std::vector{0.5, 0.8}, window, {});
  (*kernel)->advance(2);
  (*kernel)->cancel();
  context->waitIdle();
  CHECK((*kernel)->advance(2) == KernelState::Done);
  CHECK((*kernel)->progress() < 1.0);
  requireClean(*context);
}

TEST_CASE("Fields without a basin kernel are refused with a message") {
  const auto context = makeContext();
  const auto registry = allFields();
  for (const char* key : {"ewa", "ewb", "ewab"}) {
    const auto kernel = BasinMapKernel::create(*context, *registry.find(key));
    REQUIRE_FALSE(kernel);
    CHECK(kernel.error().kind == ErrorKind::Usage);
    CHECK(kernel.error().message.find(key) != std::string::npos);
  }
  requireClean(*context);
}

TEST_CASE("A lost device ends a map with a message") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  auto kernel = BasinMapKernel::create(*context, field);
  REQUIRE(kernel);
  (*kernel)->start(std::vector{0.5, 0.8}, windowOf(field, 300, 300), {});
  (*kernel)->advance(1);
  context->markLost();
  CHECK((*kernel)->advance(1) == KernelState::Lost);
  (*kernel)->start(std::vector{0.5, 0.8}, windowOf(field, 300, 300), {});  // nothing is submitted
  CHECK((*kernel)->advance(1) == KernelState::Lost);
  CHECK((*kernel)->progress() < 1);
  const auto finished = (*kernel)->finish();
  REQUIRE_FALSE(finished);
  CHECK(finished.error().kind == ErrorKind::NoDevice);
  CHECK_FALSE(BasinMapKernel::create(*context, field));
  requireClean(*context);
}

}  // namespace sepx::gpu
