// SPDX-License-Identifier: Apache-2.0
// A frame here is what a frame of the window does with particles: the step, its density on the host, and a scene with
// that density drawn offscreen to the end of the device's work. Steps of the window overlap with drawing; these do not.
#include "app/cli/bench_fields.h"

#include <array>
#include <chrono>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "app/cli/bench_stage.h"
#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/flow.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr gpu::Extent kExtent{1280, 720};
constexpr std::array<double, 2> kFieldChain{0.5, 0.8};
constexpr dynamics::BasinWindow kWindow{-32.0 / 9, 32.0 / 9, -2, 2, 1280, 720};
constexpr int kTimes = 20, kWarmUp = 3;

struct Stage {
  BenchStage device;
  dynamics::FieldRegistry registry;
  const dynamics::VectorField* field = nullptr;
  render::Scene page;
};

Result<Stage> makeStage(const Options& common) {
  auto device = BenchStage::create(common, kExtent);
  if (!device) return tl::unexpected(device.error());
  Stage stage{std::move(*device), {}, nullptr, {}};
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

/// The density drawn, to the end of the device's work.
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

/// `once` without, then with the drawing behind it.
Result<void> rowOf(std::vector<Measurement>& rows, Stage& stage, const std::string& name, const std::string& what,
                   const std::function<Result<void>()>& step,
                   const std::function<const dynamics::ParticlePicture&()>& picture) {
  Measurement steps{"step-" + name, trf(N_("{}: a step and its density"), what), {}};
  Measurement frames{"frame-" + name, trf(N_("{}: the same and a frame at 1280 x 720"), what), {}};
  for (int i = -kWarmUp; i < kTimes; ++i) {
    const Clock::time_point start = Clock::now();
    if (const Result<void> done = step(); !done) return done;
    const double stepped = millisecondsSince(start);
    if (const Result<void> drawn = draw(stage, picture()); !drawn) return drawn;
    if (i < 0) continue;
    steps.milliseconds.push_back(stepped);
    frames.milliseconds.push_back(millisecondsSince(start));
  }
  rows.push_back(std::move(steps));
  rows.push_back(std::move(frames));
  return {};
}

}  // namespace

Result<BenchResult> benchParticles(const Options& common) {
  Result<Stage> stage = makeStage(common);
  if (!stage) return tl::unexpected(stage.error());
  ThreadPool pool(common.threads);
  const dynamics::ParticleStep step{.amount = 0.02};
  BenchResult result{"particles", {}, "kernel / cpu", 0, stage->device.context->info().name};
  std::array<double, 2> ofMillion{};
  for (const int count : {100000, 1000000}) {
    const dynamics::ParticleOptions options{.count = count, .sigma = 1};
    const std::string name = count == 100000 ? "100k" : "1m";
    auto kernel = gpu::ParticlesKernel::create(*stage->device.context, *stage->field);
    if (!kernel) return tl::unexpected(kernel.error());
    if (const Result<void> started = (*kernel)->start(options, kWindow); !started)
      return tl::unexpected(started.error());
    Result<void> done = rowOf(
        result.measurements, *stage, name + "-kernel", trf(N_("{} particles, compute kernel"), count),
        [&]() -> Result<void> {
          (*kernel)->step(kFieldChain, step);
          return (*kernel)->finish();
        },
        [&]() -> const dynamics::ParticlePicture& { return (*kernel)->picture(); });
    if (!done) return tl::unexpected(done.error());
    ofMillion[0] = result.measurements[result.measurements.size() - 2].median();
    dynamics::ParticleCloud cloud(*stage->field, options, kWindow, pool);
    done = rowOf(
        result.measurements, *stage, name + "-cpu",
        trf(N_("{} particles, double-precision twin, {} threads"), count, pool.size()),
        [&]() -> Result<void> {
          cloud.step(kFieldChain, step, pool);
          return {};
        },
        [&]() -> const dynamics::ParticlePicture& { return cloud.picture(); });
    if (!done) return tl::unexpected(done.error());
    ofMillion[1] = result.measurements[result.measurements.size() - 2].median();
  }
  result.ratio = ofMillion[0] / ofMillion[1];
  return result;
}

Result<BenchResult> benchTexture(const Options& common) {
  Result<Stage> stage = makeStage(common);
  if (!stage) return tl::unexpected(stage.error());
  ThreadPool pool(common.threads);
  auto kernel = gpu::LicKernel::create(*stage->device.context, *stage->field);
  if (!kernel) return tl::unexpected(kernel.error());
  Measurement byKernel{"kernel", tr(N_("flow texture 1280 x 720, compute kernel")), {}};
  Measurement byCpu{"cpu", trf(N_("flow texture 1280 x 720, double-precision twin, {} threads"), pool.size()), {}};
  for (int i = -1; i < 5; ++i) {
    Clock::time_point start = Clock::now();
    (*kernel)->start(kFieldChain, kWindow, {});
    if (const Result<void> done = (*kernel)->finish(); !done) return tl::unexpected(done.error());
    if (i >= 0) byKernel.milliseconds.push_back(millisecondsSince(start));
    start = Clock::now();
    dynamics::lineIntegralConvolution(*stage->field, kFieldChain, kWindow, {}, pool);
    if (i >= 0) byCpu.milliseconds.push_back(millisecondsSince(start));
  }
  const double ratio = byKernel.median() / byCpu.median();
  return BenchResult{"flow-texture",
                     {std::move(byKernel), std::move(byCpu)},
                     "kernel / cpu",
                     ratio,
                     stage->device.context->info().name};
}

}  // namespace sepx::app::cli
