// SPDX-License-Identifier: Apache-2.0
// The flow texture of the window: line integral convolution, computed by a job in levels (1/4, 1/2, 1 of the
// resolution) or by a compute kernel, one slice per frame. Which of the two is faster on this machine is measured once,
// unless the user or a script has chosen. A running texture is a cycle of phases at half the resolution, computed once.
// Frame thread.
#include "ui/exhibits/flow/plane/texture_layer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/clock.h"
#include "engine/core/number.h"
#include "engine/dynamics/lic.h"
#include "engine/gpu/kernels/kernels.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_basin.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

struct TextureRequest {
  FlowModel model;
  dynamics::BasinWindow window;
  dynamics::LicOptions options;
  bool running = false;
  bool operator==(const TextureRequest&) const = default;
};

using TexturePointer = std::shared_ptr<const dynamics::FlowTexture>;

class FlowTextures {
 public:
  static constexpr int kPhases = 12;  ///< in one cycle

  FlowTextures();
  ~FlowTextures();
  /// Takes over finished results and restarts stale ones. With an empty request nothing is shown.
  void update(const std::optional<TextureRequest>& request, ExhibitContext& context);
  /// The finest still texture so far, or one cycle of the running texture; empty while there is none.
  const std::vector<TexturePointer>& frames() const { return frames_; }
  std::uint64_t revision() const { return revision_; }  ///< changes with the frames
  bool complete() const { return job_.complete() && (!kernelRuns_ || kernelProbes_); }
  /// Whether a kernel is working and needs the next frame to continue.
  bool advancing() const { return kernelRuns_; }
  const std::string& device() const { return device_; }  ///< "CPU, 120 ms"
  void releaseGpu();

 private:
  struct Part {
    std::vector<TexturePointer> frames;
    double milliseconds = 0;
    double perPixel = 0;  ///< ms, of the last level; 0: not measured
  };

  void start(ExhibitContext& context);
  void startJob(ExhibitContext& context);
  bool startKernel(ExhibitContext& context);
  void startStage(int divisor);
  void advanceKernel(ExhibitContext& context);
  void abandonLostKernel(ExhibitContext& context);
  void probeKernel(ExhibitContext& context);
  void collect(ExhibitContext& context);
  void clear();
  std::string madeBy(const std::string& device, double milliseconds) const;

  Lane<TextureRequest, Part> job_{"flow.texture"};
  std::optional<TextureRequest> request_;
  std::vector<TexturePointer> frames_;
  std::uint64_t revision_ = 0;
  bool scripted_ = false;
  std::string device_;

  FieldKernel<gpu::LicKernel> kernel_;
  bool kernelRuns_ = false, kernelProbes_ = false;
  bool kernelLost_ = false;  ///< the device is lost and the CPU does its work, until releaseGpu()
  int stage_ = 1;            ///< divisor of the resolution that the kernel works on
  std::chrono::steady_clock::time_point kernelStarted_;
};

namespace {

constexpr double kKernelBudgetMs = 6;  // per frame, so that the window stays responsive
constexpr int kLevels[] = {4, 2, 1};
constexpr int kRunningDivisor = 2;

using Clock = std::chrono::steady_clock;

/// The options of the same texture with coarser pixels.
dynamics::LicOptions coarser(dynamics::LicOptions options, int divisor) {
  options.length = std::max(4.0, options.length / divisor);
  options.grain = std::max(1.0, options.grain / divisor);
  return options;
}

/// Computes the still texture in levels, then on request a cycle of the running texture.
class Work {
 public:
  Work(const TextureRequest& request, ThreadPool& pool, const LaneWork& job)
      : request_(request), pool_(pool), job_(job) {}

  dynamics::FlowTexture standing(int divisor, double before, double weight) const {
    return dynamics::lineIntegralConvolution(
        *request_.model.field, request_.model.parameters, reduced(request_.window, divisor),
        coarser(request_.options, divisor), pool_, [this] { return job_.cancelled(); },
        [this, before, weight](double share) { job_.progress(std::min(1.0, before + share * weight)); });
  }

