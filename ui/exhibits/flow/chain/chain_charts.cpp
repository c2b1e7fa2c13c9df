// SPDX-License-Identifier: Apache-2.0
// The charts beside the square: P(I_min) against sigma on either side of p + q = 1, and four quantities along the path.
// Also the lines of text about a place. Pure.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/chain/chain_charts.h"
#include "ui/exhibits/flow/chain/chain_square.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

struct Small {
  const char* title;
  std::optional<double> (*value)(const ChainReading&);
};

constexpr std::array<Small, 4> kSmall{
    Small{N_("loss gap (nats)"), [](const ChainReading& at) { return std::optional<double>(at.gap); }},
    Small{N_("P(local minimum)"), [](const ChainReading& at) { return at.probability; }},
    Small{N_("expected excess loss (nats)"), [](const ChainReading& at) { return at.excess; }},
    Small{N_("time to 99 %"), [](const ChainReading& at) { return at.time; }},
};
constexpr std::size_t kTime = 3;

constexpr double kLeastShare = -0.02, kMostShare = 1.02;  // ends of the vertical axis
constexpr double kSaddleDistance = std::numbers::sqrt2 / 2;
constexpr const char* kSaddleName = "1/√2";

ChartLook curveLook(const Theme& theme, markov::Model model, bool above) {
  const bool attention = markov::hasAttention(model);
  ChartLook look{above ? theme.localMin : theme.globalMin, attention ? render::Dash::Dashed : render::Dash::Solid,
                 theme.lineWidth};
  look.markerSize = attention ? 8.0f : 6.5f;
  look.hollow = true;
  return look;
}
render::Shape modelShape(markov::Model model) {
  return markov::hasAttention(model) ? render::Shape::Diamond : render::Shape::Circle;
}

/// Rounded to two significant decimal digits.
double roundedSigma(double sigma) {
  return std::clamp(parseNumber(fmt::format("{:.2g}", sigma)).value_or(1), kLeastSigma, 10.0);
}

std::string curveName(markov::Model model, bool above) {
  return std::string(above ? tr("p + q > 1") : tr("p + q < 1")) +
         (markov::hasAttention(model) ? ", (e, w, a)" : ", (e, w)");
}

void addCurves(LineChart& chart, const ChainState& state, const ChainCurves& curves, const Theme& theme) {
  for (const ChainCurve& curve : curves.curves) {
    const bool ours =
        curve.model == state.model && curve.above == (state.chain.switching() > 0) && !state.chain.degenerate();
    ChartSeries& line = chart.series.emplace_back();
    line.look = curveLook(theme, curve.model, curve.above);
    if (ours) line.look.width = theme.strongLine + 0.5f;
    line.x = curve.sigma;
    line.y = curve.probability;
  }
  if (!state.counts) return;
  for (const ChainCount& count : curves.counts) {
    if (count.share.samples == 0) continue;
    ChartSeries& bar = chart.series.emplace_back();
    bar.look = curveLook(theme, count.model, count.above);
    bar.look.width = 0;
    bar.look.spread = Spread::Bars;
    bar.look.marker = modelShape(count.model);
    bar.x = {count.sigma};
    bar.y = {count.share.share()};
    bar.low = {count.share.low};
    bar.high = {count.share.high};
  }
}

