// SPDX-License-Identifier: Apache-2.0
// Starts, refines and combines the basin picture. The frame thread only starts jobs, collects their results and
// advances the kernel by one slice. Its most expensive own work is the comparison of two finished maps (one byte per
// pixel).
#include "ui/exhibits/flow/shared/flow_basin.h"

#include <algorithm>
#include <cmath>

#include "engine/core/clock.h"
#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kMostPictureColumns = 2048;  // of a map at the picture's resolution
// Displayed numbers do not depend on the size of the picture, because they are counted on grids of fixed size.
constexpr int kShareCells = 256;       // per side; grid for the shares in closed form
constexpr double kKernelBudgetMs = 6;  // per frame, so that the window stays responsive
constexpr int kLabelCount = 16;

using Clock = std::chrono::steady_clock;

/// "CPU, 3 ms", or under a script the device alone, because its pictures must not depend on the speed of the machine.
std::string madeBy(const char* device, double milliseconds, bool scripted) {
  return scripted ? std::string(device) : std::string(device) + ", " + formatFixed(milliseconds, 0) + " ms";
}

dynamics::BasinWindow windowOf(const render::Rect& view, const render::Rect& plot, double scale, int mostColumns) {
  const double columns = std::clamp(plot.width() * scale, 8.0, static_cast<double>(mostColumns));
  const double rows = std::max(8.0, columns * plot.height() / plot.width());
  return {view.min.x, view.max.x, view.min.y, view.max.y, static_cast<int>(columns), static_cast<int>(rows)};
}

bool hasBasins(const FlowModel& model) {
  if (model.canonical) return !model.degenerate();
  if (model.field->hasClassifier()) return true;
  for (const dynamics::FixedPoint& point : model.field->fixedPoints(model.parameters))
    if (point.kind == dynamics::LimitKind::Attractor) return true;
  return false;
}

}  // namespace

dynamics::BasinWindow reduced(dynamics::BasinWindow window, int divisor) {
  window.width = std::max(1, window.width / divisor);
  window.height = std::max(1, window.height / divisor);
  return window;
}

dynamics::BasinWindow countingGrid(const FlowModel& model, const render::Rect& view) {
  const int columns = model.canonical ? 384 : 256;  // about a second on one core; other fields have long spirals
  return {view.min.x, view.max.x, view.min.y, view.max.y, columns, columns * 3 / 4};
}

bool FlowBasin::Request::operator==(const Request& other) const {
  if (method != other.method || !(picture == other.picture)) return false;
  if (method != BasinMethod::Exact) return model == other.model && integrated == other.integrated;
  // In closed form, the basins depend on p and q only through the sign of p + q - 1.
  return (model.chain.switching() > 0) == (other.model.chain.switching() > 0) && model.field == other.model.field;
}

FlowBasin::FlowBasin() = default;
FlowBasin::~FlowBasin() = default;

FlowBasin::Request FlowBasin::makeRequest(const FlowState& state, const render::Rect& plot, float scale) const {
  Request request;
  request.model = state;
  request.method = state.method;
  request.picture = windowOf(state.view, plot, scale, kMostPictureColumns);
  request.integrated = countingGrid(state, state.view);
  return request;
}

void FlowBasin::update(const FlowState& state, const render::Rect& plot, ExhibitContext& context) {
  scripted_ = context.scripted;
  collect(context);
  if (!state.showBasin || !hasBasins(state) || plot.width() < 8 || plot.height() < 8) {
    if (request_) clear();
    return;
  }
  Request request = makeRequest(state, plot, context.scale);
  if (!request_ || !(*request_ == request)) {
    request_ = std::move(request);
    start(context);
  }
  if (kernelRuns_) advanceKernel(context);
  startFine(context);
  noteProgress();
  if (complete()) probeKernel(context);
}

void FlowBasin::noteProgress() {
  std::optional<int> percent;
  if (!integratedDone()) {
    const double share = kernelRuns_ ? kernelProgress_ : integrated_.progress();
    percent = 10 * static_cast<int>(std::clamp(10 * share, 0.0, 9.0));
  }
  if (percent == picture_.refining) return;
  picture_.refining = percent;
  ++picture_.revision;
}

bool FlowBasin::complete() const {
  return exact_.complete() && integratedDone() && fine_.complete();
}

void FlowBasin::clear() {
  exact_.clear();
  integrated_.clear();
  fine_.clear();
  if (kernel_) kernel_->cancel();
  kernelRuns_ = false;
  kernelProbes_ = false;
  request_.reset();
  const std::uint64_t revision = picture_.revision;
  picture_ = {};
  picture_.revision = revision + 1;
}

