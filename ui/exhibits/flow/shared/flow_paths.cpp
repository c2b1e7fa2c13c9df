// SPDX-License-Identifier: Apache-2.0
// Follows one point. Fields without a closed form are integrated by arc length, dx/ds = f/(eps + |f|), together with
// the field's own time, dt/ds = 1/(eps + |f|), so that neither a slow arrival nor a fast passage needs more steps.
// Pure; any thread.
#include "ui/exhibits/flow/shared/flow_paths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/core/number.h"
#include "engine/dynamics/integrator.h"
#include "engine/markov/convergence.h"
#include "engine/markov/convergence_time.h"
#include "engine/markov/energy.h"
#include "ui/canvas/page_draw.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using dynamics::State;

constexpr int kPathPoints = 256;
constexpr int kSamplesAcross = 256;  // samples of a path per diagonal of the home window
constexpr int kMostSamples = 4096;

void appendSample(PointResult& result, double time, const State& x) {
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(time)) return;
  result.path.push_back({x[0], x[1]});
  result.time.push_back(result.time.empty() ? time : std::max(time, result.time.back()));
}

void appendEarlier(BackwardPath& back, double time, const State& x) {
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(time)) return;
  back.path.push_back({x[0], x[1]});
  back.time.push_back(back.time.empty() ? time : std::min(time, back.time.back()));
}

/// The backward path from `start`.
BackwardPath canonicalBackwardPath(const FlowModel& model, const State& start) {
  BackwardPath back;
  markov::FlowOptions options;
  options.backward = true;
  const Result<markov::FlowResult> flow = markov::flowFrom(model.chain, markov::Model::EW, start, options);
  if (!flow) return back;
  back.status = flow->status;
  back.kind = flow->label;
  for (std::size_t i = 0; i < flow->path.theta.size(); ++i)
    appendEarlier(back, flow->path.t[i], flow->path.theta[i]);
  if (flow->limit) back.origin = render::Point{flow->limit->theta[0], flow->limit->theta[1]};
  return back;
}

/// Adds the convergence time if `time` is set, and the rate at which |e| falls near the limit: by theory, and measured
/// if there is a path.
void addClock(const FlowModel& model, const State& start, const markov::Path& path, bool time, PointResult& result) {
  if (model.degenerate()) return;
  if (time) result.time99 = markov::convergenceTime(model.chain, markov::Model::EW, start);
  const bool atAxis = result.limit && result.kind != markov::LimitKind::GlobalMin;
  if (!atAxis) return;
  result.rateTheory = markov::decayRate(model.chain, result.limit->y);
  // On the separatrix e falls more slowly than any exponential; on the axis it is 0.
  if (result.kind == markov::LimitKind::LocalMin && !path.theta.empty())
    result.rate = markov::measuredDecayRate(model.chain, markov::Model::EW, path);
}

/// Sets the limit by Theorems 2 and 8. False if they do not determine it.
bool endInClosedForm(const FlowModel& model, double e, double w, PointResult& result) {
  const std::optional<markov::Limit> limit = model.degenerate() ? std::nullopt : markov::exactLimit(model.chain, e, w);
  if (!limit || !std::isfinite(limit->theta[0]) || !std::isfinite(limit->theta[1])) return false;
  result.kind = limit->kind;
  result.exact = true;
  result.status =
      result.kind == markov::LimitKind::Saddle ? markov::FlowStatus::OnSeparatrix : markov::FlowStatus::Reached;
  result.limit = render::Point{limit->theta[0], limit->theta[1]};
  result.limitKind = limit->kind;
  result.limitLoss = finiteOnly(limit->loss);
  result.path = {{e, w}};
  result.time = {0};
  return true;
}

