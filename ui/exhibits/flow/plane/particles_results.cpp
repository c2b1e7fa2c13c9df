// SPDX-License-Identifier: Apache-2.0
// Keeps the particle cloud running. The frame thread starts a job or submits a step, and takes over finished pictures.
#include "ui/exhibits/flow/plane/particles_results.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/core/number.h"
#include "engine/markov/gaussian.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kShownEvery = 15;                     // steps of a long run between two pictures
constexpr int kQuietPictures = 60;                  // after all particles rest, until the trails have faded
constexpr int kProbeAfter = 8, kProbes = 4;         // steps
constexpr double kSlowStepMs = 8;                   // GPU: above this, a second step in flight would delay the window
constexpr double kLeastPace = 0.25, kMostPace = 4;  // steps of 1/60 s per frame, if frames are fast or slow

using Clock = std::chrono::steady_clock;

bool sameSide(const FlowModel& a, const FlowModel& b) {
  const auto side = [](const FlowModel& m) { return m.degenerate() ? 0 : m.chain.switching() > 0 ? 1 : -1; };
  return a.field == b.field && (!a.canonical || side(a) == side(b));
}

}  // namespace

FlowParticles::FlowParticles() = default;
FlowParticles::~FlowParticles() = default;

/// Whether all particles rest permanently and their trails have faded.
bool FlowParticles::atRest() const {
  return quiet_ > kQuietPictures;
}

/// Whether the picture of a cloud that does not move is still incomplete.
bool FlowParticles::due() const {
  if (cancelled_) return false;
  return !fresh_ || stepsShown() < static_cast<std::uint64_t>(request_->steps) ||
         !(picture_->window == request_->window);
}

bool FlowParticles::complete() const {
  return !request_ || (steps_.complete() && (live_ || !due()));
}

bool FlowParticles::advancing() const {
  return request_ && onKernel_ && !live_ && (due() || kernel_->inFlight());
}

/// `exactly`: the picture must not depend on earlier states.
bool FlowParticles::mustRestart(const ParticlesRequest& next, bool exactly) const {
  if (!request_ || next.again != request_->again || !(next.options == request_->options)) return true;
  if (!sameSide(next.model, request_->model)) return true;
  if (!exactly) return false;
  ParticlesRequest same = next;
  same.steps = request_->steps;
  same.runs = request_->runs;
  return !(same == *request_) || stepsShown() > static_cast<std::uint64_t>(next.steps);
}

void FlowParticles::restart() {
  steps_.clear();
  held_.reset();  // launch() allocates it: releaseGpu() calls restart() and must not allocate
  fresh_ = cancelled_ = mixed_ = kernelStarted_ = probing_ = false;
  quiet_ = submitted_ = 0;
  last_.reset();
}

void FlowParticles::update(const std::optional<ParticlesRequest>& request, ExhibitContext& context) {
  scripted_ = context.scripted;
  collect(context);
  if (!request) {
    if (!request_) return;
    restart();
    request_.reset();
    picture_.reset();
    device_.clear();
    exact_.reset();
    exactOf_.reset();
    live_ = false;
    ++revision_;
    return;
  }
  const bool exactly = context.scripted || context.figure;
  const bool again = mustRestart(*request, exactly);
  if (!again && !(request->model == request_->model)) mixed_ = mixed_ || !request->model.canonical;
  if (!(request == request_)) cancelled_ = false;
  request_ = request;
  if (again) {
    restart();
    home_ = request->window;
  }
  updateExact();
  live_ = request->runs && !exactly;
  if (!live_) last_.reset();
  if (kernel_.wanted(context) && makeKernel(context, true)) {
    if (!onKernel_) restart();
    onKernel_ = true;
    updateKernel(context);
    return;
  }
  if (std::exchange(onKernel_, false)) restart();
  updateJob(context);
  probeKernel(context);
}

void FlowParticles::updateExact() {
  const FlowModel& model = request_->model;
  if (!model.canonical || model.degenerate() || request_->options.start != dynamics::ParticleStart::Gauss) {
    exact_.reset();
    exactOf_.reset();
    return;
  }
  const std::pair of{request_->options.sigma, model.chain.switching() > 0};
  if (exactOf_ == of) return;
  exactOf_ = of;
  exact_ = markov::probabilityLocalMinimum(of.first, of.second);
}

/// The step that covers the time since the last one.
dynamics::ParticleStep FlowParticles::paced(double seconds) {
  dynamics::ParticleStep step = request_->step;
  const double pace = last_ ? std::clamp((seconds - *last_) * kStepsPerSecond, kLeastPace, kMostPace) : 1.0;
  last_ = seconds;
  step.amount *= pace;
  step.fade = std::pow(step.fade, pace);
  return step;
}

void FlowParticles::updateJob(ExhibitContext& context) {
  if (steps_.pending() || (cancelled_ && !live_)) return;
  const auto wanted = static_cast<std::uint64_t>(request_->steps);
  if (!cancelled_ && (!fresh_ || stepsShown() < wanted))
    launch(context, static_cast<int>(wanted - std::min(wanted, stepsShown())), request_->step);
  else if (live_ && !atRest())
    launch(context, 1, paced(context.seconds));
  else if (due())
    launch(context, 0, request_->step);
}

