// SPDX-License-Identifier: Apache-2.0
// P(I_min) against sigma on either side of p + q = 1: quadrature as lines, counts of integrated starts with their 95 %
// intervals beside them. Pure.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/chain/chain_items.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kLeastShare = -0.02, kMostShare = 1.02;  // ends of the vertical axis

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

std::string curveName(markov::Model model, bool above) {
  return std::string(above ? tr("p + q > 1") : tr("p + q < 1")) +
         (markov::hasAttention(model) ? ", (e, w, a)" : ", (e, w)");
}

void addCurves(LineChart& chart, const ChainView& view) {
  for (const ChainCurve& curve : view.results.curves().curves) {
    const bool ours = curve.model == view.state.model && curve.above == (view.state.chain.switching() > 0) &&
                      !view.state.chain.degenerate();
    ChartSeries& line = chart.series.emplace_back();
    line.look = curveLook(view.theme, curve.model, curve.above);
    if (ours) line.look.width = view.theme.strongLine + 0.5f;
    line.x = curve.sigma;
    line.y = curve.probability;
  }
  if (!view.state.counts) return;
  for (const ChainCount& count : view.results.curves().counts) {
    if (count.share.samples == 0) continue;
    ChartSeries& bar = chart.series.emplace_back();
    bar.look = curveLook(view.theme, count.model, count.above);
    bar.look.width = 0;
    bar.look.spread = Spread::Bars;
    bar.look.marker = modelShape(count.model);
    bar.x = {count.sigma};
    bar.y = {count.share.share()};
    bar.low = {count.share.low};
    bar.high = {count.share.high};
  }
}

std::vector<LegendEntry> curveLegend(const ChainView& view) {
  std::vector<LegendEntry> entries;
  for (const bool above : {true, false})
    for (const markov::Model model : {markov::Model::EW, markov::Model::EWA}) {
      ChartLook look = curveLook(view.theme, model, above);
      look.width = view.theme.strongLine;
      if (view.state.counts) look.marker = modelShape(model);
      entries.push_back({curveName(model, above), look});
    }
  return entries;
}

/// Linear between the nodes of a curve.
std::optional<double> valueOn(const ChainCurve& curve, double sigma) {
  const auto next = std::lower_bound(curve.sigma.begin(), curve.sigma.end(), sigma);
  if (next == curve.sigma.end() || next == curve.sigma.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(next - curve.sigma.begin());
  const double share = std::log(sigma / curve.sigma[i - 1]) / std::log(curve.sigma[i] / curve.sigma[i - 1]);
  return curve.probability[i - 1] + share * (curve.probability[i] - curve.probability[i - 1]);
}

}  // namespace

Camera curveCamera(const ChainLayout& layout) {
  return {{{std::log10(kLeastSigma), kLeastShare}, {std::log10(kMostSigma), kMostShare}},
          layout.curve.value_or(render::Rect{{0, 0}, {1, 1}})};
}

double sigmaAtPage(const ChainLayout& layout, double x) {
  const double sigma = std::pow(10.0, toData(curveCamera(layout), {x, 0}).x);
  // Two digits, rounded in decimals.
  return std::clamp(parseNumber(fmt::format("{:.2g}", sigma)).value_or(1), kLeastSigma, 10.0);
}

std::vector<render::Item> curveItems(const ChainView& view) {
  if (!view.layout.curve) return {};
  const Theme& theme = view.theme;
  LineChart chart;
  chart.x = {.name = "σ", .logarithmic = true, .from = kLeastSigma, .to = kMostSigma};
  chart.y = {.name = tr("P(local minimum)"), .from = kLeastShare, .to = kMostShare};
  chart.plot = view.layout.curve;
  // The distance of the saddle from the origin is the length that sigma is small or large against (erratum 14).
  chart.references.push_back(
      {std::numbers::sqrt2 / 2, "1/√2", {theme.textMuted, render::Dash::Dotted, 1}, /*vertical=*/true});
  addCurves(chart, view);
  std::vector<render::Item> items = PlacedChart(std::move(chart), *view.layout.curve, theme).items();
  addLegend(items, view.layout.legend->min, view.layout.legend->width(), curveLegend(view), theme);
  return items;
}

std::vector<render::Item> sigmaItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.curve) return items;
  const Camera camera = curveCamera(view.layout);
  const Theme& theme = view.theme;
  const double sigma = std::clamp(view.state.sigma, kLeastSigma, kMostSigma);
  const double x = toPage(camera, {std::log10(sigma), 0}).x;
  items.emplace_back(pageLine({x, camera.plot.min.y}, {x, camera.plot.max.y}, theme.accent, theme.strongLine));
  items.emplace_back(render::Marker{{x, camera.plot.min.y},
                                    render::Shape::Diamond,
                                    theme.handleSize,
                                    theme.accent,
                                    theme.text,
                                    1.5f,
                                    render::Space::Page});
  const bool right = x > camera.plot.min.x + 0.75 * camera.plot.width();
  const auto label = [&](double y, const std::string& text, render::Color color) {
    render::Label made = textAt({x + (right ? -9.0 : 9.0), y}, text, theme.smallSize, color,
                                right ? render::AlignX::Right : render::AlignX::Left);
    made.backdrop = faded(theme.plotBackground, 0.8f);
    items.emplace_back(std::move(made));
  };
  label(camera.plot.min.y + theme.smallSize, "σ = " + chainNumber(view.state.sigma, 3), theme.text);
  double last = camera.plot.min.y + theme.smallSize;
  for (const bool above : {true, false}) {
    const std::optional<double> p = view.results.probability(above);
    if (!p || view.state.sigma > kMostSigma) continue;
    const render::Point at = toPage(camera, {std::log10(sigma), *p});
    items.emplace_back(render::Marker{at, modelShape(view.state.model), 8,
                                      curveLook(theme, view.state.model, above).color, theme.plotBackground, 1.5f,
                                      render::Space::Page});
    const double y = std::min(std::max(at.y, last + 1.5 * theme.smallSize), camera.plot.max.y - theme.smallSize);
    label(y, shownProbability(*p, 3), theme.text);
    last = y;
  }
  return items;
}

std::vector<std::string> curveWords(const ChainView& view, double sigma) {
  std::vector<std::string> lines{"σ = " + chainNumber(sigma, 3)};
  for (const ChainCurve& curve : view.results.curves().curves)
    if (const std::optional<double> value = valueOn(curve, sigma))
      lines.push_back(curveName(curve.model, curve.above) + ": " + shownProbability(*value, 3));
  const ChainCount* nearest = nullptr;
  constexpr double kNear = 1.12;  // a factor
  if (view.state.counts)
    for (const ChainCount& count : view.results.curves().counts) {
      const double away = std::abs(std::log(count.sigma / sigma));
      if (away < std::log(kNear) && (!nearest || away < std::abs(std::log(nearest->sigma / sigma)))) nearest = &count;
    }
  if (nearest)
    for (const ChainCount& count : view.results.curves().counts)
      if (count.sigma == nearest->sigma)
        lines.push_back(fmt::format("{} σ = {}, {}: {}/{} = {} ({} … {})", tr("counted at"),
                                    chainNumber(count.sigma, 3), curveName(count.model, count.above), count.share.hits,
                                    count.share.samples, chainNumber(count.share.share(), 3),
                                    chainNumber(count.share.low, 3), chainNumber(count.share.high, 3)));
  lines.emplace_back(tr("drag: choose σ"));
  return lines;
}

}  // namespace sepx::ui