void FlowBasin::start(ExhibitContext& context) {
  if (kernel_) kernel_->cancel();
  kernelRuns_ = kernelProbes_ = false;
  integratedFresh_ = false;
  const bool exact = request_->method != BasinMethod::Integrate;
  const bool integrate = request_->method != BasinMethod::Exact;
  if (!exact) picture_.exact = nullptr;
  if (!integrate) picture_.integrated = nullptr;
  fine_.clear();
  picture_.fine = nullptr;
  picture_.twin = nullptr;
  const bool kernel = integrate && startKernel(context);
  if (exact)
    startExact(context, kernel);
  else
    exact_.clear();
  if (integrate && !kernel)
    startIntegration(context);
  else
    integrated_.clear();
  combine();
}

void FlowBasin::startExact(ExhibitContext& context, bool twin) {
  exact_.start(
      context.jobs, *request_, tr("basins in closed form"),
      [twin, &pool = context.pool](const Request& request, auto& output) {
        const auto mapOf = [&](const dynamics::BasinWindow& window) {
          return std::make_shared<dynamics::BasinMap>(markov::exactBasinMap(request.model.chain, window, pool));
        };
        const Clock::time_point begin = Clock::now();
        Part part;
        part.map = mapOf(request.picture);
        part.milliseconds = millisecondsSince(begin);
        dynamics::BasinWindow cells = request.picture;
        cells.width = cells.height = kShareCells;
        part.shares = mapOf(cells)->shares(kLabelCount);
        if (twin && !output.cancelled()) part.twin = mapOf(request.integrated);
        return part;
      });
}

void FlowBasin::startIntegration(ExhibitContext& context) {
  integrated_.start(
      context.jobs, *request_, tr("basins by integration"),
      [&pool = context.pool](const Request& request, auto& output) {
        const Clock::time_point begin = Clock::now();
        constexpr int kLevels[] = {8, 4, 2, 1};
        constexpr double kAll = 85.0 / 64;  // pixels of all levels, relative to the finest level
        double before = 0;
        for (const int divisor : kLevels) {
          const Clock::time_point levelBegin = Clock::now();
          const dynamics::BasinWindow window = reduced(request.integrated, divisor);
          const double weight = 1 / (kAll * divisor * divisor);
          auto map = std::make_shared<dynamics::BasinMap>(dynamics::integrateBasinMap(
              *request.model.field, request.model.parameters, window, dynamics::basinMapOptions(window), pool,
              [&output] { return output.cancelled(); },
              [&](double share) { output.progress(std::min(1.0, before + share * weight)); }));
          if (output.cancelled()) return;
          before += weight;
          Part part;
          part.perPixel = millisecondsSince(levelBegin) / static_cast<double>(map->labels.size());
          if (request.method == BasinMethod::Both)
            part.twin = std::make_shared<dynamics::BasinMap>(markov::exactBasinMap(request.model.chain, window, pool));
          part.map = std::move(map);
          part.milliseconds = millisecondsSince(begin);
          output.publish(std::move(part), divisor == 1);
        }
      });
}

void FlowBasin::startFine(ExhibitContext& context) {
  const bool wanted = request_->method == BasinMethod::Integrate && request_->model.canonical && integratedDone() &&
                      !integrated_.cancelled() && integratedFresh_ && !fine_.requested() &&
                      request_->picture.width > request_->integrated.width;
  if (!wanted) return;
  fine_.start(
      context.jobs, *request_, tr("basins by integration, every pixel"),
      [&pool = context.pool](const Request& request, auto& output) {
        return std::make_shared<dynamics::BasinMap>(dynamics::integrateBasinMap(
            *request.model.field, request.model.parameters, request.picture, dynamics::basinMapOptions(request.picture),
            pool, [&output] { return output.cancelled(); }, [&output](double share) { output.progress(share); }));
      });
}

bool FlowBasin::startKernel(ExhibitContext& context) {
  if (!kernel_.wanted(context) || !kernel_.make(request_->model.field, context, true)) return false;
  kernel_->start(request_->model.parameters, request_->integrated, dynamics::basinMapOptions(request_->integrated));
  kernelStarted_ = Clock::now();
  kernelProgress_ = 0;
  kernelRuns_ = true;
  return true;
}

