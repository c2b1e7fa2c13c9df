// SPDX-License-Identifier: Apache-2.0
// See ideal_result.h.
#include "ui/exhibits/reversal/ideal/ideal_result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/random.h"
#include "engine/core/try.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using reversal::TransferFlow;
using reversal::TransferKind;
using reversal::TransferState;

namespace {

constexpr double kArrived = 0.9;  ///< from this probability on, the end of the chart is near the limit
constexpr int kTimesPerDecade = 20;
constexpr double kLeastRemaining = 1e-8;

std::vector<double> normals(int count, std::uint64_t seed, std::uint64_t stream) {
  RandomStream random(seed, stream);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values)
    value = random.normal();
  return values;
}

double squared(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x)
    sum += value * value;
  return sum;
}

double productBefore(const IdealResult& result) {
  double sum = 0;
  for (std::size_t i = 0; i < result.flow.q.size(); ++i)
    sum += result.flow.q[i] * result.flow.k[i];
  return sum;
}

/// q^T k of ALiBi at the end, from the score S = sqrt(D) log(alpha/(1 - alpha)) of a direction whose attention alpha
/// has not rounded to 0 or 1. NaN if both have.
double productAfter(const IdealResult& result) {
  const TransferState& end = result.states.back();
  const double root = std::sqrt(static_cast<double>(result.flow.q.size()));
  const double forward =
      root * std::log(end.forwardAlpha / (1 - end.forwardAlpha)) - result.flow.slope * result.flow.forward;
  const double reverse =
      root * std::log(end.reverseAlpha / (1 - end.reverseAlpha)) + result.flow.slope * result.flow.reverse;
  return std::isfinite(forward) ? forward : std::isfinite(reverse) ? reverse : std::nan("");
}

ChartSeries lineOf(const IdealResult& result, std::string name, const ChartLook& look,
                   const std::function<double(const TransferState&)>& of) {
  ChartSeries line;
  line.name = std::move(name);
  line.look = look;
  line.look.marker.reset();
  for (const TransferState& state : result.states) {
    line.x.push_back(state.t);
    line.y.push_back(of(state));
  }
  return line;
}

ChartLook forwardLook(const Theme& theme) {
  ChartLook look = seriesLook(theme, 0);
  look.dash = render::Dash::Solid;
  look.width = theme.strongLine;
  return look;
}

ChartLook reverseLook(const Theme& theme) {
  ChartLook look = seriesLook(theme, 1);
  look.dash = render::Dash::Dashed;
  look.width = theme.strongLine;
  return look;
}

LineChart overTime(std::string title) {
  LineChart chart;
  chart.title = std::move(title);
  chart.legend = true;
  chart.x = {.name = tr("time t"), .logarithmic = true, .from = kFirstIdealTime, .to = kLastIdealTime};
  return chart;
}

ChartReference lineAt(double value, std::string name, bool vertical, const Theme& theme) {
  ChartReference line;
  line.value = value;
  line.name = std::move(name);
  line.vertical = vertical;
  line.counts = false;
  line.look = {.color = vertical ? theme.selection : theme.textMuted,
               .dash = vertical ? render::Dash::Solid : render::Dash::Dotted,
               .width = vertical ? 2.0f : 1.25f};
  return line;
}

/// A handle that can be dragged.
render::Marker handleAt(double x, double y, render::Color color, const Theme& theme) {
  return {{x, y}, render::Shape::Circle, theme.handleSize, color, theme.plotBackground, 2, render::Space::Page};
}

/// The condition over real sums, split where it changes its sign: the line above 0, and the line below 0 with the area
/// between it and 0.
std::pair<ChartSeries, ChartSeries> conditionLines(const IdealResult& result, const Theme& theme) {
  ChartSeries positive, negative;
  positive.look = forwardLook(theme);
  negative.look = {
      .color = theme.error, .dash = render::Dash::Dotted, .width = theme.lineWidth, .spread = Spread::Band};
  positive.look.width = theme.lineWidth;
  positive.look.marker.reset();
  positive.guide = negative.guide = true;
  const auto add = [&](double x, double y) {
    const double none = std::nan("");
    for (ChartSeries* const one : {&positive, &negative}) {
      one->x.push_back(x);
      one->y.push_back(y == 0 || (y > 0) == (one == &positive) ? y : none);
    }
    negative.low.push_back(negative.y.back());
    negative.high.push_back(y <= 0 ? 0 : none);
  };
  for (std::size_t i = 0; i < result.curve.size(); ++i) {
    const double x = static_cast<double>(i) / kSamplesPerPlace, value = result.curve[i];
    if (i > 0 && value * result.curve[i - 1] < 0) add(x - value / (value - result.curve[i - 1]) / kSamplesPerPlace, 0);
    add(x, value);
  }
  return {std::move(positive), std::move(negative)};
}

