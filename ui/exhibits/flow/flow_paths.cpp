// SPDX-License-Identifier: Apache-2.0
// Follows one point. Fields without a closed form are integrated by arc length, dx/ds = f/(eps + |f|), with the field's
// own time carried along, dt/ds = 1/(eps + |f|): neither a slow arrival nor a fast passage costs steps. Pure; any
// thread.
#include "ui/exhibits/flow/flow_paths.h"

#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "engine/dynamics/integrator.h"
#include "engine/markov/energy.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using dynamics::State;

constexpr int kPathPoints = 256;
constexpr int kSamplesAcross = 256;  // of a path, over one diagonal of the home window
constexpr int kMostSamples = 4096;
/// Points this far out have paths whose evenly spaced samples would miss the window; they keep the integrator's own
/// steps.
constexpr double kFarOut = 8;

void appendSample(PointResult& result, double time, const State& x) {
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(time)) return;
  result.path.push_back({x[0], x[1]});
  result.time.push_back(result.time.empty() ? time : std::max(time, result.time.back()));
}

std::optional<double> finiteOnly(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

/// The end by Theorems 2 and 8. False where they do not know it.
bool endInClosedForm(const FlowModel& model, double e, double w, PointResult& result) {
  const std::optional<markov::Limit> limit = model.degenerate() ? std::nullopt : markov::exactLimit(model.chain, e, w);
  if (!limit || !std::isfinite(limit->theta[0]) || !std::isfinite(limit->theta[1])) return false;
  result.kind = limit->kind;
  result.exact = true;
  result.status =
      result.kind == markov::LimitKind::Saddle ? markov::FlowStatus::OnSeparatrix : markov::FlowStatus::Reached;
  result.limit = render::Point{limit->theta[0], limit->theta[1]};
  result.limitLoss = finiteOnly(limit->loss);
  result.path = {{e, w}};
  result.time = {0};
  return true;
}

PointResult followCanonical(const FlowModel& model, double e, double w, bool path) {
  PointResult result;
  State start(2);
  start << e, w;
  result.loss = finiteOnly(markov::loss(model.chain, markov::Model::EW, start));
  result.energy = markov::energy(markov::Model::EW, start);
  if (result.energy) result.energy = finiteOnly(*result.energy);
  if (!path && endInClosedForm(model, e, w, result)) return result;
  const Result<markov::FlowResult> flow = markov::flowFrom(model.chain, markov::Model::EW, start);
  if (!flow) {
    result.failure = flow.error().sentence;
    return result;
  }
  result.status = flow->status;
  result.kind = flow->label;
  result.exact = flow->exact;
  result.drift = flow->energyDrift;
  for (std::size_t i = 0; i < flow->path.theta.size(); ++i)
    appendSample(result, flow->path.t[i], flow->path.theta[i]);
  if (result.path.empty()) appendSample(result, 0, start);
  if (flow->limit) {
    result.limit = render::Point{flow->limit->theta[0], flow->limit->theta[1]};
    result.limitLoss = finiteOnly(flow->limit->loss);
  }
  return result;
}

/// The fixed point that is nearest to `x`, when it is within `reach`.
const dynamics::FixedPoint* nearestFixedPoint(const std::vector<dynamics::FixedPoint>& fixed, const State& x,
                                              double reach) {
  const dynamics::FixedPoint* best = nullptr;
  double least = reach;
  for (const dynamics::FixedPoint& point : fixed) {
    const double distance = std::hypot(point.x[0] - x[0], point.x[1] - x[1]);
    if (distance <= least) {
      least = distance;
      best = &point;
    }
  }
  return best;
}

void judgeEnd(const FlowModel& model, const State& end, double size, PointResult& result) {
  const std::vector<dynamics::FixedPoint> fixed = model.field->fixedPoints(model.parameters);
  const dynamics::FixedPoint* point = nearestFixedPoint(fixed, end, 0.01 * size);
  if (!point) return;
  result.status = markov::FlowStatus::Reached;
  result.kind = point->kind;
  result.limit = render::Point{point->x[0], point->x[1]};
  if (const std::optional<double> potential = model.field->potential(point->x, model.parameters))
    result.limitLoss = finiteOnly(*potential);
}

dynamics::Solution alongTheArc(const FlowModel& model, const State& start, double size) {
  constexpr double kLengths = 12;  // of a path, in diagonals of the home window: a spiral has come to rest by then
  const double eps = 1e-9 * size;
  const auto speed = [&model](const State& x) {
    const State f = model.field->evaluate(x.head(2), model.parameters);
    return f.norm();
  };
  const dynamics::RightHandSide field = [&model, eps](double, const State& x) {
    const State f = model.field->evaluate(x.head(2), model.parameters);
    const double scale = 1 / (eps + f.norm());
    State derivative(3);
    derivative << f[0] * scale, f[1] * scale, scale;
    return derivative;
  };
  dynamics::IntegratorOptions options;
  options.relativeTolerance = 1e-7;
  options.absoluteTolerance = 1e-9;
  options.tEnd = kLengths * size;
  options.maxSteps = 4000;
  const std::vector<dynamics::Event> events{
      {[speed, size](double, const State& x) { return speed(x) - 1e-5 * size; }, true, -1},
      {[size](double, const State& x) { return std::hypot(x[0], x[1]) - 100 * size; }, true, 1}};
  State begin(3);
  begin << start[0], start[1], 0;
  return dynamics::integrate(field, 0, begin, options, events);
}

PointResult followField(const FlowModel& model, double e, double w) {
  PointResult result;
  State start(2);
  start << e, w;
  const render::Rect home = homeWindow(*model.field);
  const double size = std::hypot(home.width(), home.height());
  if (const std::optional<double> potential = model.field->potential(start, model.parameters))
    result.loss = finiteOnly(*potential);
  const dynamics::Solution solution = alongTheArc(model, start, size);
  // Evenly by arc length and close enough that a turn looks round; the renderer thins what is finer than a pixel.
  const int samples = std::clamp(static_cast<int>(solution.t * kSamplesAcross / size), kPathPoints, kMostSamples);
  for (int i = 0; i <= samples && !solution.segments.empty(); ++i) {
    const State x = solution.at(solution.t * i / samples);
    appendSample(result, x[2], x.head(2));
  }
  if (result.path.empty()) appendSample(result, 0, start);
  const bool wentFar = solution.end == dynamics::IntegrationEnd::EventHit && solution.event == 1;
  if (wentFar || solution.end == dynamics::IntegrationEnd::NotFinite) {
    result.status = markov::FlowStatus::Unbounded;
    return result;
  }
  const render::Point last = result.path.back();
  State end(2);
  end << last.x, last.y;
  judgeEnd(model, end, size, result);
  return result;
}

std::string replaced(std::string text, const std::string& mark, const std::string& value) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? text : text.replace(at, mark.size(), value);
}