/// Results of a lost device are neither shown nor counted. The CPU takes over, unless the kernel was only being
/// measured.
void FlowBasin::abandonLostKernel(ExhibitContext& context) {
  kernel_.setFailed();
  kernelLost_ = !kernelProbes_;
  kernelRuns_ = kernelProbes_ = false;
  if (kernelLost_) start(context);
}

void FlowBasin::advanceKernel(ExhibitContext& context) {
  const gpu::KernelState state = kernel_->advance(kKernelBudgetMs);
  if (state == gpu::KernelState::Lost) return abandonLostKernel(context);
  const bool more = state == gpu::KernelState::Working;
  const double elapsed = millisecondsSince(kernelStarted_);
  if (kernelProbes_) {
    if (more) return;
    kernelRuns_ = kernelProbes_ = false;
    kernel_.gpuCost = elapsed / static_cast<double>(std::max<std::size_t>(1, kernel_->map().labels.size()));
    return;
  }
  const double progress = kernel_->progress();
  if (progress > kernelProgress_ || !more) {
    kernelProgress_ = progress;
    picture_.integrated = std::make_shared<dynamics::BasinMap>(kernel_->map());
    integratedFresh_ = true;
    picture_.device = madeBy(kernel_.device().c_str(), elapsed, scripted_);
    if (!more) kernelRuns_ = false;
    combine();
  }
}

// If there is a device and none was chosen, the kernel computes the map once at a quarter of the resolution. Its time
// per pixel, including the wait for frames, is compared with the CPU's.
void FlowBasin::probeKernel(ExhibitContext& context) {
  // The CPU has already computed the picture, so a missing kernel is not reported.
  if (!kernel_.unmeasured(context) || kernelRuns_ || !kernel_.make(request_->model.field, context, false)) return;
  const dynamics::BasinWindow window = reduced(request_->integrated, 4);
  kernel_->start(request_->model.parameters, window, dynamics::basinMapOptions(window));
  kernelStarted_ = Clock::now();
  kernelRuns_ = kernelProbes_ = true;
}

void FlowBasin::collect(ExhibitContext& context) {
  const bool exact = exact_.refresh(context.jobs), integrated = integrated_.refresh(context.jobs);
  if (exact) {
    const Part& part = *exact_.result();
    picture_.exact = part.map;
    if (part.twin) picture_.twin = part.twin;
    if (request_->method == BasinMethod::Exact)
      picture_.device = madeBy(tr("closed form on the CPU"), part.milliseconds, scripted_);
  }
  if (integrated) {
    const Part& part = *integrated_.result();
    picture_.integrated = part.map;
    integratedFresh_ = true;
    if (part.twin) picture_.twin = part.twin;
    picture_.device = madeBy(tr("CPU"), part.milliseconds, scripted_);
    if (part.perPixel > 0) kernel_.cpuCost = part.perPixel;
  }
  if (fine_.refresh(context.jobs)) {
    picture_.fine = *fine_.result();
    ++picture_.revision;
  }
  if (exact || integrated) combine();
}

void FlowBasin::combine() {
  ++picture_.revision;
  picture_.differs = nullptr;
  picture_.disagreements.reset();
  picture_.shares.clear();
  picture_.counted = 0;
  if (picture_.exact) {
    picture_.shares = exact_.result()->shares;
    picture_.counted = std::size_t{kShareCells} * kShareCells;
  } else if (picture_.integrated) {
    picture_.shares = picture_.integrated->shares(kLabelCount);
    picture_.counted = picture_.integrated->labels.size();
  }
  const BasinMapPointer& a = picture_.integrated;
  const BasinMapPointer& b = picture_.twin;
  // The map of the previous request stays on screen until the new one arrives, but it is not counted.
  if (!integratedDone() || !a || !b || !integratedFresh_ || !(a->window == b->window)) return;
  auto differs = std::make_shared<std::vector<std::uint8_t>>(a->labels.size());
  for (std::size_t i = 0; i < differs->size(); ++i)
    (*differs)[i] = a->labels[i] != b->labels[i] ? 1 : 0;
  picture_.disagreements = static_cast<std::size_t>(std::count(differs->begin(), differs->end(), std::uint8_t{1}));
  picture_.differs = std::move(differs);
}

void FlowBasin::releaseGpu() {
  if (kernelRuns_ || kernelLost_) {  // the next update starts the interrupted work again
    exact_.cancel();
    integrated_.cancel();
    fine_.cancel();
    request_.reset();
  }
  kernel_.release();
  kernelRuns_ = kernelProbes_ = kernelLost_ = false;
}

}  // namespace sepx::ui