  std::vector<TexturePointer> running() const {
    dynamics::LicOptions options = coarser(request_.options, kRunningDivisor);
    const dynamics::LicLattice lattice = dynamics::makeLicLattice(
        *request_.model.field, request_.model.parameters, reduced(request_.window, kRunningDivisor), options, pool_);
    std::vector<TexturePointer> frames;
    for (int i = 0; i < FlowTextures::kPhases && !job_.cancelled(); ++i) {
      options.phase = static_cast<double>(i) / FlowTextures::kPhases;
      frames.push_back(std::make_shared<dynamics::FlowTexture>(
          dynamics::convolve(lattice, options, pool_, [this] { return job_.cancelled(); })));
      job_.progress((i + 1.0) / FlowTextures::kPhases);
    }
    return frames;
  }

 private:
  const TextureRequest& request_;
  ThreadPool& pool_;
  const LaneWork& job_;
};

}  // namespace

FlowTextures::FlowTextures() = default;
FlowTextures::~FlowTextures() = default;

/// The pictures of a script must not depend on the speed of the machine, so they show no time.
std::string FlowTextures::madeBy(const std::string& device, double milliseconds) const {
  return scripted_ ? device : device + ", " + formatFixed(milliseconds, 0) + " ms";
}

void FlowTextures::update(const std::optional<TextureRequest>& request, ExhibitContext& context) {
  scripted_ = context.scripted;
  collect(context);
  if (!request) {
    if (request_) clear();
    return;
  }
  if (!request_ || !(*request_ == *request)) {
    request_ = request;
    start(context);
  }
  if (kernelRuns_) advanceKernel(context);
  if (complete()) probeKernel(context);
}

void FlowTextures::clear() {
  job_.clear();
  if (kernel_) kernel_->cancel();
  kernelRuns_ = kernelProbes_ = false;
  request_.reset();
  frames_.clear();
  device_.clear();
  ++revision_;
}

void FlowTextures::start(ExhibitContext& context) {
  if (kernel_) kernel_->cancel();
  kernelRuns_ = kernelProbes_ = false;
  if (frames_.size() > 1) {  // of another field or window: only the first stays, as a placeholder
    frames_.resize(1);
    ++revision_;
  }
  if (startKernel(context))
    job_.clear();
  else
    startJob(context);
}

void FlowTextures::startJob(ExhibitContext& context) {
  job_.start(
      context.jobs, *request_, tr("flow texture"), [&pool = context.pool](const TextureRequest& request, auto& output) {
        const Clock::time_point begin = Clock::now();
        const Work work(request, pool, output);
        constexpr double kAll = 1 + 1 / 4.0 + 1 / 16.0;  // pixels of all levels, relative to the finest
        double before = 0;
        for (const int divisor : kLevels) {
          if (request.running && divisor < kRunningDivisor) break;
          const Clock::time_point levelBegin = Clock::now();
          const double weight = 1 / (kAll * divisor * divisor);
          Part part;
          part.frames.push_back(std::make_shared<dynamics::FlowTexture>(work.standing(divisor, before, weight)));
          before += weight;
          part.milliseconds = millisecondsSince(begin);
          part.perPixel = millisecondsSince(levelBegin) / static_cast<double>(part.frames.front()->levels.size());
          if (!output.publish(std::move(part), divisor == 1)) return;
        }
        if (request.running) output.finish({work.running(), millisecondsSince(begin)});
      });
}

bool FlowTextures::startKernel(ExhibitContext& context) {
  if (request_->running || !kernel_.wanted(context) || !kernel_.make(request_->model.field, context, true))
    return false;
  startStage(kLevels[0]);
  return true;
}

void FlowTextures::startStage(int divisor) {
  stage_ = divisor;
  kernel_->start(request_->model.parameters, reduced(request_->window, divisor), coarser(request_->options, divisor));
  if (divisor == kLevels[0]) kernelStarted_ = Clock::now();
  kernelRuns_ = true;
}

/// Takes no result from a lost device. The CPU takes over its work.
void FlowTextures::abandonLostKernel(ExhibitContext& context) {
  kernel_.setFailed();
  kernelLost_ = !kernelProbes_;
  kernelRuns_ = kernelProbes_ = false;
  if (kernelLost_) startJob(context);
}

