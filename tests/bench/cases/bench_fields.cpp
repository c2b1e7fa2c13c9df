// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the pictures that fill the plane, at 1280 x 720: particles drawn as a density, and the flow texture,
// each by the compute kernel and by its double-precision twin. A frame does the work of a frame of the window with
// particles: the step, its density on the host, and a scene with this density, drawn offscreen until the device has
// finished. In the window, steps overlap with drawing; here they do not.
#include "tests/bench/cases/bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>

#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr gpu::Extent kExtent{1280, 720};
constexpr std::array<double, 2> kFieldChain{0.5, 0.8};
constexpr dynamics::BasinWindow kWindow{-32.0 / 9, 32.0 / 9, -2, 2, 1280, 720};

struct Stage {
  BenchStage device;
  dynamics::FieldRegistry registry;
  const dynamics::VectorField* field = nullptr;
  render::Scene page;
};

Result<Stage> makeStage(const Options& common) {
  SEPX_ASSIGN(auto device, BenchStage::create(common, kExtent));
  Stage stage{std::move(device), {}, nullptr, {}};
  markov::addCanonicalFields(stage.registry);
  stage.field = stage.registry.find("ew");
  if (stage.field == nullptr) return fail(ErrorKind::Internal, tr(N_("the field ew is not registered")));
  stage.page.width = kExtent.width;
  stage.page.height = kExtent.height;
  stage.page.plot = {{0, 0}, {stage.page.width, stage.page.height}};
  stage.page.window = {{kWindow.xMin, kWindow.yMin}, {kWindow.xMax, kWindow.yMax}};
  stage.page.background = {0.1F, 0.1F, 0.1F, 1};
  return stage;
}

/// Draws the density and waits until the device has finished.
Result<void> draw(Stage& stage, const dynamics::ParticlePicture& picture) {
  render::LabelMap map;
  map.extent = stage.page.window;
  map.width = picture.window.width;
  map.height = picture.window.height;
  map.labels = std::make_shared<std::vector<std::uint8_t>>(picture.levels);
  for (int level = 0; level < 256; ++level)
    map.palette.push_back({1, 1, 1, static_cast<float>(level) / 255});
  stage.page.layers = {render::Layer{"particles", picture.steps, false, true, {std::move(map)}}};
  return stage.device.draw(stage.page);
}

/// Measures `step` without and with the drawing that follows it.
Result<void> rowOf(std::vector<Measurement>& rows, Stage& stage, const std::string& name, const std::string& what,
                   const std::function<Result<void>()>& step,
                   const std::function<const dynamics::ParticlePicture&()>& picture) {
  std::vector<Measurement> parts{{"step-" + name, trf(N_("{}: a step and its density"), what), {}},
                                 {"frame-" + name, trf(N_("{}: the same and a frame at 1280 x 720"), what), {}}};
  SEPX_TRY(measureParts(parts, {20, 3}, [&](int) -> Result<std::vector<double>> {
    const Clock::time_point start = Clock::now();
    SEPX_TRY(step());
    const double stepped = millisecondsSince(start);
    SEPX_TRY(draw(stage, picture()));
    return std::vector{stepped, millisecondsSince(start)};
  }));
  std::ranges::move(parts, std::back_inserter(rows));
  return {};
}

}  // namespace

Result<BenchResult> benchParticles(const Options& common) {
  SEPX_ASSIGN(Stage stage, makeStage(common));
  ThreadPool pool(common.threads);
  const dynamics::ParticleStep step{.amount = 0.02};
  BenchResult result{.name = "particles", .ratioName = "kernel / cpu", .device = stage.device.context->info().name};
  std::array<double, 2> ofMillion{};
  for (const int count : {100000, 1000000}) {
    const dynamics::ParticleOptions options{.count = count, .sigma = 1};
    const std::string name = count == 100000 ? "100k" : "1m";
    SEPX_ASSIGN(auto kernel, gpu::ParticlesKernel::create(*stage.device.context, *stage.field));
    SEPX_TRY(kernel->start(options, kWindow));
    SEPX_TRY(rowOf(
        result.measurements, stage, name + "-kernel", trf(N_("{} particles, compute kernel"), count),
        [&]() -> Result<void> {
          kernel->step(kFieldChain, step);
          return kernel->finish();
        },
        [&]() -> const dynamics::ParticlePicture& { return kernel->picture(); }));
    ofMillion[0] = result.measurements[result.measurements.size() - 2].median();
    dynamics::ParticleCloud cloud(*stage.field, options, kWindow, pool);
    SEPX_TRY(rowOf(
        result.measurements, stage, name + "-cpu",
        trf(N_("{} particles, double-precision twin, {} threads"), count, pool.size()),
        [&]() -> Result<void> {
          cloud.step(kFieldChain, step, pool);
          return {};
        },
        [&]() -> const dynamics::ParticlePicture& { return cloud.picture(); }));
    ofMillion[1] = result.measurements[result.measurements.size() - 2].median();
  }
  result.ratio = ofMillion[0] / ofMillion[1];
  return result;
}

Result<BenchResult> benchTexture(const Options& common) {
  SEPX_ASSIGN(Stage stage, makeStage(common));
  ThreadPool pool(common.threads);
  SEPX_ASSIGN(auto kernel, gpu::LicKernel::create(*stage.device.context, *stage.field));
  BenchResult result{
      .name = "flow-texture",
      .measurements = {{"kernel", tr(N_("flow texture 1280 x 720, compute kernel")), {}},
                       {"cpu", trf(N_("flow texture 1280 x 720, double-precision twin, {} threads"), pool.size()), {}}},
      .ratioName = "kernel / cpu",
      .device = stage.device.context->info().name};
  SEPX_TRY(measureParts(result.measurements, {5, 1}, [&](int) -> Result<std::vector<double>> {
    const Clock::time_point start = Clock::now();
    kernel->start(kFieldChain, kWindow, {});
    SEPX_TRY(kernel->finish());
    const double byKernel = millisecondsSince(start);
    dynamics::lineIntegralConvolution(*stage.field, kFieldChain, kWindow, {}, pool);
    return std::vector{byKernel, millisecondsSince(start) - byKernel};
  }));
  result.ratio = result.measurements[0].median() / result.measurements[1].median();
  return result;
}

}  // namespace sepx::app::cli