std::string canonicalWords(const FlowModel& model, const PointResult& point) {
  const double rate = model.chain.entropyRate(), marginal = model.chain.marginalEntropy();
  const std::string gap = formatFixed(marginal - rate, 4);
  std::string text;
  switch (point.kind) {
    case markov::LimitKind::GlobalMin:
      text = tr("ends in a global minimum: loss {loss} = the entropy rate, {gap} below H(π)");
      break;
    case markov::LimitKind::LocalMin:
      text = tr("ends in a local minimum: loss {loss} = H(π), {gap} above the entropy rate");
      break;
    case markov::LimitKind::Saddle:
      text = tr("on the separatrix, runs into the saddle: loss {loss} = H(π)");
      break;
    case markov::LimitKind::LocalMax:
      text = tr("stays on a local maximum: loss {loss} = H(π)");
      break;
    default:
      return tr("its end is undecided");
  }
  const double fallback = point.kind == markov::LimitKind::GlobalMin ? rate : marginal;
  return replaced(replaced(text, "{loss}", formatFixed(point.limitLoss.value_or(fallback), 4)), "{gap}", gap);
}

std::string fieldWords(const FlowModel& model, const PointResult& point) {
  if (!point.limit) return tr("does not come to rest within the length of path that is followed");
  const std::vector<std::string>& names = model.field->info().variables;
  std::string text = tr("ends at the {kind} {x} = {a}, {y} = {b}");
  text = replaced(replaced(text, "{kind}", kindWords(point.kind)), "{x}", names[0]);
  text = replaced(replaced(text, "{a}", shownFixed(point.limit->x, 4)), "{y}", names[1]);
  return replaced(text, "{b}", shownFixed(point.limit->y, 4));
}

}  // namespace