PointResult followCanonical(const FlowModel& model, double e, double w, Extent extent) {
  PointResult result;
  State start(2);
  start << e, w;
  result.loss = finiteOnly(markov::loss(model.chain, markov::Model::EW, start));
  result.energy = markov::energy(markov::Model::EW, start);
  if (result.energy) result.energy = finiteOnly(*result.energy);
  if (extent < Extent::Path && endInClosedForm(model, e, w, result)) {
    addClock(model, start, {}, extent == Extent::Clock, result);
    return result;
  }
  const Result<markov::FlowResult> flow = markov::flowFrom(model.chain, markov::Model::EW, start);
  if (!flow) {
    result.failure = flow.error().message;
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
    result.limitKind = flow->limit->kind;
    result.limitLoss = finiteOnly(flow->limit->loss);
  }
  addClock(model, start, flow->path, true, result);
  if (extent == Extent::Both) result.back = canonicalBackwardPath(model, start);
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

constexpr double kNearEnd = 0.01;  // of the home window's diagonal; a path ending this close reached the fixed point
constexpr double kOnAxis = 1e-3;   // |e| below which a path that rests and must end on the axis counts as being there

/// Determines the end with the field's classifier, because curves of minima are not isolated fixed points. The kind is
/// certain; the limit and the loss there are set only if the path came to rest (`rests`). False if the classifier
/// cannot decide.
bool judgeByField(const FlowModel& model, const State& start, const State& end, bool rests, PointResult& result) {
  if (!model.field->hasClassifier()) return false;
  const dynamics::LimitKind kind = model.field->classify(start, end, model.parameters);
  if (kind == dynamics::LimitKind::Undecided) return false;
  result.kind = result.limitKind = kind;
  if (!rests) return true;
  result.status = markov::FlowStatus::Reached;
  State limit = end;
  if (kind != dynamics::LimitKind::GlobalMin && std::abs(limit[0]) < kOnAxis) limit[0] = 0;
  result.limit = render::Point{limit[0], limit[1]};
  if (const std::optional<double> potential = model.field->potential(limit, model.parameters))
    result.limitLoss = finiteOnly(*potential);
  return true;
}

void judgeEnd(const FlowModel& model, const State& end, double size, PointResult& result) {
  const std::vector<dynamics::FixedPoint> fixed = model.field->fixedPoints(model.parameters);
  const dynamics::FixedPoint* point = nearestFixedPoint(fixed, end, kNearEnd * size);
  if (!point) return;
  result.status = markov::FlowStatus::Reached;
  result.kind = result.limitKind = point->kind;
  result.limit = render::Point{point->x[0], point->x[1]};
  if (const std::optional<double> potential = model.field->potential(point->x, model.parameters))
    result.limitLoss = finiteOnly(*potential);
}

/// The speed below which a path has come to rest. It is lower for a field with a classifier, which needs the end
/// itself: near a curve of minima the flow is slow for a long time.
double restSpeed(const FlowModel& model, double size) {
  return (model.field->hasClassifier() ? 1e-8 : 1e-5) * size;
}

/// `way`: 1 forwards, -1 backwards.
dynamics::Solution alongTheArc(const FlowModel& model, const State& start, double size, int way) {
  constexpr double kLengths = 12;  // longest path, in diagonals of the home window; a spiral has come to rest by then
  const double eps = 1e-9 * size;
  const auto speed = [&model](const State& x) {
    const State f = model.field->evaluate(x.head(2), model.parameters);
    return f.norm();
  };
  const dynamics::RightHandSide field = [&model, eps, way](double, const State& x) {
    const State f = way * model.field->evaluate(x.head(2), model.parameters);
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
  const double rest = restSpeed(model, size);
  const std::vector<dynamics::Event> events{
      {[speed, rest](double, const State& x) { return speed(x) - rest; }, true, -1},
      {[size](double, const State& x) { return std::hypot(x[0], x[1]) - 100 * size; }, true, 1}};
  State begin(3);
  begin << start[0], start[1], 0;
  return dynamics::integrate(field, 0, begin, options, events);
}

/// Samples evenly by arc length, densely enough that turns look round. The renderer removes detail finer than a pixel.
template <class Append>
void sampled(const dynamics::Solution& solution, double size, Append append) {
  const int samples = std::clamp(static_cast<int>(solution.t * kSamplesAcross / size), kPathPoints, kMostSamples);
  for (int i = 0; i <= samples && !solution.segments.empty(); ++i)
    append(solution.at(solution.t * i / samples));
}

bool isUnbounded(const dynamics::Solution& solution) {
  return (solution.end == dynamics::IntegrationEnd::EventHit && solution.event == 1) ||
         solution.end == dynamics::IntegrationEnd::NotFinite;
}

BackwardPath fieldBackwardPath(const FlowModel& model, const State& start, double size) {
  BackwardPath back;
  const dynamics::Solution solution = alongTheArc(model, start, size, -1);
  sampled(solution, size, [&back](const State& x) { appendEarlier(back, -x[2], x.head(2)); });
  if (back.path.empty()) return back;
  if (isUnbounded(solution)) {
    back.status = markov::FlowStatus::Unbounded;
    return back;
  }
  const State end = Eigen::Vector2d(back.path.back().x, back.path.back().y);
  const std::vector<dynamics::FixedPoint> fixed = model.field->fixedPoints(model.parameters);
  const dynamics::FixedPoint* point = nearestFixedPoint(fixed, end, kNearEnd * size);
  if (!point) return back;
  back.status = markov::FlowStatus::Reached;
  back.kind = point->kind;
  back.origin = render::Point{point->x[0], point->x[1]};
  return back;
}

PointResult followField(const FlowModel& model, double e, double w, Extent extent) {
  PointResult result;
  State start(2);
  start << e, w;
  const render::Rect home = homeWindow(*model.field);
  const double size = std::hypot(home.width(), home.height());
  if (const std::optional<double> potential = model.field->potential(start, model.parameters))
    result.loss = finiteOnly(*potential);
  if (extent == Extent::Both) result.back = fieldBackwardPath(model, start, size);
  const dynamics::Solution solution = alongTheArc(model, start, size, 1);
  sampled(solution, size, [&result](const State& x) { appendSample(result, x[2], x.head(2)); });
  if (result.path.empty()) appendSample(result, 0, start);
  if (isUnbounded(solution)) {
    result.status = markov::FlowStatus::Unbounded;
    return result;
  }
  const render::Point last = result.path.back();
  State end(2);
  end << last.x, last.y;
  const bool rests = model.field->evaluate(end, model.parameters).norm() <= 1.001 * restSpeed(model, size);
  if (!judgeByField(model, start, end, rests, result)) judgeEnd(model, end, size, result);
  return result;
}

}  // namespace

PointResult followPoint(const FlowModel& model, double e, double w, Extent extent) {
  if (!std::isfinite(e) || !std::isfinite(w)) {
    PointResult result;
    result.failure = tr("A coordinate of the point is not a number; type a number or drag the point.");
    return result;
  }
  return model.canonical ? followCanonical(model, e, w, extent) : followField(model, e, w, extent);
}

namespace {

/// The time at which the fraction `share` of the length of a polyline is covered. `reach`: segments that end further
/// from the origin do not count.
double coveredTime(const std::vector<render::Point>& path, const std::vector<double>& time, double share,
                   double reach = std::numeric_limits<double>::infinity()) {
  if (path.size() < 2) return 0;
  std::vector<double> length(path.size(), 0);
  for (std::size_t i = 1; i < length.size(); ++i) {
    const bool counts = std::max(std::abs(path[i].x), std::abs(path[i].y)) <= reach;
    length[i] = length[i - 1] + (counts ? std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y) : 0);
  }
  const auto at = std::lower_bound(length.begin(), length.end(), share * length.back());
  return time[static_cast<std::size_t>(at - length.begin())];
}

render::Point between(render::Point a, render::Point b, double share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

}  // namespace

double settlingTime(const PointResult& point) {
  return coveredTime(point.path, point.time, 0.99);
}

double beginningTime(const PointResult& point) {
  // A backward path goes far out in finite time, where a head is not visible, so distant parts do not count. It leaves
  // a maximum slowly, so most of its length is enough.
  constexpr double kSeen = 4, kShare = 0.95;
  if (!point.back || point.back->path.empty()) return 0;
  const render::Point from = point.back->path.front();
  return coveredTime(point.back->path, point.back->time, kShare, std::max({kSeen, std::abs(from.x), std::abs(from.y)}));
}

render::Point headAt(const PointResult& point, double time) {
  if (time < 0 && point.back && !point.back->path.empty()) {
    const std::vector<double>& times = point.back->time;  // decreasing
    const auto after = std::upper_bound(times.begin(), times.end(), time, std::greater<>());
    if (after == times.begin()) return point.back->path.front();
    if (after == times.end()) return point.back->path.back();
    const auto i = static_cast<std::size_t>(after - times.begin());
    return between(point.back->path[i - 1], point.back->path[i], (time - times[i - 1]) / (times[i] - times[i - 1]));
  }
  const auto after = std::upper_bound(point.time.begin(), point.time.end(), time);
  if (after == point.time.begin()) return point.path.front();
  if (after == point.time.end()) return point.path.back();
  const auto i = static_cast<std::size_t>(after - point.time.begin());
  return between(point.path[i - 1], point.path[i], (time - point.time[i - 1]) / (point.time[i] - point.time[i - 1]));
}

namespace {

constexpr double kSlow = 1e-3;  // |p + q - 1| below which the text explains why nothing seems to move

/// A further clause for a start exactly on an axis, or for p + q very near 1; else empty.
std::string because(const FlowModel& model, const PointResult& point) {
  if (point.path.empty()) return {};
  const render::Point start = point.path.front();
  if (start.x == 0) return tr("; on e = 0 the gradient vanishes, so it stays where it is");
  std::string text;
  if (start.y == 0) text = tr("; it starts on the axis w = 0 and never leaves it");
  const double switching = std::abs(model.chain.switching());
  if (switching < kSlow)
    text += filled(tr("; it converges slowly: |p + q − 1| = {gap}, and times near the limit scale with its inverse"),
                   "{gap}", shownPower(switching));
  return text;
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
      text = tr("on the separatrix, ends in the saddle: loss {loss} = H(π)");
      break;
    case markov::LimitKind::LocalMax:
      text = tr("stays on a local maximum: loss {loss} = H(π)");
      break;
    default:
      return tr("its end is undecided");
  }
  const double fallback = point.kind == markov::LimitKind::GlobalMin ? rate : marginal;
  text = filled(filled(text, "{loss}", formatFixed(point.limitLoss.value_or(fallback), 4)), "{gap}", gap);
  return text + because(model, point);
}

std::string notAtRestWords(const PointResult& point) {
  const std::string text = tr("does not come to rest within the maximum path length");
  if (point.kind == markov::LimitKind::Undecided) return text;
  return text + filled(tr("; it can only end in a {kind}"), "{kind}", kindWords(point.kind));
}

std::string fieldWords(const FlowModel& model, const PointResult& point) {
  if (!point.limit) return notAtRestWords(point);
  const std::vector<std::string>& names = model.field->info().variables;
  std::string text = tr("ends at the {kind} {x} = {a}, {y} = {b}");
  text = filled(filled(text, "{kind}", kindWords(point.kind)), "{x}", names[0]);
  text = filled(filled(text, "{a}", shownFixed(point.limit->x, 4)), "{y}", names[1]);
  text = filled(text, "{b}", shownFixed(point.limit->y, 4));
  // Only a model has a loss; the potential of another field is not shown.
  if (model.field->hasClassifier() && point.limitLoss)
    text += filled(tr(": loss {loss}, by integration"), "{loss}", formatFixed(*point.limitLoss, 4));
  return text;
}

/// S* = 0: both lines S = 0 are minima, and the loss on them is H(π) = the entropy rate (Theorems 1 and 8 exclude this
/// case).
std::string degenerateWords(const PointResult& point) {
  const std::string text =
      tr("p + q = 1: the next symbol does not depend on the last, so there are no basins to tell apart");
  if (!point.limit) return text;
  const std::string rest = point.limit->x == 0
                               ? tr("; it comes to rest on e = 0, at w = {w}, where the loss is {loss} = H(π)")
                               : tr("; it comes to rest on w = −1/√2, at e = {e}, where the loss is {loss} = H(π)");
  return text + filled(filled(filled(rest, "{e}", shownFixed(point.limit->x, 4)), "{w}", shownFixed(point.limit->y, 4)),
                       "{loss}", formatFixed(point.limitLoss.value_or(0), 4));
}

}  // namespace