/// The value of a curve, interpolated between its nodes linearly in log sigma; empty outside them.
std::optional<double> valueOn(const ChainCurve& curve, double sigma) {
  const auto next = std::lower_bound(curve.sigma.begin(), curve.sigma.end(), sigma);
  if (next == curve.sigma.end() || next == curve.sigma.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(next - curve.sigma.begin());
  const double share = std::log(sigma / curve.sigma[i - 1]) / std::log(curve.sigma[i] / curve.sigma[i - 1]);
  return curve.probability[i - 1] + share * (curve.probability[i] - curve.probability[i - 1]);
}

/// Adds the labels beside the line of sigma: the first at the top, the others at their heights without overlap, or all
/// in one line if the plot is too low. They are on the side that is free of the name of the saddle's distance.
void addSigmaWords(std::vector<render::Item>& items, const Camera& camera, const Theme& theme,
                   std::vector<std::pair<double, std::string>> words, double x) {
  constexpr double kGap = 9;  // points
  const double reference = toPage(camera, {std::log10(kSaddleDistance), 0}).x;
  const double name = textWidth(kSaddleName, theme.smallSize) + 2 * kGap;
  const auto widest = [&words, &theme] {
    double width = 0;
    for (const auto& word : words)
      width = std::max(width, textWidth(word.second, theme.smallSize));
    return width;
  };
  const auto stands = [&](double width) {  // whether the labels go to the left of the line
    const bool meets = x < reference && x + kGap + width > reference - name;
    return x - kGap - width > camera.plot.min.x && (meets || x > camera.plot.min.x + 0.75 * camera.plot.width());
  };
  // If the line of the saddle's distance is closer than the labels are wide, its name has the lowest row.
  const double reach = kGap + widest();
  const bool over = !stands(widest()) && x < reference + name && x + reach > reference - name;
  const double step = 1.5 * theme.smallSize;
  const double lowest = camera.plot.max.y - theme.smallSize - (over ? step : 0);
  if (words.front().first + step * static_cast<double>(words.size() - 1) > lowest) {
    for (std::size_t i = 1; i < words.size(); ++i)
      words.front().second += (i == 1 ? ": " : ", ") + words[i].second;
    words.resize(1);
  }
  for (std::size_t i = 1; i < words.size(); ++i)
    words[i].first = std::max(words[i].first, words[i - 1].first + step);
  for (std::size_t i = words.size(); i-- > 1;)
    words[i].first = std::min(words[i].first, i + 1 == words.size() ? lowest : words[i + 1].first - step);
  const double width = widest();
  const bool left = stands(width);
  const double right = x < reference ? kGap : std::max(kGap, reference + name - x);
  for (const auto& [y, text] : words) {
    const double from = std::min(x + right, camera.plot.max.x - textWidth(text, theme.smallSize));  // can cover it
    render::Label made = textAt({left ? x - kGap : from, y}, text, theme.smallSize, theme.text,
                                left ? render::AlignX::Right : render::AlignX::Left);
    made.backdrop = faded(theme.plotBackground, 0.8f);
    items.emplace_back(std::move(made));
  }
}

/// The lines of text about a sigma under the pointer.
std::vector<std::string> curveWords(const ChainState& state, const ChainCurves& curves, double sigma) {
  std::vector<std::string> lines{"σ = " + chainNumber(sigma, 3)};
  for (const ChainCurve& curve : curves.curves)
    if (const std::optional<double> value = valueOn(curve, sigma))
      lines.push_back(curveName(curve.model, curve.above) + ": " + shownProbability(*value, 3));
  const ChainCount* nearest = nullptr;
  constexpr double kNear = 1.12;  // a factor
  if (state.counts)
    for (const ChainCount& count : curves.counts) {
      const double away = std::abs(std::log(count.sigma / sigma));
      if (away < std::log(kNear) && (!nearest || away < std::abs(std::log(nearest->sigma / sigma)))) nearest = &count;
    }
  if (nearest)
    for (const ChainCount& count : curves.counts)
      if (count.sigma == nearest->sigma)
        lines.push_back(fmt::format("{} σ = {}, {}: {}/{} = {} ({} … {})", tr("counted for"),
                                    chainNumber(count.sigma, 3), curveName(count.model, count.above), count.share.hits,
                                    count.share.samples, chainNumber(count.share.share(), 3),
                                    chainNumber(count.share.low, 3), chainNumber(count.share.high, 3)));
  lines.emplace_back(tr("drag: choose σ"));
  return lines;
}

/// The line of the current sigma with its labels, over the chart.
std::vector<render::Item> sigmaItems(const Camera& camera, const Theme& theme, const ChainState& state,
                                     const std::array<std::optional<double>, 2>& shares) {
  std::vector<render::Item> items;
  const double sigma = std::clamp(state.sigma, kLeastSigma, kMostSigma);
  const double x = toPage(camera, {std::log10(sigma), 0}).x;
  items.emplace_back(pageLine({x, camera.plot.min.y}, {x, camera.plot.max.y}, theme.selection, theme.strongLine));
  items.emplace_back(render::Marker{{x, camera.plot.min.y},
                                    render::Shape::Diamond,
                                    theme.handleSize,
                                    theme.selection,
                                    theme.text,
                                    1.5f,
                                    render::Space::Page});
  std::vector<std::pair<double, std::string>> words{
      {camera.plot.min.y + theme.smallSize, "σ = " + chainNumber(state.sigma, 3)}};
  for (const bool above : {true, false}) {
    const std::optional<double>& p = shares[above ? 0 : 1];
    if (!p || state.sigma > kMostSigma) continue;
    const render::Point at = toPage(camera, {std::log10(sigma), *p});
    items.emplace_back(render::Marker{at, modelShape(state.model), 8, curveLook(theme, state.model, above).color,
                                      theme.plotBackground, 1.5f, render::Space::Page});
    words.emplace_back(at.y, shownProbability(*p, 3));
  }
  addSigmaWords(items, camera, theme, std::move(words), x);
  return items;
}

/// The ends of the axis of quantity i.
ChartAxis pathValueAxis(std::size_t i, const std::vector<double>& values) {
  double low = HUGE_VAL, high = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || (i == kTime && !(value > 0))) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (i == 1) return {.from = -0.03, .to = 1.03};
  if (i != kTime || low > high) return {.from = 0, .to = high > 0 ? 1.08 * high : 1};
  const double first = std::floor(std::log10(low)), last = std::max(std::ceil(std::log10(high)), first + 1);
  return {.logarithmic = true, .from = std::pow(10.0, first), .to = std::pow(10.0, last)};
}

