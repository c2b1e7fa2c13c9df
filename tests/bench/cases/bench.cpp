// SPDX-License-Identifier: Apache-2.0
// The benchmarks; see bench.h. Each one warms up first, so that filling caches and creating pipelines is not measured.
#include "tests/bench/cases/bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/gpu/queue.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"

namespace sepx::app::cli {

Result<void> measureParts(std::vector<Measurement>& parts, Rounds rounds,
                          const std::function<Result<std::vector<double>>(int i)>& row) {
  for (int i = -rounds.warmUp; i < rounds.times; ++i) {
    SEPX_ASSIGN(const std::vector<double> spent, row(i));
    for (std::size_t part = 0; part < spent.size() && i >= 0; ++part)
      parts[part].milliseconds.push_back(spent[part]);
  }
  return {};
}

Result<void> measure(Measurement& measurement, Rounds rounds, const std::function<Result<void>()>& once) {
  for (int i = -rounds.warmUp; i < rounds.times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    SEPX_TRY(once());
    if (i >= 0) measurement.milliseconds.push_back(millisecondsSince(start));
  }
  return {};
}

Result<std::unique_ptr<Headless>> withPoints(const Options& common, int count) {
  SEPX_ASSIGN(auto headless, Headless::create(common, Drawing::EveryFrame));
  for (int i = 0; i < count; ++i) {
    const double turn = 0.1 * i, reach = 0.2 + 1.5 * i / count;
    SEPX_TRY(headless->workbench().addPoint({reach * std::cos(turn), reach * std::sin(turn)}));
  }
  SEPX_TRY(headless->settle());
  return headless;
}

Result<OnePoint> withOnePoint(const Options& common) {
  const std::vector<double> start{0.4, 0.2};
  SEPX_ASSIGN(auto headless, Headless::create(common, Drawing::EveryFrame));
  ui::Workbench& workbench = headless->workbench();
  SEPX_TRY(workbench.addPoint(start));
  SEPX_TRY(headless->settle());
  const std::optional<render::Point> handle = workbench.toPixels("flow", {start[0], start[1]});
  if (!handle) return fail(ErrorKind::Internal, tr(N_("the picture has no canvas")));
  return OnePoint{std::move(headless), *handle};
}

Result<void> press(Headless& headless, render::Point at) {
  return headless.frame({ui::PointerMoved{at.x, at.y}, ui::PointerPressed{ui::Button::Left, true, at.x, at.y, {}}});
}

Result<BenchStage> BenchStage::create(const Options& common, gpu::Extent extent) {
  SEPX_ASSIGN(auto context, gpu::Context::create(contextOptions(common, false)));
  SEPX_ASSIGN(auto renderer, render::VulkanRenderer::create(*context));
  SEPX_ASSIGN(auto target, gpu::OffscreenTarget::create(*context, extent));
  return BenchStage{std::move(context), std::move(renderer), std::move(target)};
}

Result<void> BenchStage::draw(const render::Scene& page) {
  const auto lost = [] { return fail(ErrorKind::NoDevice, tr(N_("the Vulkan device was lost while drawing"))); };
  gpu::Frame frame;
  const render::PlacedScene placed{&page, {}};
  if (target->begin(frame) != gpu::TargetStatus::Ready) return lost();
  renderer->draw(frame, {&placed, 1}, 1, {0, 0, 0, 1}, {});
  if (target->end() != gpu::TargetStatus::Ready) return lost();
  context->queue().waitIdle();
  return {};
}

double Scaling::exponent(std::size_t first) const {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = first; i < std::min(sizes.size(), milliseconds.size()); ++i) {
    const double logSize = std::log(sizes[i]), logTime = std::log(milliseconds[i]);
    n += 1, x += logSize, y += logTime, xx += logSize * logSize, xy += logSize * logTime;
  }
  return n < 2 ? std::numeric_limits<double>::quiet_NaN() : (n * xy - x * y) / (n * xx - x * x);
}