const char* kindName(markov::LimitKind kind) {
  switch (kind) {
    case markov::LimitKind::GlobalMin:
      return N_("global minimum");
    case markov::LimitKind::LocalMin:
      return N_("local minimum");
    case markov::LimitKind::Saddle:
      return N_("saddle");
    case markov::LimitKind::LocalMax:
      return N_("local maximum");
    case markov::LimitKind::Attractor:
      return N_("attractor");
    default:
      return N_("undecided");
  }
}

std::string kindWords(markov::LimitKind kind) {
  return tr(kindName(kind));
}

std::string statusWords(const std::string& status) {
  if (status == "reached") return tr("came to rest");
  if (status == "on-separatrix") return tr("on the separatrix");
  if (status == "time-limit") return tr("still moving at the time limit");
  if (status == "unbounded") return tr("leaves every bounded region");
  if (status == "degenerate") return tr("p + q = 1, no basins");
  return status;
}

std::string limitWords(const FlowModel& model, const PointResult& point) {
  if (!point.failure.empty()) return point.failure;
  switch (point.status) {
    case markov::FlowStatus::Degenerate:
      return degenerateWords(point);
    case markov::FlowStatus::Unbounded:
      return tr("leaves every bounded region");
    case markov::FlowStatus::TimeLimit:
      if (!point.limit) return notAtRestWords(point);
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
  if ((model.canonical || model.field->hasClassifier()) && point.limitLoss)
    text += tr(", loss ") + formatFixed(*point.limitLoss, 4);
  return text;
}

std::string originWords(const FlowModel& model, const PointResult& point) {
  if (!point.back) return {};
  const BackwardPath& back = *point.back;
  if (back.path.size() < 2) return tr("does not move");
  // The backward flow ends only at points that the flow leaves: local maxima and repellers.
  if (back.origin && !model.degenerate()) return filled(tr("came from a {kind}"), "{kind}", kindWords(back.kind));
  constexpr double kFar = 100;
  const render::Point end = back.path.back();
  const bool far = back.status == markov::FlowStatus::Unbounded ||
                   (model.canonical && std::max(std::abs(end.x), std::abs(end.y)) > kFar);
  if (!far) return tr("its backward path was not followed to the end");
  const double time = -back.time.back();
  return filled(tr("came from far away, a time {t} ago"), "{t}",
                time > 0 && (time < 0.01 || time > 1e6) ? shownPower(time) : shownFixed(time, time < 10 ? 2 : 0));
}

}  // namespace sepx::ui
