// SPDX-License-Identifier: Apache-2.0
// What sepx-bench measures: medians of wall time on this machine, in milliseconds. A measurement that cannot be made
// here has no median but says why. Frame thread.
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
  std::string what;  ///< one line for people
  std::vector<double> milliseconds;
  double median() const;
};

struct Rounds {
  int times = 1;
  int warmUp = 1;  ///< rounds before them that are not measured
};
/// Wall time of `once`.
Result<void> measure(Measurement& measurement, Rounds rounds, const std::function<Result<void>()>& once);
/// `row` answers the milliseconds of each of the measurements; i is negative while it warms up.
Result<void> measureParts(std::vector<Measurement>& parts, Rounds rounds,
                          const std::function<Result<std::vector<double>>(int i)>& row);

/// What is not a time: memory, a share.
struct Amount {
  std::string name;  ///< "resident-mib"
  std::string what;  ///< one line for people, with the unit
  double value = 0;
};

/// Time against size.
struct Scaling {
  std::string name;                             ///< "particles"
  std::string what;                             ///< one line for people
  std::string size;                             ///< what the sizes count: "particles"
  std::vector<double> sizes{}, milliseconds{};  ///< ascending; medians

  /// b of t = a n^b, by least squares of the logarithms from the size `first` on; NaN of fewer than two.
  double exponent(std::size_t first = 0) const;
  /// That of the two largest.
  double lastExponent() const { return exponent(sizes.size() < 2 ? 0 : sizes.size() - 2); }
};

/// One benchmark: its measurements, and a ratio of the first two medians where that is the point.
struct BenchResult {
  std::string name;
  std::vector<Measurement> measurements{};
  std::string ratioName{};  ///< "kernel / cpu"; empty: none
  double ratio = 0;
  std::string device{};  ///< of the GPU part, empty: none
  std::vector<Amount> amounts{};
  std::vector<Scaling> scalings{};
};

struct BenchEntry {
  const char* name;
  const char* description;  ///< N_("…")
  Result<BenchResult> (*run)(const Options& common);
  bool onlyByName = false;  ///< takes long: not part of the whole list
};
std::span<const BenchEntry> benchmarks();

/// The interface with `count` points on a spiral that crosses all basins, settled.
Result<std::unique_ptr<Headless>> withPoints(const Options& common, int count);
/// The interface with one point, and the pixel of its handle.
struct OnePoint {
  std::unique_ptr<Headless> headless;
  render::Point handle;
};
Result<OnePoint> withOnePoint(const Options& common);
/// Presses the pointer at a place.
Result<void> press(Headless& headless, render::Point at);

/// A device with a page to draw on, for benchmarks that draw scenes without the interface.
struct BenchStage {
  std::unique_ptr<gpu::Context> context;
  std::unique_ptr<render::VulkanRenderer> renderer;
  std::unique_ptr<gpu::OffscreenTarget> target;

  /// NoDevice where there is none.
  static Result<BenchStage> create(const Options& common, gpu::Extent extent);
  /// One frame of the page to the end of the device's work.
  Result<void> draw(const render::Scene& page);
};

// What each of them measures stands at the top of its source.
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
