// SPDX-License-Identifier: Apache-2.0
// The benchmarks; see bench.h. Each warms up first, so that caches and pipelines are not what is measured.
#include "app/cli/bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "app/cli/bench_document.h"
#include "app/cli/bench_fields.h"
#include "app/cli/bench_flow.h"
#include "app/cli/bench_frames_training.h"
#include "app/cli/bench_solid.h"
#include "app/cli/bench_train.h"
#include "app/cli/bench_weights.h"
#include "app/cli/text.h"
#include "app/headless.h"
#include "engine/core/clock.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/flow.h"

namespace sepx::app::cli {

Result<void> measure(Measurement& measurement, int times, const std::function<Result<void>()>& once) {
  for (int i = -1; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (const Result<void> done = once(); !done) return done;
    if (i >= 0) measurement.milliseconds.push_back(millisecondsSince(start));
  }
  return {};
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<double, 2> kChain{0.5, 0.8};  // the program's first picture

/// One path alone, from starts all over the first picture's window.
Result<Measurement> pathAlone() {
  constexpr int kSide = 20;
  const markov::Chain chain{kChain[0], kChain[1]};
  Measurement paths{"flow-path", tr(N_("one path with its limit, from (e,w) in [-1.5,1.5]^2")), {}};
  for (int round = 0; round < 2; ++round) {
    paths.milliseconds.clear();  // the first round warms up
    for (int i = 0; i < kSide * kSide; ++i) {
      markov::State theta(2);
      theta << -1.5 + 3.0 * (i % kSide + 0.5) / kSide, -1.5 + 3.0 * (i / kSide + 0.5) / kSide;
      const Clock::time_point start = Clock::now();
      const Result<markov::FlowResult> flow = markov::flowFrom(chain, markov::Model::EW, theta);
      if (!flow) return tl::unexpected(flow.error());
      paths.milliseconds.push_back(millisecondsSince(start));
    }
  }
  return paths;
}

/// The workbench with one point, and the pixel of its handle.
struct Prepared {
  std::unique_ptr<Headless> headless;
  render::Point handle;
};
Result<Prepared> withOnePoint(const Options& common) {
  const std::vector<double> start{0.4, 0.2};
  auto headless = Headless::create(common);
  if (!headless) return tl::unexpected(headless.error());
  ui::Workbench& workbench = (*headless)->workbench();
  if (const Result<void> added = workbench.addPoint(start); !added) return tl::unexpected(added.error());
  if (const Result<void> settled = (*headless)->settle(); !settled) return tl::unexpected(settled.error());
  const std::optional<render::Point> handle = workbench.toPixels("flow", {start[0], start[1]});
  if (!handle) return fail(ErrorKind::Internal, tr(N_("the picture has no canvas to move over")));
  return Prepared{std::move(*headless), *handle};
}

Result<void> press(Headless& headless, render::Point at) {
  return headless.frame({ui::PointerMoved{at.x, at.y}, ui::PointerPressed{ui::Button::Left, true, at.x, at.y, {}}});
}

/// From the event that moves a held point to the end of the exhibit's update: the changed document, the new path, its
/// limit and basin. Drawing is not in it.
Result<Measurement> moveToPath(const Options& common) {
  constexpr int kMoves = 200, kWarmUp = 5;
  const Result<Prepared> prepared = withOnePoint(common);
  if (!prepared) return tl::unexpected(prepared.error());
  Headless& headless = *prepared->headless;
  if (const Result<void> pressed = press(headless, prepared->handle); !pressed) return tl::unexpected(pressed.error());
  Measurement moves{"pointer-to-path", tr(N_("pointer event to finished update, one point dragged")), {}};
  for (int i = -kWarmUp; i < kMoves; ++i) {
    const auto x = prepared->handle.x + i, y = prepared->handle.y + i % 23;
    if (const Result<void> drawn = headless.frame({ui::PointerMoved{x, y}}); !drawn)
      return tl::unexpected(drawn.error());
    if (i >= 0) moves.milliseconds.push_back(headless.workbench().times().updateMs);
  }
  return moves;
}

Result<BenchResult> flowPath(const Options& common) {
  BenchResult result{"flow-path", {}, {}, 0, {}};
  Result<Measurement> path = pathAlone();
  if (!path) return tl::unexpected(path.error());
  result.measurements.push_back(std::move(*path));
  Result<Measurement> move = moveToPath(common);
  if (!move && move.error().kind != ErrorKind::NoDevice) return tl::unexpected(move.error());
  if (move) result.measurements.push_back(std::move(*move));  // the interface needs a device to be laid out for
  return result;
}

Result<BenchResult> basinMap(const Options& common) {
  constexpr int kTimes = 5;
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const dynamics::VectorField* field = registry.find("ew");
  if (field == nullptr) return fail(ErrorKind::Internal, tr(N_("the field ew is not registered")));
  const dynamics::BasinWindow window{-2, 2, -2, 2, 256, 256};

  auto context = gpu::Context::create(contextOptions(common, false));
  if (!context) return tl::unexpected(context.error());
  auto kernel = gpu::BasinMapKernel::create(**context, *field);
  if (!kernel) return tl::unexpected(kernel.error());
  ThreadPool pool(common.threads);
  Measurement byKernel{"kernel", tr(N_("integrated basin map 256 x 256, compute kernel")), {}};
  Measurement byCpu{
      "cpu", trf(N_("integrated basin map 256 x 256, double-precision twin, {} threads"), pool.size()), {}};
  const Result<void> kernelRan = measure(byKernel, kTimes, [&] {
    (*kernel)->start(kChain, window, {});
    return (*kernel)->finish();
  });
  if (!kernelRan) return tl::unexpected(kernelRan.error());
  const Result<void> cpuRan = measure(byCpu, kTimes, [&]() -> Result<void> {
    dynamics::BasinMapOptions options;
    options.scalar = true;  // the kernel's twin; the lanes are in basin-screen
    dynamics::integrateBasinMap(*field, kChain, window, options, pool);
    return {};
  });
  if (!cpuRan) return tl::unexpected(cpuRan.error());
  const double ratio = byKernel.median() / byCpu.median();
  return BenchResult{
      "basin-map", {std::move(byKernel), std::move(byCpu)}, "kernel / cpu", ratio, (*context)->info().name};
}

/// A row of frames with the pointer moving from `from`, which may hold a point: wall time of each frame (so the
/// device's time is in it, but for the frames in flight) and its parts on the CPU.
Result<std::vector<Measurement>> frameRow(Headless& headless, const std::string& prefix, const std::string& what,
                                          render::Point from) {
  constexpr int kFrames = 60, kWarmUp = 5;
  std::vector<Measurement> parts{{prefix + "frame", what, {}},
                                 {prefix + "update", tr(N_("of which results on the CPU")), {}},
                                 {prefix + "scene", tr(N_("of which the scene")), {}},
                                 {prefix + "imgui", tr(N_("of which the ImGui pass")), {}},
                                 {prefix + "record", tr(N_("of which recording commands")), {}}};
  for (int i = -kWarmUp; i < kFrames; ++i) {
    const Clock::time_point start = Clock::now();
    const Result<void> drawn = headless.frame({ui::PointerMoved{from.x + i, from.y + i % 23}});
    if (!drawn) return tl::unexpected(drawn.error());
    if (i < 0) continue;
    const double whole = millisecondsSince(start);
    const ui::FrameTimes& times = headless.workbench().times();
    const std::array<double, 5> spent{whole, times.updateMs, times.sceneMs, times.imguiMs, times.recordMs};
    for (std::size_t part = 0; part < spent.size(); ++part)
      parts[part].milliseconds.push_back(spent[part]);
  }
  return parts;
}

/// Frames of the whole interface while the pointer moves over the picture, then while it drags a point.
Result<BenchResult> canvasFrame(const Options& common) {
  const Result<Prepared> prepared = withOnePoint(common);
  if (!prepared) return tl::unexpected(prepared.error());
  Headless& headless = *prepared->headless;
  const gpu::Extent extent = headless.extent();
  BenchResult result{"canvas-frame", {}, {}, 0, headless.context().info().name};
  const auto append = [&result](std::vector<Measurement> parts) {
    for (Measurement& part : parts)
      result.measurements.push_back(std::move(part));
  };
  auto hover = frameRow(headless, "hover-",
                        trf(N_("whole frame at {} x {} while the pointer moves"), extent.width, extent.height),
                        prepared->handle);
  if (!hover) return tl::unexpected(hover.error());
  append(std::move(*hover));

  const Result<void> pressed = press(headless, prepared->handle);
  if (!pressed) return tl::unexpected(pressed.error());
  auto drag = frameRow(headless, "drag-", tr(N_("whole frame while a point is dragged")), prepared->handle);
  if (!drag) return tl::unexpected(drag.error());
  append(std::move(*drag));
  return result;
}

}  // namespace

double Measurement::median() const {
  if (milliseconds.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::span<const BenchEntry> benchmarks() {
  static constexpr std::array kBenchmarks{
      BenchEntry{"flow-path", N_("one path of gradient flow on the CPU, alone and from the pointer's event on"),
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
      BenchEntry{"session", N_("sessions that open, edits and their undo with a thousand points"), benchSession},
      BenchEntry{"figure", N_("a hundred trajectories as SVG, PDF and PNG"), benchFigure},
      BenchEntry{"weights-scores", N_("scores of a layer and of its heads, from the factors of GPT-2's shape"),
                 benchWeightsScores},
      BenchEntry{"weights-open", N_("GPT-2's shape from the file to the first heat map"), benchWeightsOpen},
      BenchEntry{"weights-large", N_("a head of a model of 8 billion weights from its files to the first picture"),
                 benchWeightsLarge},
      BenchEntry{"weights-move", N_("frames while a matrix of 4096 x 4096 is moved and zoomed"), benchWeightsMove},
      BenchEntry{"gemm", N_("products of matrices in the shapes of training, one and two threads"), benchGemm, true},
      BenchEntry{"train-a10", N_("steps of training: masked diffusion, width 256, 256 sequences of 10"), benchTrainA10,
                 true},
      BenchEntry{"train-a40", N_("the same, sequences of 40"), benchTrainA40, true},
      BenchEntry{"train-b8", N_("steps of training: Markov chains, width 8, 16 sequences of 1024"), benchTrainB8, true},
      BenchEntry{"train-b64", N_("the same, width 64"), benchTrainB64, true},
      BenchEntry{"train-c15", N_("steps of training: 4 layers of BERT-Mini, 32 sequences of 128, 15 % masked"),
                 benchTrainC15, true},
      BenchEntry{"train-d", N_("steps of training: 6 layers of a small GPT, 8 sequences of 256"), benchTrainD, true},
  };
  return kBenchmarks;
}

}  // namespace sepx::app::cli
