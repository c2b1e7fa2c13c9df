// SPDX-License-Identifier: Apache-2.0
// Benchmarks of checkpoints: scores of a layer and of its 12 heads (d_model 768, d_h 64) from factors; GPT-2's shape
// from the file to the first heat map; one head (4096 x 4096, d_h 128) of a sharded BF16 checkpoint of 8 billion
// weights with its memory use, and frames while it is dragged and zoomed. The files are synthetic and are removed
// afterwards. The peer for the scores is tests/bench/numpy_scores.py, with the same shapes. Windows run in real time,
// as in the programs: a frame never waits for a job.
#include "tests/bench/cases/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <thread>
#include <utility>

#include "app/cli/text.h"
#include "engine/attention/scores.h"
#include "engine/attention/tiles.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/clock.h"
#include "engine/core/file.h"
#include "engine/core/number.h"
#include "engine/core/regular_file.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/gpu/offscreen_target.h"
#include "tests/bench/cases/bench_checkpoints.h"
#include "ui/workbench/workbench.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;
using attention::LayerFactors;

LayerFactors gpt2Factors() {
  constexpr int kModel = 768, kHeads = 12, kHead = 64;
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0, 0.03);
  LayerFactors factors{kHeads, kHead, attention::Matrix(kModel, kModel), attention::Matrix(kModel, kModel), {}};
  for (attention::Matrix* matrix : {&factors.W_Q, &factors.W_K})
    std::generate(matrix->data(), matrix->data() + matrix->size(), [&] { return normal(generator); });
  for (int h = 0; h < kHeads; ++h)
    factors.keyHead.push_back(h);
  return factors;
}

/// An offscreen window that runs in real time.
class Live {
 public:
  static Result<std::unique_ptr<Live>> create(const Options& common);
  ~Live() {
    if (workbench_) workbench_->releaseGpu();
  }

  ui::Workbench& workbench() { return *workbench_; }
  const gpu::Context& context() const { return *context_; }
  gpu::Extent extent() const { return target_->extent(); }
  Result<void> frame(std::vector<ui::InputEvent> events = {});
  /// Waits until the device is idle.
  void finish() { context_->waitIdle(); }
  /// Draws frames until `done` returns true, for at most one minute.
  Result<void> until(const std::function<bool()>& done);

 private:
  std::unique_ptr<gpu::Context> context_;
  std::unique_ptr<gpu::OffscreenTarget> target_;
  std::unique_ptr<ui::Workbench> workbench_;
  Clock::time_point start_ = Clock::now();
};

Result<std::unique_ptr<Live>> Live::create(const Options& common) {
  auto live = std::make_unique<Live>();
  SEPX_ASSIGN(live->context_, gpu::Context::create(contextOptions(common, false)));
  SEPX_ASSIGN(live->target_, gpu::OffscreenTarget::create(*live->context_, common.sizeOrDefault()));
  live->workbench_ = std::make_unique<ui::Workbench>(workbenchOptions(common, false));
  return live;
}

Result<void> Live::frame(std::vector<ui::InputEvent> events) {
  ui::HostFrame host;
  host.seconds = millisecondsSince(start_) / 1000;
  host.events = std::move(events);
  if (workbench_->frame(*target_, host) == gpu::TargetStatus::Lost)
    return fail(ErrorKind::NoDevice, tr(N_("the Vulkan device was lost while drawing")));
  return {};
}

