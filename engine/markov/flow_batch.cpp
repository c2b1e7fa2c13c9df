// SPDX-License-Identifier: Apache-2.0
// Sorts starts into those that lanes follow, those that need no integration (critical points, the exact separatrices)
// and the few whose numbers are too extreme for lanes, which are followed one by one in the chart of flow_chart.h.
#include "engine/markov/flow_batch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/dynamics/integrator.h"
#include "engine/markov/flow_chart.h"
#include "engine/markov/unbounded_surface.h"

namespace sepx::markov {

namespace {

constexpr int kOrder = 20;
constexpr std::uint32_t kIdle = std::numeric_limits<std::uint32_t>::max();

/// How a lane's orbit ended; Lost: too many steps, or coordinates too large or NaN.
enum class End : std::uint8_t { Target, Axis, Lost };

/// One call of a kernel, for the starts with the indices list[0, count) in the arrays.
struct Work {
  const double *e = nullptr, *w = nullptr, *a = nullptr;  // a null: (e,w)
  const std::uint32_t* list = nullptr;
  std::size_t count = 0;
  double target = 0;  // the S at which an orbit ends
  double tolerance = 1e-16;
  double maxSteps = 4000;
  End* end = nullptr;
  double *eEnd = nullptr, *wEnd = nullptr, *aEnd = nullptr, *drift = nullptr;  // null: only `end` is filled
  int* steps = nullptr;
};

#define SEPX_LANES "engine/markov/flow_batch_lanes.inc"
#include "engine/core/simd_levels.inc"

void runLanes(const Work& work, Model model, SimdLevel level) {
  const bool space = model == Model::EWA;
  switch (std::min(level, simdLevel())) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return space ? avx512::runSpace(work) : avx512::runPlane(work);
    case SimdLevel::Avx2:
      return space ? avx2::runSpace(work) : avx2::runPlane(work);
#endif
    default:
      return space ? generic::runSpace(work) : generic::runPlane(work);
  }
}

constexpr std::size_t kGrain = 512;  // starts that one thread takes at a time

/// Whether w^2 does not underflow and no power of the field's rates overflows in a series of order 20.
bool fitsLanes(double e, double w, double a) {
  constexpr double kMost = 1e6, kMostWithA = 1e3, kLeast = 1e-140;
  const double most = a == 0 ? kMost : kMostWithA;
  return std::abs(e) <= most && std::abs(w) <= most && std::abs(a) <= most && (w == 0 || std::abs(w) >= kLeast);
}

LimitKind onAxis(double switching, double w) {
  if (std::abs(w + 1 / std::numbers::sqrt2) <= std::numeric_limits<double>::epsilon()) return LimitKind::Saddle;
  return switching * (1 + 2 * w * std::abs(w)) > 0 ? LimitKind::LocalMin : LimitKind::LocalMax;
}

/// One call of flowBatch.
class Batch {
 public:
  Batch(const Chain& chain, Model model, const FlowStarts& starts, const FlowBatchOptions& options)
      : chain_(chain), model_(model), starts_(starts), options_(options), S_star_(chain.S_star()) {
    const std::size_t count = starts.e.size();
    out_.e.assign(starts.e.begin(), starts.e.end());
    out_.w.assign(starts.w.begin(), starts.w.end());
    out_.a.assign(starts.a.begin(), starts.a.end());
    out_.energyDrift.resize(count);
    out_.steps.resize(count);
    out_.label.resize(count, LimitKind::Undecided);
    out_.status.resize(count, FlowStatus::TimeLimit);
  }

  /// Starts [first, last).
  void run(std::size_t first, std::size_t last) {
    std::vector<std::uint32_t> list;
    list.reserve(last - first);
    for (std::size_t i = first; i < last; ++i)
      if (!known(i)) {
        if (fitsLanes(starts_.e[i], starts_.w[i], third(i)))
          list.push_back(static_cast<std::uint32_t>(i - first));
        else
          byHand(i);
      }
    if (list.empty()) return;
    std::vector<End> ends(last - first, End::Lost);
    Work work;
    work.e = starts_.e.data() + first;
    work.w = starts_.w.data() + first;
    work.list = list.data();
    work.count = list.size();
    work.target = S_star_;
    work.tolerance = options_.tolerance;
    work.maxSteps = options_.maxSteps;
    work.end = ends.data();
    work.eEnd = out_.e.data() + first;
    work.wEnd = out_.w.data() + first;
    work.drift = out_.energyDrift.data() + first;
    work.steps = out_.steps.data() + first;
    if (model_ == Model::EWA) {
      work.a = starts_.a.data() + first;
      work.aEnd = out_.a.data() + first;
    }
    runLanes(work, model_, options_.level);
    for (const std::uint32_t i : list)
      conclude(first + i, ends[i]);
  }

  FlowBatch take() { return std::move(out_); }

 private:
  double third(std::size_t i) const { return starts_.a.empty() ? 0 : starts_.a[i]; }
  State theta(std::size_t i) const {
    if (model_ == Model::EW) return Eigen::Vector2d(starts_.e[i], starts_.w[i]);
    return Eigen::Vector3d(starts_.e[i], starts_.w[i], third(i));
  }
  void settle(std::size_t i, LimitKind label, FlowStatus status) {
    out_.label[i] = label;
    out_.status[i] = status;
  }

  void conclude(std::size_t i, End end) {
    if (end == End::Lost) return;
    settle(i, end == End::Target ? LimitKind::GlobalMin : LimitKind::LocalMin, FlowStatus::Reached);
  }