/// The condition at whole sums, the only ones that distances can have.
std::pair<ChartSeries, ChartSeries> conditionPoints(const IdealResult& result, const Theme& theme) {
  ChartSeries positive, negative;
  positive.name = tr("above 0");
  negative.name = tr("violated");
  positive.look = {.color = forwardLook(theme).color, .width = 0, .marker = render::Shape::Circle, .markerSize = 4};
  negative.look = {.color = theme.error, .width = 0, .marker = render::Shape::Triangle, .markerSize = 5};
  for (std::size_t sum = 0; sum < result.geometry.size(); ++sum) {
    ChartSeries& into = result.geometry[sum] > 0 ? positive : negative;
    into.x.push_back(static_cast<double>(sum));
    into.y.push_back(result.geometry[sum]);
  }
  return {std::move(positive), std::move(negative)};
}

LineChart ropeGeometry(const IdealResult& result, const Theme& theme) {
  LineChart chart;
  chart.title = tr("RoPE: q^T R(Δ1 + Δ2) q / |q|²");
  chart.x = {.name = "Δ1 + Δ2", .from = 0, .to = static_cast<double>(result.geometry.size()) - 1};
  chart.y = {.from = -1.25, .to = 1.05};  // leaves room for the name of the sum below the curve
  chart.legend = true;
  auto [positive, negative] = conditionLines(result, theme);
  auto [holds, violated] = conditionPoints(result, theme);
  chart.series = {std::move(negative), std::move(positive), std::move(holds), std::move(violated)};
  chart.references.push_back(lineAt(0, "", false, theme));
  chart.references.push_back(lineAt(reversal::kLeastRopeCondition, tr("−1/2 (ours)"), false, theme));
  const int sum = result.request.forward + result.request.reverse;
  chart.references.push_back(lineAt(sum, trFormat("Δ1 + Δ2 = {}", sum), true, theme));
  chart.marks.push_back(handleAt(sum, result.condition, result.condition > 0 ? theme.selection : theme.error, theme));
  return chart;
}

LineChart alibiGeometry(const IdealResult& result, const Theme& theme) {
  LineChart chart;
  chart.title = tr("ALiBi: score S by the position of B");
  chart.x = {.name = tr("positions to the right of [M]"), .from = -kMostIdealDistance, .to = kMostIdealDistance};
  chart.legend = true;
  chart.references.push_back(lineAt(0, "", false, theme));
  const auto add = [&](std::string name, const ChartLook& look, double product) {
    ChartSeries& line = chart.series.emplace_back();
    line.name = std::move(name);
    line.look = look;
    line.look.marker.reset();
    for (int place = -kMostIdealDistance; place <= kMostIdealDistance; ++place) {
      line.x.push_back(place);
      line.y.push_back(product + result.flow.slope * place);
    }
  };
  add(tr("at the start"), seriesLook(theme, 2), productBefore(result));
  if (result.request.kind == TransferKind::AlibiTrained)
    add(tr("at the end"), forwardLook(theme), productAfter(result));
  const double product = productBefore(result), slope = result.flow.slope;
  for (const double place : {result.flow.forward, -result.flow.reverse})
    chart.marks.push_back(handleAt(place, product + slope * place, theme.selection, theme));
  chart.references.push_back(lineAt(result.request.forward, trFormat("Δ1 = {}", result.request.forward), true, theme));
  chart.references.push_back(lineAt(-result.request.reverse, trFormat("Δ2 = {}", result.request.reverse), true, theme));
  return chart;
}

}  // namespace

TransferFlow idealFlow(const IdealRequest& request) {
  TransferFlow flow;
  flow.kind = request.kind;
  flow.q = normals(request.dimensions, request.seed, 0);
  flow.k = request.kind == TransferKind::Rope ? std::vector<double>(flow.q.size(), 0)
                                              : normals(request.dimensions, request.seed, 1);
  flow.vocabulary = request.vocabulary;
  flow.forward = request.forward;
  flow.reverse = request.reverse;
  flow.slope = request.slope;
  flow.base = request.base;
  return flow;
}

const TransferState& IdealResult::at(double time) const {
  const auto after = std::upper_bound(states.begin(), states.end(), time * (1 + 1e-9),
                                      [](double value, const TransferState& state) { return value < state.t; });
  return after == states.begin() ? states.front() : *(after - 1);
}