Result<void> Live::until(const std::function<bool()>& done) {
  const Clock::time_point start = Clock::now();
  while (millisecondsSince(start) < 60'000) {
    SEPX_TRY(frame());
    if (done()) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return fail(ErrorKind::Internal, tr(N_("the picture was not drawn")) + (": " + workbench_->statusLine()));
}

/// Whether there is a picture: weights.device then names the device that computed it.
bool pictureThere(const ui::Workbench& workbench) {
  const Result<ui::Value> device = workbench.get("weights.device");
  const auto* name = device ? std::get_if<std::string>(&*device) : nullptr;
  return name && !name->empty();
}

/// A window that is open and idle.
Result<std::unique_ptr<Live>> idleWindow(const Options& common) {
  SEPX_ASSIGN(auto live, Live::create(common));
  for (int i = 0; i < 5; ++i)
    SEPX_TRY(live->frame());
  return live;
}

/// Opens `head` of layer 0 (-1: all heads) and waits for its picture.
Result<void> openHead(Live& live, const std::string& path, double head) {
  ui::Workbench& workbench = live.workbench();
  SEPX_TRY(workbench.open(path));
  SEPX_TRY(workbench.set("weights.head", head));
  return live.until([&workbench] { return pictureThere(workbench); });
}

/// The time from the file to the frame that shows the first picture, in a new window each time.
Result<Measurement> windowOpens(const Options& common, const std::string& path, double head, std::string what) {
  constexpr int kTimes = 5;
  Measurement opens{"window", std::move(what), {}};
  for (int i = -1; i < kTimes; ++i) {
    SEPX_ASSIGN(auto live, idleWindow(common));
    const Clock::time_point start = Clock::now();
    SEPX_TRY(openHead(*live, path, head));
    if (i >= 0) opens.milliseconds.push_back(millisecondsSince(start));
  }
  return opens;
}

/// Computes a picture from the file. The model is opened again each time, because no object keeps it.
Result<void> pictureOf(const std::string& path, int head, Eigen::Index step, ThreadPool& pool) {
  SEPX_ASSIGN(auto model, checkpoint::openModel(path));
  const checkpoint::AttentionLayer* layer = model->map.find(checkpoint::Stack::Self, 0);
  if (!layer) return fail(ErrorKind::Internal, tr(N_("the synthetic checkpoint was not recognised")));
  checkpoint::FactorOptions options;
  options.head = head;
  SEPX_ASSIGN(auto factors, checkpoint::loadFactors(*model->checkpoint, *layer, options));
  const auto shared = std::make_shared<const LayerFactors>(std::move(factors));
  const auto tiles = attention::makeTileSource(shared, &pool);
  const attention::Crop whole{0, tiles->rows(), 0, tiles->columns()};
  if (tiles->picture(whole, step, attention::Part::Full, attention::Pool::Extreme).values.empty())
    return fail(ErrorKind::Internal, tr(N_("the picture was not drawn")));
  return {};
}

/// The value of a field of /proc/self/status, MiB.
double statusMib(const char* field) {
  std::istringstream in(readFile("/proc/self/status").value_or(std::string()));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(field)) {
      const auto digits = line.find_first_of("0123456789");
      const auto number = parseNumber(line.substr(digits, line.find(' ', digits) - digits));
      return number ? *number / 1024 : std::nan("");
    }
  return std::nan("");
}

/// Resets the peak of the resident memory, if the system allows it.
void forgetPeak() {
  const Descriptor file = openInPlace("/proc/self/clear_refs");
  [[maybe_unused]] const ssize_t written = ::write(file.get(), "5", 1);
}

}  // namespace

Result<BenchResult> benchWeightsScores(const Options& common) {
  constexpr int kTimes = 21;
  ThreadPool pool(common.threads);
  const LayerFactors factors = gpt2Factors();
  const attention::ScoreOptions options;
  Measurement layer{"layer", trf(N_("scores of one layer in double precision, {} threads"), pool.size()), {}};
  Measurement heads{"heads", trf(N_("scores of its 12 heads in double precision, {} threads"), pool.size()), {}};
  double sum = 0;  // used below, so that nothing is optimised away
  const Result<void> layerRan = measure(layer, {kTimes}, [&]() -> Result<void> {
    sum += attention::scoresOf(*attention::momentsOf(factors, &pool), options).symmetry;
    return {};
  });
  const Result<void> headsRan = measure(heads, {kTimes}, [&]() -> Result<void> {
    const std::optional<std::vector<attention::Moments>> all = attention::momentsOfHeads(factors, &pool);
    for (const attention::Moments& moments : *all)
      sum += attention::scoresOf(moments, options).symmetry;
    return {};
  });
  if (!layerRan || !headsRan || !std::isfinite(sum))
    return fail(ErrorKind::Internal, tr(N_("the scores are not numbers")));
  return BenchResult{"weights-scores", {std::move(layer), std::move(heads)}};
}

Result<BenchResult> benchWeightsOpen(const Options& common) {
  const BenchFolder folder;
  SEPX_ASSIGN(const std::string path, writeGpt2Shape(folder.path() + "/gpt2"));
  ThreadPool pool(common.threads);
  Measurement picture{"picture", tr(N_("from the file to the 768 x 768 entries of layer 0")), {}};
  SEPX_TRY(measure(picture, {9}, [&] { return pictureOf(path, -1, 1, pool); }));
  BenchResult result{"weights-open", {std::move(picture)}};
  auto window =
      windowOpens(common, path, -1, tr(N_("from the file to the frame that shows the heat map, idle window")));
  if (!window && window.error().kind != ErrorKind::NoDevice) return tl::unexpected(window.error());
  if (window) result.measurements.push_back(std::move(*window));
  return result;
}