double Measurement::median() const {
  if (milliseconds.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<double, 2> kFirstChain{0.5, 0.8};  // the chain of the initial picture

/// Single paths, from starts that cover the window of the initial picture.
Result<Measurement> pathAlone() {
  constexpr int kSide = 20;
  const markov::Chain chain{kFirstChain[0], kFirstChain[1]};
  Measurement paths{"flow-path", tr(N_("one path with its limit, from (e,w) in [-1.5,1.5]^2")), {}};
  for (int round = 0; round < 2; ++round) {
    paths.milliseconds.clear();  // the first round warms up
    for (int i = 0; i < kSide * kSide; ++i) {
      markov::State theta(2);
      theta << -1.5 + 3.0 * (i % kSide + 0.5) / kSide, -1.5 + 3.0 * (i / kSide + 0.5) / kSide;
      const Clock::time_point start = Clock::now();
      SEPX_TRY(markov::flowFrom(chain, markov::Model::EW, theta));
      paths.milliseconds.push_back(millisecondsSince(start));
    }
  }
  return paths;
}

/// The time from the event that moves a held point to the end of the exhibit's update: the changed document, the new
/// path, its limit and its basin. Drawing is not included.
Result<Measurement> moveToPath(const Options& common) {
  SEPX_ASSIGN(const OnePoint prepared, withOnePoint(common));
  Headless& headless = *prepared.headless;
  SEPX_TRY(press(headless, prepared.handle));
  std::vector<Measurement> moves{
      {"pointer-to-path", tr(N_("pointer event to finished update, one point dragged")), {}}};
  SEPX_TRY(measureParts(moves, {200, 5}, [&](int i) -> Result<std::vector<double>> {
    SEPX_TRY(headless.frame({ui::PointerMoved{prepared.handle.x + i, prepared.handle.y + i % 23}}));
    return std::vector{headless.workbench().times().updateMs};
  }));
  return std::move(moves.front());
}

Result<BenchResult> flowPath(const Options& common) {
  SEPX_ASSIGN(Measurement path, pathAlone());
  BenchResult result{"flow-path", {std::move(path)}};
  Result<Measurement> move = moveToPath(common);
  if (!move && move.error().kind != ErrorKind::NoDevice) return tl::unexpected(move.error());
  if (move) result.measurements.push_back(std::move(*move));  // the interface needs a device
  return result;
}

Result<BenchResult> basinMap(const Options& common) {
  constexpr int kTimes = 5;
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const dynamics::VectorField* field = registry.find("ew");
  if (field == nullptr) return fail(ErrorKind::Internal, tr(N_("the field ew is not registered")));
  const dynamics::BasinWindow window{-2, 2, -2, 2, 256, 256};

  SEPX_ASSIGN(auto context, gpu::Context::create(contextOptions(common, false)));
  SEPX_ASSIGN(auto kernel, gpu::BasinMapKernel::create(*context, *field));
  ThreadPool pool(common.threads);
  Measurement byKernel{"kernel", tr(N_("integrated basin map 256 x 256, compute kernel")), {}};
  Measurement byCpu{
      "cpu", trf(N_("integrated basin map 256 x 256, double-precision twin, {} threads"), pool.size()), {}};
  SEPX_TRY(measure(byKernel, {kTimes}, [&] {
    kernel->start(kFirstChain, window, {});
    return kernel->finish();
  }));
  SEPX_TRY(measure(byCpu, {kTimes}, [&]() -> Result<void> {
    dynamics::BasinMapOptions options;
    options.scalar = true;  // the kernel's twin; basin-screen measures the lanes
    dynamics::integrateBasinMap(*field, kFirstChain, window, options, pool);
    return {};
  }));
  const double ratio = byKernel.median() / byCpu.median();
  return BenchResult{"basin-map", {std::move(byKernel), std::move(byCpu)}, "kernel / cpu", ratio, context->info().name};
}

/// A series of frames while the pointer moves from `from`; it may drag a point. Measures the wall time of each frame,
/// which includes the device time except for frames in flight, and its parts on the CPU.
Result<std::vector<Measurement>> frameRow(Headless& headless, const std::string& prefix, const std::string& what,
                                          render::Point from) {
  std::vector<Measurement> parts{{prefix + "frame", what, {}},
                                 {prefix + "update", tr(N_("of which results on the CPU")), {}},
                                 {prefix + "scene", tr(N_("of which the scene")), {}},
                                 {prefix + "imgui", tr(N_("of which the ImGui pass")), {}},
                                 {prefix + "record", tr(N_("of which recording commands")), {}}};
  SEPX_TRY(measureParts(parts, {60, 5}, [&](int i) -> Result<std::vector<double>> {
    const Clock::time_point start = Clock::now();
    SEPX_TRY(headless.frame({ui::PointerMoved{from.x + i, from.y + i % 23}}));
    const double whole = millisecondsSince(start);
    const ui::FrameTimes& times = headless.workbench().times();
    return std::vector{whole, times.updateMs, times.sceneMs, times.imguiMs, times.recordMs};
  }));
  return parts;
}

/// Frames of the whole interface while the pointer moves over the picture, then while it drags a point.
Result<BenchResult> canvasFrame(const Options& common) {
  SEPX_ASSIGN(const OnePoint prepared, withOnePoint(common));
  Headless& headless = *prepared.headless;
  const gpu::Extent extent = headless.extent();
  SEPX_ASSIGN(auto parts,
              frameRow(headless, "hover-",
                       trf(N_("whole frame at {} x {} while the pointer moves"), extent.width, extent.height),
                       prepared.handle));
  SEPX_TRY(press(headless, prepared.handle));
  SEPX_ASSIGN(auto drag, frameRow(headless, "drag-", tr(N_("whole frame while a point is dragged")), prepared.handle));
  std::ranges::move(drag, std::back_inserter(parts));
  return BenchResult{
      .name = "canvas-frame", .measurements = std::move(parts), .device = headless.context().info().name};
}

}  // namespace

std::span<const BenchEntry> benchmarks() {
  static constexpr std::array kBenchmarks{
      BenchEntry{"flow-path",
                 N_("one path of gradient flow on the CPU, alone and from the pointer event to the finished update"),
                 flowPath},
      BenchEntry{"basin-map", N_("integrated basin map, kernel against CPU twin"), basinMap},
      BenchEntry{"flow-batch", N_("ten thousand trajectories to their limits, by lanes"), benchFlowBatch},
      BenchEntry{"basin-screen", N_("integrated basin map of a whole screen, by lanes"), benchBasinScreen},
      BenchEntry{"particles", N_("a step of 100,000 and of 1,000,000 particles, and the frame that shows them"),
                 benchParticles},
      BenchEntry{"flow-texture", N_("line integral convolution of the plane, kernel and twin"), benchTexture},
      BenchEntry{"space-frame", N_("frames of a three-dimensional picture while the eye moves"), benchSpace},
      BenchEntry{"canvas-frame", N_("frames of the whole interface, offscreen"), canvasFrame},
      BenchEntry{"frames-training", N_("frames of the whole interface while a decoder trains in the background"),
                 benchFramesTraining},
      BenchEntry{"train-page", N_("frames of the Training exhibit while two runs train and while its slider moves"),
                 benchTrainingPage, true},
      BenchEntry{"session", N_("sessions that open, edits and their undo with a thousand points"), benchSession},
      BenchEntry{"figure", N_("a hundred trajectories as SVG, PDF and PNG"), benchFigure},
      BenchEntry{"library", N_("a library of a thousand runs, from the files and from the cache"), benchLibrary},
      BenchEntry{"weights-scores", N_("scores of a layer and of its heads, from the factors of GPT-2's shape"),
                 benchWeightsScores},
      BenchEntry{"weights-open", N_("GPT-2's shape from the file to the first heat map"), benchWeightsOpen},
      BenchEntry{"weights-large", N_("a head of a model of 8 billion weights from its files to the first picture"),
                 benchWeightsLarge},
      BenchEntry{"weights-move", N_("frames while a matrix of 4096 x 4096 is moved and zoomed"), benchWeightsMove},
      BenchEntry{"forward", N_("64 and 512 tokens through GPT-2's shape, from a file in F32 and in F16"), benchForward,
                 true},
      BenchEntry{"tokenizer", N_("a tokenizer of Gemma's size from its file, and 1 MB of text to tokens"),
                 benchTokenizer, true},
      BenchEntry{"gemm", N_("products of matrices in the shapes of training, one and two threads"), benchGemm, true},
      BenchEntry{"scaling", N_("time against points, particles, pixels, parameters, length, heads, bytes and runs"),
                 benchScaling, true},
      BenchEntry{"limits", N_("products, updates and reading relative to the limits of this machine"), benchLimits,
                 true},
      BenchEntry{"train-a10", N_("steps of training: masked diffusion, width 256, 256 sequences of 10"),
                 [](const Options& common) { return benchTrain(common, "a10"); }, true},
      BenchEntry{"train-a40", N_("the same, sequences of 40"),
                 [](const Options& common) { return benchTrain(common, "a40"); }, true},
      BenchEntry{"train-b8", N_("steps of training: Markov chains, width 8, 16 sequences of 1024"),
                 [](const Options& common) { return benchTrain(common, "b8"); }, true},
      BenchEntry{"train-b64", N_("the same, width 64"), [](const Options& common) { return benchTrain(common, "b64"); },
                 true},
      BenchEntry{"train-c15", N_("steps of training: 4 layers of BERT-Mini, 32 sequences of 128, 15 % masked"),
                 [](const Options& common) { return benchTrain(common, "c15"); }, true},
      BenchEntry{"train-d", N_("steps of training: 6 layers of a small GPT, 8 sequences of 256"),
                 [](const Options& common) { return benchTrain(common, "d"); }, true},
      BenchEntry{"train-vit", N_("steps of training: the 6-layer ViT of CIFAR-10, 8 images of 32 x 32"),
                 [](const Options& common) { return benchTrain(common, "vit"); }, true},
  };
  return kBenchmarks;
}

}  // namespace sepx::app::cli