Result<IdealPointer> computeIdeal(const IdealRequest& request) {
  auto result = std::make_shared<IdealResult>();
  result->request = request;
  result->flow = idealFlow(request);
  SEPX_TRY(reversal::check(result->flow));
  std::vector<double> times;
  const double decades = std::log10(kLastIdealTime / kFirstIdealTime);
  const int count = static_cast<int>(std::lround(decades * kTimesPerDecade));
  for (int i = 0; i <= count; ++i)
    times.push_back(kFirstIdealTime * std::pow(10.0, static_cast<double>(i) / kTimesPerDecade));
  result->states = reversal::transferStates(result->flow, times);
  result->condition = std::nan("");
  if (request.kind == TransferKind::Rope) {
    std::vector<double> sums;
    for (int part = 0; part <= 2 * kMostIdealDistance * kSamplesPerPlace; ++part)
      sums.push_back(static_cast<double>(part) / kSamplesPerPlace);
    result->curve = reversal::ropeConditions(result->flow, sums);
    const double squares = squared(result->flow.q);
    for (double& condition : result->curve)
      condition /= squares;
    for (std::size_t part = 0; part < result->curve.size(); part += kSamplesPerPlace)
      result->geometry.push_back(result->curve[part]);
    result->condition = result->geometry[static_cast<std::size_t>(request.forward + request.reverse)];
  }
  return IdealPointer(std::move(result));
}

std::string idealSentence(const IdealResult& result) {
  const TransferState& end = result.states.back();
  const std::string came = trFormat("At t = 10⁶ p_fwd = {} and p_rev = {}.", shownProbability(end.forward, 4),
                                    shownProbability(end.reverse, 4));
  if (result.request.kind != TransferKind::Rope)
    return trFormat(
        "Proposition C.3: under ALiBi both probabilities approach 1 in the limit, without a condition. {}{}", came,
        end.forward < kArrived ? tr(" With so little attention to B this takes far longer.") : "");
  const std::string value = shownFixed(result.condition, 3);
  if (result.condition > 0)
    return trFormat("q^T R(Δ1 + Δ2) q / |q|² = {} > 0, as Proposition C.2 assumes: both probabilities approach 1. {}",
                    value, came);
  const std::string violated = trFormat(
      "q^T R(Δ1 + Δ2) q / |q|² = {}: the condition of Proposition C.2 is violated, and the paper claims "
      "nothing.",
      value);
  return violated + " " +
         (result.condition < reversal::kLeastRopeCondition
              ? tr("Ours: below −1/2 the attention to B falls faster than Y "
                   "grows, and p_rev returns to 1/V in the end.")
              : tr("Ours: above −1/2 Y grows faster than the attention to B "
                   "falls, and p_rev still approaches 1, more slowly than "
                   "p_fwd.")) +
         " " + came;
}

std::string idealShortSentence(const IdealResult& result) {
  const std::string reverse = shownProbability(result.states.back().reverse, 4);
  if (result.request.kind != TransferKind::Rope)
    return trFormat("ALiBi needs no condition (C.3). p_rev = {} at t = 10⁶.", reverse);
  return result.condition > 0 ? trFormat("The condition of C.2 holds. p_rev = {} at t = 10⁶.", reverse)
                              : trFormat("The condition of C.2 is violated. p_rev = {} at t = 10⁶.", reverse);
}

LineChart idealChart(const IdealResult& result, IdealChart which, bool remaining, const Theme& theme) {
  if (which == IdealChart::Geometry)
    return result.request.kind == TransferKind::Rope ? ropeGeometry(result, theme) : alibiGeometry(result, theme);
  if (which == IdealChart::Attention) {
    LineChart chart = overTime(tr("attention α to B"));
    chart.y = {.from = 0, .to = 1.02};
    chart.series = {
        lineOf(result, tr("forward"), forwardLook(theme), [](const TransferState& s) { return s.forwardAlpha; }),
        lineOf(result, tr("reverse"), reverseLook(theme), [](const TransferState& s) { return s.reverseAlpha; })};
    return chart;
  }
  if (which == IdealChart::Storage) {
    LineChart chart = overTime(tr("storage: the column of Y for B"));
    ChartLook others = seriesLook(theme, 2);
    chart.series = {
        lineOf(result, tr("Y of A"), forwardLook(theme), [](const TransferState& s) { return s.target; }),
        // Y begins at 0, so the values of all other tokens stay equal.
        lineOf(result, tr("Y of each other token"), others, [](const TransferState& s) { return s.other; })};
    return chart;
  }
  LineChart chart = overTime(remaining ? tr("1 − p of the answer A") : tr("probability p of the answer A"));
  if (remaining)
    chart.y = {.logarithmic = true, .from = kLeastRemaining, .to = 1, .least = kLeastRemaining};
  else
    chart.y = {.from = 0, .to = 1.02};
  chart.series = {lineOf(result, tr("forward"), forwardLook(theme),
                         [=](const TransferState& s) { return remaining ? s.forwardMiss : s.forward; }),
                  lineOf(result, tr("reverse"), reverseLook(theme),
                         [=](const TransferState& s) { return remaining ? s.reverseMiss : s.reverse; })};
  return chart;
}

}  // namespace sepx::ui