std::vector<render::Item> headItems(const PlacedChart& chart, const Theme& theme, double head, double value) {
  const render::Rect& plot = chart.camera().plot;
  const double x = plot.min.x + head * plot.width(), y = chart.page({head, value}).y;
  std::vector<render::Item> items{pageLine({x, plot.min.y}, {x, plot.max.y}, theme.selection, 1.25f)};
  if (y >= plot.min.y - 4 && y <= plot.max.y + 4)
    items.emplace_back(render::Marker{
        {x, y}, render::Shape::Diamond, 10, theme.plotBackground, theme.selection, 2, render::Space::Page});
  return items;
}

}  // namespace

std::vector<LegendEntry> curveLegend(const ChainState& state, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (const bool above : {true, false})
    for (const markov::Model model : {markov::Model::EW, markov::Model::EWA}) {
      ChartLook look = curveLook(theme, model, above);
      look.width = theme.strongLine;
      if (state.counts) look.marker = modelShape(model);
      entries.push_back({curveName(model, above), look});
    }
  return entries;
}

ChartContent curveChart(const ChainState& state, const ChainResults& results, const Theme& theme) {
  ChartContent content;
  LineChart& chart = content.chart;
  chart.x = {.name = "σ", .logarithmic = true, .from = kLeastSigma, .to = kMostSigma};
  chart.y = {.name = tr("P(local minimum)"), .from = kLeastShare, .to = kMostShare};
  // The distance of the saddle from the origin is the length with which sigma is compared (erratum 14).
  chart.references.push_back(
      {kSaddleDistance, kSaddleName, {theme.textMuted, render::Dash::Dotted, 1}, /*vertical=*/true});
  addCurves(chart, state, results.curves(), theme);
  const std::array shares{results.probability(true), results.probability(false)};
  content.over = {Digest().add(state.sigma, state.model, shares[0], shares[1]).value(),
                  [state, shares](const PlacedChart& placed, const ViewPlace& place) {
                    return sigmaItems(placed.camera(), place.theme, state, shares);
                  }};
  content.spot = [state, &results](render::Point at, const ChartHit*) {
    return std::optional(ChartSpot{curveWords(state, results.curves(), roundedSigma(at.x))});
  };
  content.handles.push_back({.label = tr("change σ"),
                             .keys = {"flow.gauss.sigma"},
                             .changes =
                                 [](render::Point to, bool) {
                                   return Changes{{"flow.gauss.sigma", roundedSigma(to.x)}};
                                 },
                             .follows = true,
                             .cursor = Cursor::ResizeHorizontal,
                             .gesture = {tr("Drag over the curves"), tr("choose σ")}});
  return content;
}

std::pair<std::string, std::string> pathGesture() {
  return {tr("Drag the marker, or in the plots"), tr("move along the path")};
}