void FlowParticles::launch(ExhibitContext& context, int steps, const dynamics::ParticleStep& step) {
  if (!held_) held_ = std::make_shared<Held>();
  // A single step of a moving cloud has no name, because the lists of running jobs would flicker.
  steps_.start(context.jobs, {*request_, home_, steps, step}, live_ && steps <= 1 ? "" : tr("particles"),
               [held = held_, often = !scripted_, &pool = context.pool](const Steps& run, auto& output) {
                 const auto pictured = [&] {
                   return std::make_shared<dynamics::ParticlePicture>(held->cloud->picture());
                 };
                 const ParticlesRequest& request = run.request;
                 if (!held->cloud)
                   held->cloud =
                       std::make_unique<dynamics::ParticleCloud>(*request.model.field, request.options, run.home, pool);
                 if (!(held->cloud->picture().window == request.window)) {
                   held->cloud->look(request.window);
                   if (run.count == 0) held->cloud->step(request.model.parameters, {.fade = 0, .still = true}, pool);
                 }
                 const Clock::time_point begin = Clock::now();
                 for (int i = 0; i < run.count; ++i) {
                   held->cloud->step(request.model.parameters, run.step, pool);
                   output.progress((i + 1.0) / run.count);
                   if (output.cancelled()) return;
                   if (often && i % kShownEvery == kShownEvery - 1 && i + 1 < run.count) output.publish({pictured()});
                 }
                 const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
                 output.finish({pictured(), run.count > 0 ? ms / run.count : 0});
               });
}

void FlowParticles::collect(ExhibitContext& context) {
  const bool waited = steps_.pending(), news = steps_.refresh(context.jobs);
  if (waited && steps_.cancelled()) cancelled_ = true;
  if (!news) return;
  const Part& part = *steps_.result();
  if (part.stepMs > 0) kernel_.cpuCost = 1e6 * part.stepMs / request_->options.count;
  show(part.picture, tr("CPU"), part.stepMs);
}

void FlowParticles::show(ParticlesPointer picture, const std::string& device, double stepMs) {
  picture_ = std::move(picture);
  fresh_ = true;
  ++revision_;
  quiet_ = picture_->resting >= static_cast<std::uint32_t>(request_->options.count) ? quiet_ + 1 : 0;
  // The pictures of a script must not depend on the speed of the machine, so they show no time.
  if (scripted_)
    device_ = device;
  else if (stepMs > 0)
    device_ = device + ", " + formatFixed(stepMs, 1) + tr(" ms per step");
}

bool FlowParticles::makeKernel(ExhibitContext& context, bool aloud) {
  kernelStarted_ = kernelStarted_ && kernel_.isOf(request_->model.field);
  return kernel_.make(request_->model.field, context, aloud);
}

void FlowParticles::updateKernel(ExhibitContext& context) {
  if (kernel_->collect() && kernelStarted_) {
    const double ms = kernel_->stepMs();
    kernel_.gpuCost = 1e6 * ms / request_->options.count;
    show(std::make_shared<dynamics::ParticlePicture>(kernel_->picture()), kernel_.device(), ms);
  }
  bool still = false;
  if (!kernelStarted_ || !(kernelWindow_ == request_->window)) {
    const Result<void> ready =
        kernelStarted_ ? kernel_->look(request_->window) : kernel_->start(request_->options, request_->window);
    if (!ready) {
      kernel_.setFailed();
      context.editor.say(ready.error().message);
      return;
    }
    still = kernelStarted_ || request_->steps == 0;
    if (!kernelStarted_) submitted_ = 0;
    kernelStarted_ = true;
    kernelWindow_ = request_->window;
  }
  if (kernel_->inFlight() && kernel_->stepMs() > kSlowStepMs) return;
  dynamics::ParticleStep step = request_->step;
  if (submitted_ < request_->steps) {
    while (submitted_ < request_->steps && kernel_->step(request_->model.parameters, step))
      ++submitted_;
  } else if (live_ && !atRest()) {
    if (kernel_->step(request_->model.parameters, paced(context.seconds))) ++submitted_;
  } else if (still || (due() && !kernel_->inFlight())) {
    step.still = true;
    kernel_->step(request_->model.parameters, step);
  }
}

// If there is a GPU and neither the user nor a script has chosen a device, the kernel runs a few steps of the same
// cloud once, while the CPU continues.
void FlowParticles::probeKernel(ExhibitContext& context) {
  if (!kernel_.unmeasured(context) || stepsShown() < kProbeAfter || !makeKernel(context, false)) return;
  if (!std::exchange(probing_, true)) {
    kernelStarted_ = false;
    probes_ = 0;
    if (!kernel_->start(request_->options, request_->window)) {
      kernel_.setFailed();
      return;
    }
  }
  kernel_->collect();
  if (kernel_->inFlight()) return;
  if (probes_++ < kProbes) {
    kernel_->step(request_->model.parameters, request_->step);
    return;
  }
  probing_ = false;
  kernel_.gpuCost = 1e6 * kernel_->stepMs() / request_->options.count;
}

void FlowParticles::releaseGpu() {
  if (onKernel_) restart();
  onKernel_ = false;
  kernel_.release();
  kernelStarted_ = probing_ = false;
}

}  // namespace sepx::ui