  /// Starts that need no integration.
  bool known(std::size_t i) {
    const State start = theta(i);
    if (chain_.degenerate()) {
      settle(i, LimitKind::Undecided, FlowStatus::Degenerate);
      return true;
    }
    if (!start.allFinite()) return true;
    const double e = start[0], w = start[1], v = 1 + 2 * w * std::abs(w);
    if (e == 0) {
      settle(i, onAxis(chain_.switching(), w), FlowStatus::Reached);
      return true;
    }
    if (model_ == Model::EW && basinLabel(chain_, e, w) == LimitKind::Saddle) {
      settle(i, LimitKind::Saddle, FlowStatus::OnSeparatrix);
      out_.e[i] = 0;
      out_.w[i] = -1 / std::numbers::sqrt2;
      return true;
    }
    if (model_ == Model::EWA && onUnboundedSurface(chain_, start)) {
      settle(i, LimitKind::Undecided, FlowStatus::Unbounded);
      return true;
    }
    if (std::abs(v) <= std::numeric_limits<double>::epsilon() && 1 + third(i) * e * e == 0) {
      settle(i, LimitKind::Saddle, FlowStatus::Reached);
      return true;
    }
    if (reducedS(model_, start) != S_star_) return false;
    settle(i, LimitKind::GlobalMin, FlowStatus::Reached);
    return true;
  }

  /// Integrates a start that is too large or too near w = 0 for lanes.
  void byHand(std::size_t i) {
    const State start = theta(i);
    constexpr double kSquareable = 1e75;  // e^4 in S
    if (start.cwiseAbs().maxCoeff() > kSquareable) return;
    const FlowChart chart(chain_, model_, start);
    const double S_star = S_star_;
    std::vector<dynamics::Event> events(2);
    events[0].g = [](double, const State& X) { return X[0]; };
    events[1].g = [&chart, S_star](double, const State& X) { return chart.S(X) - S_star; };
    dynamics::IntegratorOptions options;
    options.relativeTolerance = 1e-12;
    options.maxSteps = options_.maxSteps;
    options.tEnd = 1e15;  // arc length; the events end it
    const double sign = (chart.S(chart.start()) > S_star ? -1 : 1) * (start[0] < 0 ? -1 : 1);
    const auto byArc = [&chart, sign](double, const State& X) -> State { return sign * chart.direction(X); };
    const dynamics::Solution orbit = dynamics::integrate(byArc, 0, chart.start(), options, events);
    const State end = chart.theta(orbit.x);
    out_.steps[i] = orbit.statistics.steps;
    out_.e[i] = orbit.event == 0 ? 0 : end[0];
    out_.w[i] = end[1];
    if (model_ == Model::EWA) out_.a[i] = end[2];
    if (orbit.end != dynamics::IntegrationEnd::EventHit) return;
    conclude(i, orbit.event == 0 ? End::Axis : End::Target);
    if (!chart.offAxis()) return;
    const double before = chart.energy(chart.start());
    out_.energyDrift[i] = std::abs(chart.energy(orbit.x) - before) / (1 + std::abs(before));
  }

  const Chain chain_;
  const Model model_;
  const FlowStarts starts_;
  const FlowBatchOptions options_;
  const double S_star_;
  FlowBatch out_;
};

}  // namespace

FlowBatch flowBatch(const Chain& chain, Model model, const FlowStarts& starts, const FlowBatchOptions& options,
                    ThreadPool& pool, const std::function<bool()>& cancelled) {
  assert(!hasFreeBias(model) && starts.e.size() == starts.w.size());
  assert((model == Model::EWA ? starts.e.size() : 0) == starts.a.size());
  Batch batch(chain, model, starts, options);
  pool.parallelFor(0, starts.e.size(), kGrain, [&](std::size_t first, std::size_t last) {
    if (!cancelled || !cancelled()) batch.run(first, last);
  });
  return batch.take();
}

void basinLabels(const Chain& chain, Model model, const FlowStarts& starts, std::uint8_t* labels, SimdLevel level) {
  assert(!hasFreeBias(model) && starts.e.size() == starts.w.size());
  const double S_star = chain.S_star(), switching = chain.switching();
  std::vector<std::uint32_t> list;
  for (std::size_t i = 0; i < starts.e.size(); ++i) {
    const double e = starts.e[i], w = starts.w[i], a = starts.a.empty() ? 0 : starts.a[i];
    labels[i] = static_cast<std::uint8_t>(LimitKind::Undecided);
    if (chain.degenerate() || !std::isfinite(e + w + a)) continue;
    const double S = e * e * (1 + a * e * e) * (1 + 2 * w * std::abs(w));
    if (S * S_star > 0)
      labels[i] = static_cast<std::uint8_t>(LimitKind::GlobalMin);
    else if (e == 0)
      labels[i] = static_cast<std::uint8_t>(onAxis(switching, w));
    else if (fitsLanes(e, w, a))
      list.push_back(static_cast<std::uint32_t>(i));
    else
      labels[i] = kNeedsGeneralPath;
  }
  if (list.empty()) return;
  std::vector<End> ends(starts.e.size(), End::Lost);
  // A small part of the way from S = 0 to Theta*. No orbit turns back from there, and the axis has S = 0.
  constexpr double kBeyondZero = 1e-3, kTolerance = 1e-12;
  Work work;
  work.e = starts.e.data();
  work.w = starts.w.data();
  work.a = starts.a.empty() ? nullptr : starts.a.data();
  work.list = list.data();
  work.count = list.size();
  work.target = kBeyondZero * S_star;
  work.tolerance = kTolerance;
  work.end = ends.data();
  runLanes(work, model, level);
  for (const std::uint32_t i : list)
    if (ends[i] != End::Lost)
      labels[i] = static_cast<std::uint8_t>(ends[i] == End::Target ? LimitKind::GlobalMin : LimitKind::LocalMin);
}

}  // namespace sepx::markov