/// Quantity i along the path, and its value at the head. The line has gaps where the quantity is undefined.
static ChartContent pathValueChart(const ChainState& state, const ChainResults& results, std::size_t i,
                                   const Theme& theme) {
  ChartContent content;
  LineChart& chart = content.chart;
  const ChainPathValues& along = results.along();
  chart.title = tr(kSmall[i].title);
  chart.compact = true;
  chart.x = {.bare = true, .from = 0, .to = 1};
  ChartSeries line{"", {theme.text, render::Dash::Solid, theme.lineWidth}, along.t};
  for (const ChainReading& at : along.at)
    line.y.push_back(kSmall[i].value(at).value_or(std::nan("")));
  chart.y = pathValueAxis(i, line.y);
  if (const std::optional<double> crossing = along.path.crossing())
    chart.references.push_back({*crossing, "", {theme.separatrix, render::Dash::Dashed, theme.lineWidth}, true});
  chart.series.push_back(std::move(line));
  const double value = kSmall[i].value(results.reading(state.path.at(state.head))).value_or(std::nan(""));
  content.over = {Digest().add(state.head, value).value(),
                  [head = state.head, value](const PlacedChart& placed, const ViewPlace& place) {
                    return headItems(placed, place.theme, head, value);
                  }};
  content.spot = [](render::Point, const ChartHit*) { return std::optional<ChartSpot>(); };
  content.handles.push_back({.keys = {"flow.chain.path.at"},
                             .changes =
                                 [](render::Point to, bool) {
                                   return Changes{{"flow.chain.path.at", roundedPlace(to.x)}};
                                 },
                             .undoable = false,
                             .follows = true,
                             .cursor = Cursor::ResizeHorizontal,
                             .gesture = pathGesture()});
  content.aligned = true;
  return content;
}

static std::string placeWords(const markov::Chain& chain) {
  return fmt::format("({}, {})", shownProbability(chain.p, 2), shownProbability(chain.q, 2));
}

Arrangement addPathCharts(Views& into, const ChainState& state, const ChainResults& results, const Theme& theme) {
  constexpr double kLeastHigh = 9;  // in text sizes
  Arrangement charts = gridOfViews(2, theme.space, {});
  for (std::size_t i = 0; state.showPath && i < kSmall.size(); ++i) {
    const std::string name = "along" + std::to_string(i + 1);
    into.views.push_back({name, pathValueChart(state, results, i, theme)});
    charts.parts.push_back(viewNamed(name));
  }
  into.views.push_back(
      {"ends", TextContent{.lines = {{{trFormat("from {} to {}; dashed: p + q = 1", placeWords(state.path.at(0)),
                                                placeWords(state.path.at(1)))},
                                      NoteLine::Role::Muted}}}});
  Arrangement along{.kind = Arrangement::Kind::Column, .parts = {std::move(charts), asHighAsContent("ends")}};
  along.parts.back().margin = theme.space / 2;
  along.called = tr("the four plots along the path");
  along.leastHeight = kLeastHigh * theme.textSize;
  along.order = 1;
  return along;
}

std::vector<NoteLine> readingLines(const ChainReading& reading) {
  const markov::Chain& chain = reading.chain;
  const std::string line = std::string("p = ") + shownProbability(chain.p, 3) +
                           ", q = " + shownProbability(chain.q, 3) +
                           ", p + q − 1 = " + chainNumber(chain.switching(), 3);
  if (chain.degenerate())
    return {
        {{line}},
        {{tr("Degenerate: the next symbol does not depend on the last one; S⋆ = 0, and there is nothing to learn.")}}};
  std::vector<NoteLine> lines{{{line}}};
  const auto add = [&lines](const char* name, const std::string& value) { lines.push_back({{tr(name), value}}); };
  const auto later = [](const std::optional<double>& value, int digits = 4) {
    return value ? chainNumber(*value, digits) : std::string("…");
  };
  add(N_("loss gap H(π) − H(x′|x)"), chainNumber(reading.gap) + " nats");
  add(N_("P(local minimum)"), reading.probability ? shownProbability(*reading.probability, 4) : "…");
  add(N_("expected excess loss"), later(reading.excess) + " nats");
  add(N_("S⋆"), chainNumber(reading.S_star));
  add(N_("nearest in Θ⋆ (e, w)"), "(" + chainNumber(reading.nearest.e, 3) + ", " + chainNumber(reading.nearest.w, 3) +
                                      "), |Θ⋆| = " + chainNumber(reading.distance, 3));
  add(N_("median time to 99 %"), later(reading.time));
  add(N_("e-fold time near e = 0"), chainNumber(reading.clock));
  return lines;
}

}  // namespace sepx::ui
