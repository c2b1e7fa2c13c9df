// SPDX-License-Identifier: Apache-2.0
// The benchmarks; see bench.h. Each warms up first, so that caches and pipelines are not what is measured.
#include "app/cli/bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>

#include "app/cli/text.h"
#include "app/headless.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/flow.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr std::array<double, 2> kChain{0.5, 0.8};  // the program's first picture

/// A point of the first picture's window, path included: what one move of the pointer asks of the CPU.
Result<BenchResult> flowPath(const Options&) {
  constexpr int kSide = 20;
  const markov::Chain chain{kChain[0], kChain[1]};
  Measurement paths{"flow-path", tr(N_("pointer move to finished path, one point of (e,w) in [-1.5,1.5]^2")), {}};
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
  return BenchResult{"flow-path", {std::move(paths)}, {}, 0, {}};
}

/// Runs `once` a first time unmeasured, then `times` times.
Result<void> measure(Measurement& measurement, int times, const std::function<Result<void>()>& once) {
  for (int i = -1; i < times; ++i) {
    const Clock::time_point start = Clock::now();
    if (const Result<void> done = once(); !done) return done;
    if (i >= 0) measurement.milliseconds.push_back(millisecondsSince(start));
  }
  return {};
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
    dynamics::integrateBasinMap(*field, kChain, window, {}, pool);
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
  const std::vector<double> start{0.4, 0.2};
  auto headless = Headless::create(common);
  if (!headless) return tl::unexpected(headless.error());
  ui::Workbench& workbench = (*headless)->workbench();
  if (const Result<void> added = workbench.addPoint(start); !added) return tl::unexpected(added.error());
  if (const Result<void> settled = (*headless)->settle(); !settled) return tl::unexpected(settled.error());
  const std::optional<render::Point> handle = workbench.toPixels("flow", {start[0], start[1]});
  if (!handle) return fail(ErrorKind::Internal, tr(N_("the picture has no canvas to move over")));

  const gpu::Extent extent = (*headless)->extent();
  BenchResult result{"canvas-frame", {}, {}, 0, (*headless)->context().info().name};
  const auto append = [&result](std::vector<Measurement> parts) {
    for (Measurement& part : parts)
      result.measurements.push_back(std::move(part));
  };
  auto hover =
      frameRow(**headless, "hover-",
               trf(N_("whole frame at {} x {} while the pointer moves"), extent.width, extent.height), *handle);
  if (!hover) return tl::unexpected(hover.error());
  append(std::move(*hover));

  const Result<void> pressed = (*headless)->frame(
      {ui::PointerMoved{handle->x, handle->y}, ui::PointerPressed{ui::Button::Left, true, handle->x, handle->y, {}}});
  if (!pressed) return tl::unexpected(pressed.error());
  auto drag = frameRow(**headless, "drag-", tr(N_("whole frame while a point is dragged")), *handle);
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
      BenchEntry{"flow-path", N_("one path of gradient flow on the CPU"), flowPath},
      BenchEntry{"basin-map", N_("integrated basin map, kernel against CPU twin"), basinMap},
      BenchEntry{"canvas-frame", N_("frames of the whole interface, offscreen"), canvasFrame},
  };
  return kBenchmarks;
}

}  // namespace sepx::app::cli
