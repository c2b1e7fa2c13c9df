// SPDX-License-Identifier: Apache-2.0
// Compares shaders/compute/lic.comp with its CPU reference dynamics::lineIntegralConvolution for every plane field.
#include <cmath>
#include <cstdlib>

#include "engine/gpu/kernels/compute_program.h"
#include "engine/gpu/kernels/kernels.h"
#include "tests/engine/gpu/gpu_test.h"
#include "tests/engine/gpu/kernel_checks.h"

namespace sepx::gpu {

namespace {

using dynamics::FlowTexture;
using dynamics::LicOptions;

FlowTexture textureOnDevice(Context& context, const dynamics::VectorField& field, const dynamics::BasinWindow& window,
                            const LicOptions& options) {
  auto kernel = LicKernel::create(context, field);
  if (!kernel) FAIL(kernel.error().message);
  (*kernel)->start(fallbacks(field), window, options);
  const auto finished = (*kernel)->finish();
  if (!finished) FAIL(finished.error().message);
  CHECK((*kernel)->progress() == 1.0);
  return (*kernel)->texture();
}

struct Difference {
  double mean = 0;    // in levels
  double strays = 0;  // share of pixels that differ by more than 8 levels
};

Difference difference(const FlowTexture& a, const FlowTexture& b) {
  REQUIRE(a.levels.size() == b.levels.size());
  Difference result;
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    const int apart = std::abs(static_cast<int>(a.levels[i]) - static_cast<int>(b.levels[i]));
    result.mean += apart;
    result.strays += apart > 8;
  }
  result.mean /= static_cast<double>(a.levels.size());
  result.strays /= static_cast<double>(a.levels.size());
  return result;
}

}  // namespace

TEST_CASE("The texture kernel of every registered field agrees with the CPU reference", "[fields]") {
  forEveryPlaneField("lic", [](Context& context, const dynamics::VectorField& field, ThreadPool& pool) {
    const auto window = windowOf(field, 120, 90);
    const LicOptions standing{.seed = 7}, running{.length = 30, .grain = 2, .phase = 0.3, .seed = 7};
    for (const LicOptions& options : {standing, running}) {
      CAPTURE(options.phase.has_value());
      const FlowTexture twin = dynamics::lineIntegralConvolution(field, fallbacks(field), window, options, pool);
      const Difference found = difference(textureOnDevice(context, field, window, options), twin);
      CAPTURE(found.mean, found.strays);
      // At the ends of lines the last direction depends on the last digit. Elsewhere single precision costs half a
      // level.
      CHECK(found.mean < 0.5);
      CHECK(found.strays < 0.01);
    }
  });
}

TEST_CASE("Noise has the same bits on the device and on the host") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("duffing");
  ThreadPool pool;
  // With long lines and normal contrast single noise values would not be visible. Saturated contrast shows their sign.
  LicOptions options{.length = 1, .contrast = 1e4, .seed = 0x123456789abcdef0};
  const auto window = windowOf(field, 64, 48);
  const FlowTexture twin = dynamics::lineIntegralConvolution(field, fallbacks(field), window, options, pool);
  CHECK(difference(textureOnDevice(*context, field, window, options), twin).strays < 0.01);
  requireClean(*context);
}

TEST_CASE("The texture kernel handles unusual sizes, restarts, cancelling, missing kernels and textures too large") {
  const auto context = makeContext();
  const auto registry = allFields();
  const auto& field = *registry.find("ew");
  ThreadPool pool;
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 1}, {1, 50}, {67, 41}}) {
    CAPTURE(width, height);
    const auto window = windowOf(field, width, height);
    const FlowTexture twin = dynamics::lineIntegralConvolution(field, fallbacks(field), window, {}, pool);
    CHECK(difference(textureOnDevice(*context, field, window, {}), twin).mean < 1);
  }
  auto kernel = LicKernel::create(*context, field);
  REQUIRE(kernel);
  const auto large = windowOf(field, 300, 200), small = windowOf(field, 80, 60);
  (*kernel)->start(fallbacks(field), large, {});
  CHECK((*kernel)->advance(1) == KernelState::Working);
  (*kernel)->start(fallbacks(field), small, {});
  REQUIRE((*kernel)->finish());
  const FlowTexture twin = dynamics::lineIntegralConvolution(field, fallbacks(field), small, {}, pool);
  CHECK(difference((*kernel)->texture(), twin).mean < 1);
  // Both textures have the same size and use the same buffers, also when the host waits for the second one.
  (*kernel)->start(fallbacks(field), small, {.length = 60});
  CHECK((*kernel)->advance(100) == KernelState::Working);
  (*kernel)->start(fallbacks(field), small, {});
  REQUIRE((*kernel)->finish());
  CHECK((*kernel)->progress() == 1.0);
  CHECK(difference((*kernel)->texture(), twin).mean < 1);
  (*kernel)->start(fallbacks(field), large, {});
  CHECK((*kernel)->advance(1) == KernelState::Working);
  (*kernel)->cancel();
  CHECK((*kernel)->advance(1) == KernelState::Done);
  CHECK_FALSE(LicKernel::create(*context, *registry.find("ewa")));
  (*kernel)->start(fallbacks(field), windowOf(field, 4096, 4096), {});
  CHECK_FALSE((*kernel)->finish());
  (*kernel)->start(fallbacks(field), large, {});
  CHECK((*kernel)->advance(1) == KernelState::Working);
  context->waitIdle();
  context->markLost();
  CHECK((*kernel)->advance(1) == KernelState::Lost);
  CHECK((*kernel)->progress() < 1);
  requireClean(*context);
}

}  // namespace sepx::gpu
