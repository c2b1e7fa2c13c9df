// SPDX-License-Identifier: Apache-2.0
// Compares shaders/compute/particles_advect.comp and particles_density.comp with dynamics::ParticleCloud on the CPU.
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/gaussian.h"
#include "tests/engine/gpu/gpu_test.h"
#include "tests/engine/gpu/kernel_checks.h"

namespace sepx::gpu {

namespace {

using dynamics::LimitKind;
using dynamics::ParticleOptions;
using dynamics::ParticlePicture;
using dynamics::ParticleStep;

ParticlePicture onDevice(ParticlesKernel& kernel, const std::vector<double>& parameters, const ParticleStep& step,
                         int steps) {
  for (int i = 0; i < steps; ++i) {
    if (!kernel.step(parameters, step)) {
      REQUIRE(kernel.finish());
      REQUIRE(kernel.step(parameters, step));
    }
  }
  REQUIRE(kernel.finish());
  return kernel.picture();
}

double meanLevel(const ParticlePicture& picture) {
  return std::accumulate(picture.levels.begin(), picture.levels.end(), 0.0) /
         static_cast<double>(picture.levels.size());
}

/// The mean difference of levels after averaging over 4 x 4 pixels. Single precision can move a particle to the next
/// pixel.
double blurredDifference(const ParticlePicture& a, const ParticlePicture& b) {
  REQUIRE(a.levels.size() == b.levels.size());
  const int width = a.window.width, height = a.window.height;
  double sum = 0;
  int cells = 0;
  for (int y = 0; y + 4 <= height; y += 4)
    for (int x = 0; x + 4 <= width; x += 4, ++cells) {
      double apart = 0;
      for (int k = 0; k < 16; ++k) {
        const auto at = static_cast<std::size_t>((y + k / 4) * width + x + k % 4);
        apart += static_cast<double>(a.levels[at]) - static_cast<double>(b.levels[at]);
      }
      sum += std::abs(apart / 16);
    }
  return sum / cells;
}

}  // namespace

TEST_CASE("The particles of every registered field move as in the CPU reference", "[fields]") {
  forEveryPlaneField("particles_advect", [](Context& context, const dynamics::VectorField& field, ThreadPool& pool) {
    const auto window = windowOf(field, 96, 72);
    const auto parameters = fallbacks(field);
    for (const auto clock : {dynamics::ParticleClock::Flow, dynamics::ParticleClock::UnitSpeed})
      for (const auto start : {dynamics::ParticleStart::Gauss, dynamics::ParticleStart::Uniform}) {
        const ParticleOptions options{.count = 40000, .start = start, .sigma = 0.7, .seed = 11};
        const ParticleStep step{.clock = clock, .amount = 0.02, .fade = 0.5};
        CAPTURE(static_cast<int>(clock), static_cast<int>(start));
        auto kernel = ParticlesKernel::create(context, field);
        if (!kernel) FAIL(kernel.error().message);
        REQUIRE((*kernel)->start(options, window));
        const ParticlePicture picture = onDevice(**kernel, parameters, step, 60);
        dynamics::ParticleCloud twin(field, options, window, pool);
        for (int i = 0; i < 60; ++i)
          twin.step(parameters, step, pool);
        CHECK(picture.steps == 60);
        CHECK(meanLevel(twin.picture()) > 5);
        CHECK(std::abs(meanLevel(picture) - meanLevel(twin.picture())) < 1.5);
        CHECK(blurredDifference(picture, twin.picture()) < 3);
        CHECK(std::accumulate(picture.ends.begin(), picture.ends.end(), 0u) == 40000u);
        for (std::size_t kind = 0; kind < picture.ends.size(); ++kind) {
          CAPTURE(kind);
          CHECK(std::abs(static_cast<double>(picture.ends[kind]) - static_cast<double>(twin.picture().ends[kind])) <
                0.005 * 40000);
        }
      }
  });
}

TEST_CASE("The share of a Gaussian cloud that ends in the local minimum on the device agrees with the closed form") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  constexpr int kCount = 50000;
  auto kernel = ParticlesKernel::create(*context, field);
  REQUIRE(kernel);
  REQUIRE((*kernel)->start({.count = kCount, .sigma = 1, .seed = 3}, windowOf(field, 64, 64)));
  const ParticlePicture picture = onDevice(
      **kernel, {0.5, 0.8}, {.clock = dynamics::ParticleClock::UnitSpeed, .amount = 0.02, .respawn = false}, 300);
  const double local = picture.ends[static_cast<std::size_t>(LimitKind::LocalMin)] / static_cast<double>(kCount);
  const double exact = markov::probabilityLocalMinimum(1.0, true);
  CHECK(picture.ends[0] < kCount / 100);
  // Four standard deviations of the share of kCount particles.
  CHECK(std::abs(local - exact) < 4 * std::sqrt(exact * (1 - exact) / kCount) + 0.002);
  CHECK(picture.resting > kCount * 9 / 10);
  requireClean(*context);
}

TEST_CASE("The particle kernel handles other windows, restarts, few particles, a full ring and invalid numbers") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  auto kernel = ParticlesKernel::create(*context, field);
  REQUIRE(kernel);
  CHECK_FALSE((*kernel)->step(std::vector<double>{0.5, 0.8}, {}));  // not started yet
  REQUIRE((*kernel)->start({.count = 3, .sigma = 0.1}, windowOf(field, 33, 17)));
  CHECK(onDevice(**kernel, {0.5, 0.8}, {}, 2).ends[0] <= 3);
  CHECK(meanLevel((*kernel)->picture()) > 0);
  REQUIRE((*kernel)->look(windowOf(field, 50, 20)));
  CHECK(onDevice(**kernel, {0.5, 0.8}, {}, 1).levels.size() == 1000);
  REQUIRE((*kernel)->start({.count = 5000, .start = dynamics::ParticleStart::Uniform}, windowOf(field, 50, 20)));
  int taken = 0;
  while ((*kernel)->step(std::vector<double>{0.5, 0.8}, {}) && taken < 100)
    ++taken;
  CHECK(taken > 0);
  REQUIRE((*kernel)->finish());
  CHECK_FALSE((*kernel)->inFlight());
  CHECK_FALSE((*kernel)->look(windowOf(field, 5000, 5000)));
  REQUIRE((*kernel)->start({.count = 100, .sigma = 1e30}, windowOf(field, 20, 20)));
  const auto lost = onDevice(**kernel, {0.5, 0.8}, {.amount = 1e30, .respawn = false}, 3);
  CHECK(lost.resting == 100);
  CHECK_FALSE(ParticlesKernel::create(*context, *registry.find("ewab")));
  requireClean(*context);
}

TEST_CASE("The particle window can change its size while the device is still working") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  auto kernel = ParticlesKernel::create(*context, field);
  REQUIRE(kernel);
  REQUIRE((*kernel)->start({.count = 50000, .sigma = 1}, windowOf(field, 200, 100)));
  for (int i = 0; i < 40;
       ++i) {  // nothing is collected here: the descriptor sets of replaced buffers wait for the device
    (*kernel)->step(std::vector<double>{0.5, 0.8}, {});
    const auto looked = (*kernel)->look(windowOf(field, 201 + i, 100));
    INFO((looked ? std::string() : looked.error().message));
    REQUIRE(looked);
  }
  CHECK(onDevice(**kernel, {0.5, 0.8}, {}, 1).levels.size() == 240 * 100);
  requireClean(*context);
}

}  // namespace sepx::gpu