PointResult followPoint(const FlowModel& model, double e, double w, bool path) {
  if (!std::isfinite(e) || !std::isfinite(w)) {
    PointResult result;
    result.failure = tr("The point has a coordinate that is not a number; type one or drag it.");
    return result;
  }
  return model.canonical ? followCanonical(model, e, w, path) : followField(model, e, w);
}

double settlingTime(const PointResult& point) {
  if (point.path.size() < 2) return 0;
  std::vector<double> length(point.path.size(), 0);
  for (std::size_t i = 1; i < length.size(); ++i)
    length[i] =
        length[i - 1] + std::hypot(point.path[i].x - point.path[i - 1].x, point.path[i].y - point.path[i - 1].y);
  const auto at = std::lower_bound(length.begin(), length.end(), 0.99 * length.back());
  return point.time[static_cast<std::size_t>(at - length.begin())];
}

render::Point headAt(const PointResult& point, double time) {
  const auto after = std::upper_bound(point.time.begin(), point.time.end(), time);
  if (after == point.time.begin()) return point.path.front();
  if (after == point.time.end()) return point.path.back();
  const std::size_t i = static_cast<std::size_t>(after - point.time.begin());
  const double share = (time - point.time[i - 1]) / (point.time[i] - point.time[i - 1]);
  const render::Point a = point.path[i - 1], b = point.path[i];
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

std::string kindWords(markov::LimitKind kind) {
  switch (kind) {
    case markov::LimitKind::GlobalMin:
      return tr("global minimum");
    case markov::LimitKind::LocalMin:
      return tr("local minimum");
    case markov::LimitKind::Saddle:
      return tr("saddle");
    case markov::LimitKind::LocalMax:
      return tr("local maximum");
    case markov::LimitKind::Attractor:
      return tr("attractor");
    default:
      return tr("undecided");
  }
}

std::string limitWords(const FlowModel& model, const PointResult& point) {
  if (!point.failure.empty()) return point.failure;
  switch (point.status) {
    case markov::FlowStatus::Degenerate:
      return tr("p + q = 1: the next symbol does not depend on the last, so there are no basins to tell apart");
    case markov::FlowStatus::Unbounded:
      return tr("leaves every bounded region");
    case markov::FlowStatus::TimeLimit:
      if (!point.limit) return tr("does not come to rest within the length of path that is followed");
      break;
    default:
      break;
  }
  return model.canonical ? canonicalWords(model, point) : fieldWords(model, point);
}

std::string shortWords(const FlowModel& model, const PointResult& point) {
  if (!point.failure.empty() || point.status == markov::FlowStatus::Degenerate || !point.limit)
    return point.status == markov::FlowStatus::Degenerate ? tr("p + q = 1: no basins") : limitWords(model, point);
  std::string text = "→ " + kindWords(point.kind);
  if (model.canonical && point.limitLoss) text += tr(", loss ") + formatFixed(*point.limitLoss, 4);
  return text;
}

}  // namespace sepx::ui
