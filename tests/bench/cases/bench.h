// SPDX-License-Identifier: Apache-2.0
// The measurements of sepx-bench: medians of wall time on this machine, in milliseconds. A benchmark that cannot run
// here returns an error with the reason. Frame thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/headless.h"
#include "app/options.h"
#include "engine/core/result.h"
#include "engine/gpu/context.h"
#include "engine/gpu/offscreen_target.h"
#include "engine/render/scene.h"
#include "engine/render/vulkan_renderer.h"

namespace sepx::app::cli {

struct Measurement {
  std::string name;  ///< "flow-path"
  std::string what;  ///< description, one line
  std::vector<double> milliseconds;
  double median() const;
};

struct Rounds {
  int times = 1;
  int warmUp = 1;  ///< preceding rounds that are not measured
};
/// Measures the wall time of `once`.
Result<void> measure(Measurement& measurement, Rounds rounds, const std::function<Result<void>()>& once);
/// `row` returns the milliseconds of each measurement; i is negative during the warm-up.
Result<void> measureParts(std::vector<Measurement>& parts, Rounds rounds,
                          const std::function<Result<std::vector<double>>(int i)>& row);

/// A result that is not a time, such as memory or a share.
struct Amount {
  std::string name;  ///< "resident-mib"
  std::string what;  ///< description with the unit, one line
  double value = 0;
};

/// Time against size.
struct Scaling {
  std::string name;                             ///< "particles"
  std::string what;                             ///< description, one line
  std::string size;                             ///< what the sizes count: "particles"
  std::vector<double> sizes{}, milliseconds{};  ///< ascending; medians

  /// The exponent b of t = a n^b by least squares of the logarithms, over the sizes from index `first` on. NaN if there
  /// are fewer than two.
  double exponent(std::size_t first = 0) const;
  /// The exponent of the two largest sizes.
  double lastExponent() const { return exponent(sizes.size() < 2 ? 0 : sizes.size() - 2); }
};

/// The result of one benchmark: its measurements, and a ratio of two medians if it compares two cases.
struct BenchResult {
  std::string name;
  std::vector<Measurement> measurements{};
  std::string ratioName{};  ///< "kernel / cpu"; empty: none
  double ratio = 0;
  std::string device{};  ///< the GPU device; empty: none
  std::vector<Amount> amounts{};
  std::vector<Scaling> scalings{};
};

struct BenchEntry {
  const char* name;
  const char* description;  ///< N_("…")
  Result<BenchResult> (*run)(const Options& common);
  bool onlyByName = false;  ///< takes long; runs only if it is named
};
std::span<const BenchEntry> benchmarks();

/// The settled interface with `count` points on a spiral that crosses all basins.
Result<std::unique_ptr<Headless>> withPoints(const Options& common, int count);
/// The interface with one point, and the pixel of its handle.
struct OnePoint {
  std::unique_ptr<Headless> headless;
  render::Point handle;
};
Result<OnePoint> withOnePoint(const Options& common);
/// Moves the pointer to `at` and presses the left button.
Result<void> press(Headless& headless, render::Point at);

/// A device with a page to draw on, for benchmarks that draw scenes without the interface.
struct BenchStage {
  std::unique_ptr<gpu::Context> context;
  std::unique_ptr<render::VulkanRenderer> renderer;
  std::unique_ptr<gpu::OffscreenTarget> target;

  /// Fails with NoDevice if there is no device.
  static Result<BenchStage> create(const Options& common, gpu::Extent extent);
  /// Draws one frame of the page and waits until the device has finished.
  Result<void> draw(const render::Scene& page);
};

// The comment at the top of each source file describes its benchmarks.
Result<BenchResult> benchFlowBatch(const Options& common);
Result<BenchResult> benchBasinScreen(const Options& common);
Result<BenchResult> benchParticles(const Options& common);
Result<BenchResult> benchTexture(const Options& common);
Result<BenchResult> benchSpace(const Options& common);
Result<BenchResult> benchFramesTraining(const Options& common);
Result<BenchResult> benchTrainingPage(const Options& common);
Result<BenchResult> benchSession(const Options& common);
Result<BenchResult> benchFigure(const Options& common);
Result<BenchResult> benchLibrary(const Options& common);
Result<BenchResult> benchWeightsScores(const Options& common);
Result<BenchResult> benchWeightsOpen(const Options& common);
Result<BenchResult> benchWeightsLarge(const Options& common);
Result<BenchResult> benchWeightsMove(const Options& common);
Result<BenchResult> benchForward(const Options& common);
Result<BenchResult> benchTokenizer(const Options& common);
Result<BenchResult> benchGemm(const Options& common);
Result<BenchResult> benchScaling(const Options& common);
Result<BenchResult> benchLimits(const Options& common);
/// `name` of a TrainBenchCase (bench_train.h).
Result<BenchResult> benchTrain(const Options& common, std::string_view name);

}  // namespace sepx::app::cli
