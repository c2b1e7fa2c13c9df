// SPDX-License-Identifier: Apache-2.0
// Starts and refines the flow texture. The frame thread only starts jobs, takes over what they published and gives the
// kernel its slice.
#include "ui/exhibits/flow/plane/texture_results.h"

#include <algorithm>
#include <cmath>

#include "engine/core/clock.h"
#include "engine/core/number.h"
#include "engine/gpu/device_name.h"
#include "ui/exhibits/flow/shared/flow_basin.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kKernelBudgetMs = 6;  // a frame, so that the window stays alive
constexpr int kLevels[] = {4, 2, 1};
constexpr int kRunningDivisor = 2;

using Clock = std::chrono::steady_clock;

/// The same texture in coarser pixels.
dynamics::LicOptions coarser(dynamics::LicOptions options, int divisor) {
  options.length = std::max(4.0, options.length / divisor);
  options.grain = std::max(1.0, options.grain / divisor);
  return options;
}

/// The standing texture in levels, then if wanted a turn of the running one.
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

/// A script's pictures must not depend on the machine's speed.
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
  if (kernelRuns_) advanceKernel();
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
  if (frames_.size() > 1) {  // of another field or place: only the first goes on standing in
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
        constexpr double kAll = 1 + 1 / 4.0 + 1 / 16.0;  // pixels of all levels, in those of the finest
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

bool FlowTextures::makeKernel(ExhibitContext& context, bool aloud) {
  if (kernelField_ != request_->model.field) {
    kernel_.reset();
    kernelFailed_ = false;
    kernelField_ = request_->model.field;
  }
  if (kernel_ || kernelFailed_) return kernel_ != nullptr;
  Result<std::unique_ptr<gpu::LicKernel>> made = gpu::LicKernel::create(*context.gpu, *kernelField_);
  kernelFailed_ = !made;
  if (made)
    kernel_ = std::move(*made);
  else if (aloud)
    context.editor.say(made.error().sentence);
  return kernel_ != nullptr;
}

bool FlowTextures::startKernel(ExhibitContext& context) {
  const bool measured = gpuPerPixel_ && cpuPerPixel_ && *gpuPerPixel_ < *cpuPerPixel_;
  const bool wanted =
      context.compute == Compute::Gpu || (context.compute == Compute::Auto && !context.scripted && measured);
  if (!context.gpu || !wanted || request_->running || !makeKernel(context, true)) return false;
  deviceName_ = gpu::deviceName(*context.gpu);
  startStage(kLevels[0]);
  return true;
}

void FlowTextures::startStage(int divisor) {
  stage_ = divisor;
  kernel_->start(request_->model.parameters, reduced(request_->window, divisor), coarser(request_->options, divisor));
  if (divisor == kLevels[0]) kernelStarted_ = Clock::now();
  kernelRuns_ = true;
}

void FlowTextures::advanceKernel() {
  if (kernel_->advance(kKernelBudgetMs)) return;
  const double elapsed = millisecondsSince(kernelStarted_);
  kernelRuns_ = false;
  if (kernelProbes_) {
    kernelProbes_ = false;
    gpuPerPixel_ = elapsed / static_cast<double>(std::max<std::size_t>(1, kernel_->texture().levels.size()));
    return;
  }
  frames_ = {std::make_shared<dynamics::FlowTexture>(kernel_->texture())};
  device_ = madeBy(deviceName_, elapsed);
  ++revision_;
  if (stage_ != 1) startStage(1);
}

// With a device and nobody's decision, a quarter of the picture is given to the kernel once: its time a pixel, waiting
// for frames included, against the CPU's.
void FlowTextures::probeKernel(ExhibitContext& context) {
  if (context.compute != Compute::Auto || context.scripted || !context.gpu || request_->running) return;
  if (!cpuPerPixel_ || gpuPerPixel_ || kernelFailed_ || kernelRuns_ || !makeKernel(context, false)) return;
  startStage(kLevels[0]);
  kernelProbes_ = true;
}

void FlowTextures::collect(ExhibitContext& context) {
  if (!job_.refresh(context.jobs)) return;
  const Part& part = *job_.result();
  frames_ = part.frames;
  device_ = madeBy(tr("CPU"), part.milliseconds);
  if (part.perPixel > 0) cpuPerPixel_ = part.perPixel;
  ++revision_;
}

void FlowTextures::releaseGpu() {
  if (kernelRuns_ && !kernelProbes_) request_.reset();  // what the device was working on is made anew
  kernel_.reset();
  kernelField_ = nullptr;
  kernelRuns_ = kernelProbes_ = kernelFailed_ = false;
  gpuPerPixel_.reset();
}

}  // namespace sepx::ui