void FlowTextures::advanceKernel(ExhibitContext& context) {
  const gpu::KernelState state = kernel_->advance(kKernelBudgetMs);
  if (state == gpu::KernelState::Lost) return abandonLostKernel(context);
  if (state == gpu::KernelState::Working) return;
  const double elapsed = millisecondsSince(kernelStarted_);
  kernelRuns_ = false;
  if (kernelProbes_) {
    kernelProbes_ = false;
    kernel_.gpuCost = elapsed / static_cast<double>(std::max<std::size_t>(1, kernel_->texture().levels.size()));
    return;
  }
  frames_ = {std::make_shared<dynamics::FlowTexture>(kernel_->texture())};
  device_ = madeBy(kernel_.device(), elapsed);
  ++revision_;
  if (stage_ != 1) startStage(1);
}

// If there is a GPU and neither the user nor a script has chosen a device, the kernel makes the texture once at a
// quarter of the resolution. Its time per pixel, including the wait for frames, is compared with that of the CPU.
void FlowTextures::probeKernel(ExhibitContext& context) {
  if (request_->running || kernelRuns_ || !kernel_.unmeasured(context)) return;
  if (!kernel_.make(request_->model.field, context, false)) return;
  startStage(kLevels[0]);
  kernelProbes_ = true;
}

void FlowTextures::collect(ExhibitContext& context) {
  if (!job_.refresh(context.jobs)) return;
  const Part& part = *job_.result();
  frames_ = part.frames;
  device_ = madeBy(tr("CPU"), part.milliseconds);
  if (part.perPixel > 0) kernel_.cpuCost = part.perPixel;
  ++revision_;
}

void FlowTextures::releaseGpu() {
  if ((kernelRuns_ && !kernelProbes_) || kernelLost_) {  // what the device was working on starts again
    job_.cancel();
    request_.reset();
  }
  kernel_.release();
  kernelRuns_ = kernelProbes_ = kernelLost_ = false;
}

