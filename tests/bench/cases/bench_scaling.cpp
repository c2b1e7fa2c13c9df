// SPDX-License-Identifier: Apache-2.0
// Benchmark of time against size: points of a session, particles, pixels of a basin map, parameters of a model, length
// of a sequence, heads of a layer, bytes of a checkpoint, and runs in the library. Each is a series of sizes with the
// median time at each size. A series that needs a device is left out if there is none.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <utility>

#include "app/cli/text.h"
#include "engine/attention/scores.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/canonical_field.h"
#include "engine/train/run_library.h"
#include "tests/bench/cases/bench.h"
#include "tests/bench/cases/bench_checkpoints.h"
#include "tests/bench/cases/bench_train.h"

namespace sepx::app::cli {
namespace {

constexpr std::array<double, 2> kChain{0.5, 0.8};

/// Adds the median time of `once` at `size` to `scaling`.
Result<void> addSize(Scaling& scaling, double size, Rounds rounds, const std::function<Result<void>()>& once) {
  Measurement measured;
  SEPX_TRY(measure(measured, rounds, once));
  scaling.sizes.push_back(size);
  scaling.milliseconds.push_back(measured.median());
  return {};
}

/// A frame while the first of the points is dragged.
Result<Scaling> points(const Options& common) {
  Scaling scaling{"points", tr(N_("a frame while one of the points is dragged")), tr(N_("points"))};
  for (const int count : {1, 4, 16, 64, 256, 1024}) {
    SEPX_ASSIGN(auto headless, withPoints(common, count));
    const std::optional<render::Point> handle = headless->workbench().toPixels("flow", {0.2, 0});
    if (!handle) return fail(ErrorKind::Internal, tr(N_("the picture has no canvas")));
    SEPX_TRY(press(*headless, *handle));
    int i = 0;
    SEPX_TRY(addSize(scaling, count, {30, 5}, [&]() -> Result<void> {
      ++i;
      return headless->frame({ui::PointerMoved{handle->x + i, handle->y + i % 23}});
    }));
  }
  return scaling;
}

Result<const dynamics::VectorField*> planeField(dynamics::FieldRegistry& registry) {
  markov::addCanonicalFields(registry);
  if (const dynamics::VectorField* const field = registry.find("ew")) return field;
  return fail(ErrorKind::Internal, tr(N_("the field ew is not registered")));
}

Result<Scaling> particles(const Options& common) {
  Scaling scaling{"particles", tr(N_("a step of the particles and its density, compute kernel")), tr(N_("particles"))};
  dynamics::FieldRegistry registry;
  SEPX_ASSIGN(const auto* const field, planeField(registry));
  SEPX_ASSIGN(auto context, gpu::Context::create(contextOptions(common, false)));
  const dynamics::BasinWindow window{-32.0 / 9, 32.0 / 9, -2, 2, 1280, 720};
  for (const int count : {1000, 10000, 100000, 1000000}) {
    SEPX_ASSIGN(auto kernel, gpu::ParticlesKernel::create(*context, *field));
    SEPX_TRY(kernel->start({.count = count, .sigma = 1}, window));
    SEPX_TRY(addSize(scaling, count, {20, 3}, [&]() -> Result<void> {
      kernel->step(kChain, {.amount = 0.02});
      return kernel->finish();
    }));
  }
  return scaling;
}

Result<Scaling> pixels(const Options& common) {
  Scaling scaling{"pixels", tr(N_("an integrated basin map, by lanes")), tr(N_("pixels"))};
  ThreadPool pool(common.threads);
  dynamics::FieldRegistry registry;
  SEPX_ASSIGN(const auto* const field, planeField(registry));
  for (const int height : {67, 135, 270, 540, 1080, 2160}) {
    const dynamics::BasinWindow window{-2, 2, -2, 2, height * 16 / 9, height};
    SEPX_TRY(addSize(scaling, static_cast<double>(window.width) * height, {5}, [&]() -> Result<void> {
      dynamics::integrateBasinMap(*field, kChain, window, dynamics::basinMapOptions(window), pool);
      return {};
    }));
  }
  return scaling;
}

const TrainBenchCase& smallGpt() {
  return *std::ranges::find(trainBenchCases(), "d", &TrainBenchCase::name);
}

/// A training step of each model in turn.
Result<Scaling> steps(const Options& common, Scaling scaling,
                      const std::vector<std::pair<double, TrainBenchCase>>& of) {
  ThreadPool pool(common.threads);
  for (const auto& [size, one] : of) {
    SEPX_ASSIGN(const double milliseconds, trainBenchStep(one, pool));
    scaling.sizes.push_back(size);
    scaling.milliseconds.push_back(milliseconds);
  }
  return scaling;
}

Result<Scaling> parameters(const Options& common) {
  std::vector<std::pair<double, TrainBenchCase>> all;
  for (const int width : {32, 64, 128, 256, 512, 1024}) {
    TrainBenchCase one = smallGpt();
    one.model.layers = 2;
    one.model.length = 64;
    one.model.d_model = width;
    one.model.heads = std::max(1, width / 64);
    all.emplace_back(static_cast<double>(nn::parameterCount(one.model)), one);
  }
  return steps(common, {"parameters", tr(N_("a step of training of 512 tokens, 2 layers")), tr(N_("parameters"))}, all);
}

Result<Scaling> length(const Options& common) {
  std::vector<std::pair<double, TrainBenchCase>> all;
  for (const int tokens : {64, 128, 256, 512, 1024, 2048, 4096}) {
    TrainBenchCase one = smallGpt();
    one.batch = 1;
    one.model.layers = 1;
    one.model.length = tokens;
    one.model.d_model = 128;
    one.model.heads = 2;
    all.emplace_back(tokens, one);
  }
  return steps(common, {"length", tr(N_("a step of training of one sequence, width 128, 1 layer")), tr(N_("tokens"))},
               all);
}

Result<Scaling> heads(const Options& common) {
  constexpr int kModel = 1024, kHead = 64;
  Scaling scaling{"heads", tr(N_("scores of every head of a layer of width 1024")), tr(N_("heads"))};
  ThreadPool pool(common.threads);
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0, 0.03);
  double sum = 0;  // used below, so that nothing is optimised away
  for (const int count : {1, 2, 4, 8, 16, 32, 64}) {
    attention::LayerFactors factors{
        count, kHead, attention::Matrix(kModel, count * kHead), attention::Matrix(kModel, count * kHead), {}};
    for (attention::Matrix* matrix : {&factors.W_Q, &factors.W_K})
      std::generate(matrix->data(), matrix->data() + matrix->size(), [&] { return normal(generator); });
    for (int h = 0; h < count; ++h)
      factors.keyHead.push_back(h);
    SEPX_TRY(addSize(scaling, count, {5}, [&]() -> Result<void> {
      const std::optional<std::vector<attention::Moments>> all = attention::momentsOfHeads(factors, &pool);
      for (const attention::Moments& moments : *all)
        sum += attention::scoresOf(moments, {}).symmetry;
      return {};
    }));
  }
  if (!std::isfinite(sum)) return fail(ErrorKind::Internal, tr(N_("the scores are not numbers")));
  return scaling;
}

/// The checkpoint is opened again each time, because no object keeps the model.
Result<Scaling> bytes(const Options&) {
  Scaling scaling{"bytes", tr(N_("a checkpoint from the file to W_Q and W_K of its first layer")), tr(N_("bytes"))};
  for (const int layers : {1, 4, 16, 64, 256}) {
    const BenchFolder folder;
    SEPX_ASSIGN(const std::string path, writeGpt2Shape(folder.file("gpt2"), BenchNumbers::F32, false, layers));
    const double size = static_cast<double>(std::filesystem::file_size(path + "/model.safetensors"));
    SEPX_TRY(addSize(scaling, size, {9}, [&]() -> Result<void> {
      SEPX_ASSIGN(auto model, checkpoint::openModel(path));
      const checkpoint::AttentionLayer* const layer = model->map.find(checkpoint::Stack::Self, 0);
      if (!layer) return fail(ErrorKind::Internal, tr(N_("the synthetic checkpoint was not recognised")));
      SEPX_TRY(checkpoint::loadFactors(*model->checkpoint, *layer, {}));
      return {};
    }));
  }
  return scaling;
}

Result<Scaling> runs(const Options& common) {
  Scaling scaling{"runs", tr(N_("a library of runs, nothing cached")), tr(N_("runs"))};
  ThreadPool pool(common.threads);
  for (const int count : {10, 30, 100, 300, 1000, 3000}) {
    const BenchFolder folder;
    SEPX_TRY(writeBenchRuns(folder.path(), count));
    SEPX_TRY(addSize(scaling, count, {5}, [&]() -> Result<void> {
      if (train::readLibrary(folder.file("runs"), {.pool = &pool}).size() == static_cast<std::size_t>(count)) return {};
      return fail(ErrorKind::Internal, tr(N_("not all runs were read")));
    }));
  }
  return scaling;
}

}  // namespace

Result<BenchResult> benchScaling(const Options& common) {
  BenchResult result{"scaling"};
  for (const auto& ladder : {points, particles, pixels, parameters, length, heads, bytes, runs}) {
    Result<Scaling> scaling = ladder(common);
    if (!scaling && scaling.error().kind == ErrorKind::NoDevice) continue;
    if (!scaling) return tl::unexpected(scaling.error());
    result.scalings.push_back(std::move(*scaling));
  }
  return result;
}

}  // namespace sepx::app::cli