Result<BenchResult> benchWeightsLarge(const Options& common) {
  const BenchFolder folder;
  SEPX_ASSIGN(const std::string path, writeLlamaShape(folder.path() + "/llama"));
  ThreadPool pool(common.threads);
  forgetPeak();
  Measurement picture{"picture", tr(N_("from the files to a picture of all 4096 x 4096 entries of a head")), {}};
  SEPX_TRY(measure(picture, {7}, [&] { return pictureOf(path, 0, 6, pool); }));
  BenchResult result{"weights-large", {std::move(picture)}};
  result.amounts.push_back({"resident-mib", tr(N_("peak resident memory, MiB")), statusMib("VmHWM")});
  forgetPeak();
  auto window = windowOpens(common, path, 0, tr(N_("from the files to the frame that shows it, idle window")));
  if (!window && window.error().kind != ErrorKind::NoDevice) return tl::unexpected(window.error());
  if (!window) return result;
  result.measurements.push_back(std::move(*window));
  result.amounts.push_back(
      {"window-resident-mib", tr(N_("peak resident memory of the whole window, MiB")), statusMib("VmHWM")});
  return result;
}

namespace {

/// Measures one frame with `events` until the device has drawn it, then sleeps for the rest of 1/60 s, so that jobs run
/// as they do with a screen at 60 Hz.
Result<void> oneFrame(Live& live, Measurement& frames, std::vector<ui::InputEvent> events) {
  const Clock::time_point start = Clock::now();
  SEPX_TRY(live.frame(std::move(events)));
  live.finish();
  const double spent = millisecondsSince(start);
  frames.milliseconds.push_back(spent);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(std::max(0.0, 1000.0 / 60 - spent)));
  return {};
}

Result<void> drag(Live& live, Measurement& frames, double x, double y) {
  constexpr int kFrames = 120;
  SEPX_TRY(live.frame({ui::PointerMoved{x, y}, ui::PointerPressed{ui::Button::Left, true, x, y, {}}}));
  for (int i = 1; i <= kFrames; ++i) {
    const double turn = i * 6.283 / kFrames;  // a circle of 200 pixels in diameter, back to the start
    const ui::PointerMoved to{x + 100 * (1 - std::cos(turn)), y + 100 * std::sin(turn)};
    SEPX_TRY(oneFrame(live, frames, {to}));
  }
  return live.frame({ui::PointerPressed{ui::Button::Left, false, x, y, {}}});
}

Result<void> wheel(Live& live, Measurement& frames, double notches) {
  constexpr int kFrames = 60;
  for (int i = 0; i < kFrames; ++i)
    SEPX_TRY(oneFrame(live, frames, {ui::Scrolled{0, notches / kFrames}}));
  return {};
}

Amount shareWithin(const Measurement& frames, const char* name, double limit) {
  const auto within =
      std::count_if(frames.milliseconds.begin(), frames.milliseconds.end(), [limit](double ms) { return ms <= limit; });
  return {name, trf(N_("share of these frames within {} ms"), formatFixed(limit, 1)),
          static_cast<double>(within) / static_cast<double>(frames.milliseconds.size())};
}

}  // namespace

Result<BenchResult> benchWeightsMove(const Options& common) {
  SEPX_ASSIGN(auto live, idleWindow(common));
  const BenchFolder folder;
  SEPX_ASSIGN(const std::string path, writeLlamaShape(folder.path() + "/llama"));
  SEPX_TRY(openHead(*live, path, 0));
  const double x = 0.4 * live->extent().width, y = 0.5 * live->extent().height;
  const gpu::Extent extent = live->extent();
  Measurement zoom{
      "zoom-frame",
      trf(N_("frame at {} x {} while the wheel turns, one head of 4096 x 4096"), extent.width, extent.height),
      {}};
  Measurement move{"drag-frame", tr(N_("frame while the matrix is dragged, zoomed four times")), {}};
  SEPX_TRY(live->frame({ui::PointerMoved{x, y}}));
  for (int round = 0; round < 2; ++round) {
    SEPX_TRY(wheel(*live, zoom, 6));
    SEPX_TRY(drag(*live, move, x, y));
    SEPX_TRY(wheel(*live, zoom, -6));
  }
  BenchResult result{.name = "weights-move", .device = live->context().info().name};
  constexpr double kThirtyASecond = 1000.0 / 30;
  result.amounts = {shareWithin(zoom, "zoom-within-33", kThirtyASecond),
                    shareWithin(move, "drag-within-33", kThirtyASecond)};
  result.measurements = {std::move(zoom), std::move(move)};
  return result;
}

}  // namespace sepx::app::cli