namespace {

constexpr int kMostTexels = 1920;
constexpr double kTurnSeconds = 1.0;  // duration of a cycle of the running texture

/// A window with as many pixels as the plot, but no more than the kernel supports. The CPU uses the same size.
dynamics::BasinWindow textureWindow(const render::Rect& view, const render::Rect& plot, double scale) {
  constexpr double kLeastTexels = 8;
  constexpr auto kMost = static_cast<double>(gpu::LicKernel::kMostTexture);
  double columns = std::floor(std::clamp(plot.width() * scale, kLeastTexels, double{kMostTexels}));
  double rows = std::floor(std::clamp(columns * plot.height() / plot.width(), kLeastTexels, 2.0 * kMostTexels));
  if (columns * rows > kMost) {
    const double smaller = std::sqrt(kMost / (columns * rows));
    columns = std::floor(smaller * columns);
    rows = std::floor(smaller * rows);
  }
  return {view.min.x, view.max.x, view.min.y, view.max.y, static_cast<int>(columns), static_cast<int>(rows)};
}

/// Opacities of the theme's colours at the strongest levels.
constexpr float kGroundStrength = 0.6f, kTextStrength = 0.35f;

class TextureLayer final : public PlaneLayer {
 public:
  TextureLayer() : PlaneLayer("flow.show.texture") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    // clang-format off
    declareParameters(registry, {.applies = declaring::onPlane()}, {
        {.key = "flow.show.texture", .label = N_("Flow texture"), .fallback = false,
         .help = N_("Noise smeared along the flow (line integral convolution). It shows the direction everywhere, "
                    "not the speed.")}});
    const Common common{.prefix = "flow.texture.", .applies = declaring::onPlane(whenOn("flow.show.texture"))};
    declareParameters(registry, common, {
        {.key = "length",
         .into = &TextureLayer::length_,
         .label = N_("Streak length"), .symbol = "l", .unit = "pt", .min = 4, .max = 120, .step = 2,
         .digits = 0, .fallback = 24.0, .help = N_("Length over which the noise is averaged along the flow, in each "
                                                   "direction."),
         .formula = "T(x) \\propto \\int_{-l}^{l}\\frac12\\left(1+\\cos\\frac{\\pi s}{l}\\right)\\,n(x_s)\\,ds"},
        {.key = "contrast",
         .into = &TextureLayer::contrast_,
         .label = N_("Contrast"), .min = 0.1, .max = 4, .scale = Scale::Logarithmic, .step = 0.1,
         .digits = 1, .fallback = 1.0, .help = N_("How strongly the streaks stand out.")},
        {.key = "running", .into = &TextureLayer::running_, .label = N_("Streaks move"), .fallback = false,
         .help = N_("The streaks move in the direction of the flow with constant speed, at half the resolution. In "
                    "scripts and figures they do not move.")}});
    declareReadOuts(registry, common, {
        {.key = "device", .label = N_("Device"),
         .help = N_("The device that made the texture and how long it took; the speeds of CPU and GPU are compared "
                    "once."),
         .get = [this](int) { return shown_ ? valueOf(notEmpty(results_.device())) : Value(); }, .detail = true}});
    // clang-format on
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) override {
    PlaneLayer::read(document, registry, state);
    registry.read(document, *this);
  }
  void update(const FlowFrame& frame, ExhibitContext& context) override {
    std::optional<TextureRequest> request = requestOf(frame, context.scale);
    if (request && (context.scripted || context.figure)) request->running = false;
    results_.update(request, context);
    const std::size_t count = results_.frames().size();
    runs_ = request && request->running && count > 1;
    index_ = 0;
    if (!runs_) return;
    const double turn = std::fmod(context.seconds / kTurnSeconds, 1.0);
    index_ = std::min(static_cast<std::size_t>(turn * static_cast<double>(count)), count - 1);
  }
  void views(const FlowFrame&, PlaneViews& into) const override {
    if (!shown_ || results_.frames().empty()) return;
    const TexturePointer texture = results_.frames()[std::min(index_, results_.frames().size() - 1)];
    const auto draw = [texture](const FlowFrame& plane) -> std::vector<render::Item> {
      return {labelMapOf(texture->window, {texture, &texture->levels}, texturePalette(plane.theme), {})};
    };
    into.add(PlaneLevel::Ground, "texture", Digest().add(results_.revision(), index_), draw, !runs_);
  }
  std::uint64_t contentDigest() const override { return Digest().add(results_.revision(), index_, runs_).value(); }
  void panel(const FlowFrame&, ExhibitContext&, PagePanel& panel) override {
    if (!shown_) return;
    panel.group(tr("Flow texture"), "flow.texture.", {"length", "contrast", "running", "device"});
  }
  bool complete() const override { return !shown_ || results_.complete(); }
  bool animating() const override { return shown_ && (results_.advancing() || runs_); }
  std::string status() const override {
    return shown_ && !results_.device().empty() ? std::string(tr("texture")) + ": " + results_.device() : "";
  }
  std::string caption(const FlowState&) const override {
    return shown_ ? tr("streaks: noise smeared along the flow (line integral convolution)") : "";
  }
  void releaseGpu() override { results_.releaseGpu(); }

 private:
  std::optional<TextureRequest> requestOf(const FlowFrame& frame, float scale) const {
    const render::Rect &plot = frame.layout.plot, &view = frame.state.view;
    if (!shown_ || plot.width() < 8 || plot.height() < 8) return std::nullopt;
    TextureRequest request;
    request.model = frame.state;
    request.window = textureWindow(view, plot, static_cast<double>(scale));
    const double pixels = request.window.width / plot.width();  // per point
    request.options.length = length_ * pixels;
    request.options.contrast = contrast_;
    request.options.grain = std::max(1.0, pixels);
    request.running = running_;
    return request;
  }

  bool running_ = false;
  double length_ = 24, contrast_ = 1;
  FlowTextures results_;
  bool runs_ = false;      ///< the texture moves now
  std::size_t index_ = 0;  ///< of the frame shown
};

}  // namespace

std::vector<render::Color> texturePalette(const Theme& theme) {
  std::vector<render::Color> palette;
  for (int level = 0; level < 256; ++level) {
    const float part = static_cast<float>(level - dynamics::kLicNeutral) / 127;
    palette.push_back(part < 0 ? faded(theme.plotBackground, kGroundStrength * std::min(1.0f, -part))
                               : faded(theme.text, kTextStrength * part));
  }
  return palette;
}

std::unique_ptr<PlaneLayer> makeTextureLayer() {
  return std::make_unique<TextureLayer>();
}

}  // namespace sepx::ui
