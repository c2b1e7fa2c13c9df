// SPDX-License-Identifier: Apache-2.0
// P(I_min) against sigma on either side of p + q = 1: quadrature as lines, counts of integrated starts with their 95 %
// intervals beside them. Pure.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/chain/chain_items.h"
#include "ui/exhibit/page_kit.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

render::Color sideColor(const Theme& theme, bool above) {
  return above ? theme.localMin : theme.globalMin;
}
render::Dash modelDash(markov::Model model) {
  return markov::hasAttention(model) ? render::Dash::Dashed : render::Dash::Solid;
}
render::Shape modelShape(markov::Model model) {
  return markov::hasAttention(model) ? render::Shape::Diamond : render::Shape::Circle;
}

std::string curveName(markov::Model model, bool above) {
  return std::string(above ? tr("p + q > 1") : tr("p + q < 1")) +
         (markov::hasAttention(model) ? ", (e, w, a)" : ", (e, w)");
}

Ticks sigmaTicks(double width, double size) {
  Ticks ticks;
  double last = -1e9;
  for (const double sigma : {0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    const double at = (std::log10(sigma) - std::log10(kLeastSigma)) / std::log10(kMostSigma / kLeastSigma) * width;
    if (at - last < 2.8 * size) continue;
    last = at;
    ticks.values.push_back(std::log10(sigma));
    ticks.labels.push_back(formatShortest(sigma));
  }
  return ticks;
}

void addCurves(std::vector<render::Item>& items, const ChainView& view, const Camera& camera) {
  for (const ChainCurve& curve : view.results.curves().curves) {
    const bool ours = curve.model == view.state.model && curve.above == (view.state.chain.switching() > 0) &&
                      !view.state.chain.degenerate();
    render::Polyline line{{},
                          {sideColor(view.theme, curve.above),
                           ours ? view.theme.strongLine + 0.5f : view.theme.lineWidth, modelDash(curve.model)},
                          {},
                          render::Space::Page};
    for (std::size_t i = 0; i < curve.sigma.size(); ++i)
      line.points.push_back(toPage(camera, {std::log10(curve.sigma[i]), curve.probability[i]}));
    items.emplace_back(std::move(line));
  }
}

void addCounts(std::vector<render::Item>& items, const ChainView& view, const Camera& camera) {
  if (!view.state.counts) return;
  constexpr double kCap = 3;
  for (const ChainCount& count : view.results.curves().counts) {
    if (count.share.samples == 0) continue;
    const render::Color color = sideColor(view.theme, count.above);
    const double x = std::log10(count.sigma);
    const render::Point low = toPage(camera, {x, count.share.low}), high = toPage(camera, {x, count.share.high});
    items.emplace_back(pageLine(low, high, color, 1.25f));
    for (const render::Point& end : {low, high})
      items.emplace_back(pageLine({end.x - kCap, end.y}, {end.x + kCap, end.y}, color, 1.25f));
    items.emplace_back(render::Marker{toPage(camera, {x, count.share.share()}), modelShape(count.model),
                                      markov::hasAttention(count.model) ? 8.0f : 6.5f, view.theme.plotBackground, color,
                                      1.5f, render::Space::Page});
  }
}

void addLegend(std::vector<render::Item>& items, const ChainView& view) {
  const render::Rect& box = *view.layout.legend;
  const Theme& theme = view.theme;
  const double size = theme.smallSize, row = 1.6 * size, glyph = 26;
  double x = box.min.x, y = box.min.y + row / 2;
  const auto entry = [&](const std::string& text, const auto& draw) {
    const double needed = glyph + textWidth(text, size) + 1.2 * size;
    if (x > box.min.x && x + needed > box.max.x + size) x = box.min.x, y += row;
    if (y > box.max.y) return;
    draw(render::Point{x, y});
    items.emplace_back(textAt({x + glyph, y}, text, theme.smallSize, theme.textMuted));
    x += needed;
  };
  for (const bool above : {true, false})
    for (const markov::Model model : {markov::Model::EW, markov::Model::EWA})
      entry(curveName(model, above), [&](render::Point at) {
        items.emplace_back(
            pageLine(at, {at.x + glyph - 6, at.y}, sideColor(theme, above), theme.strongLine, modelDash(model)));
        if (view.state.counts)
          items.emplace_back(render::Marker{{at.x + (glyph - 6) / 2, at.y},
                                            modelShape(model),
                                            7,
                                            theme.plotBackground,
                                            sideColor(theme, above),
                                            1.5f,
                                            render::Space::Page});
      });
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
  return {{{std::log10(kLeastSigma), -0.02}, {std::log10(kMostSigma), 1.02}},
          layout.curve.value_or(render::Rect{{0, 0}, {1, 1}})};
}

double sigmaAtPage(const ChainLayout& layout, double x) {
  const double sigma = std::pow(10.0, toData(curveCamera(layout), {x, 0}).x);
  // Two digits, rounded in decimals.
  return std::clamp(parseNumber(fmt::format("{:.2g}", sigma)).value_or(1), kLeastSigma, 10.0);
}

std::vector<render::Item> curveItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.curve) return items;
  const Camera camera = curveCamera(view.layout);
  const Theme& theme = view.theme;
  const render::Rect& plot = camera.plot;
  const Ticks x = sigmaTicks(plot.width(), theme.smallSize);
  const Ticks y = fittingTicks(0, 1, plot.height(), theme.smallSize, false);
  items.emplace_back(pageFill(plot, theme.plotBackground));
  for (const double value : x.values) {
    const double at = toPage(camera, {value, 0}).x;
    items.emplace_back(pageLine({at, plot.min.y}, {at, plot.max.y}, theme.grid));
  }
  for (const double value : y.values) {
    const double at = toPage(camera, {0, value}).y;
    items.emplace_back(pageLine({plot.min.x, at}, {plot.max.x, at}, value == 0 ? theme.axisZero : theme.grid));
  }
  // The distance of the saddle from the origin is the length that sigma is small or large against (erratum 14).
  const double natural = toPage(camera, {-0.5 * std::log10(2.0), 0}).x;
  items.emplace_back(pageLine({natural, plot.min.y}, {natural, plot.max.y}, theme.textMuted, 1, render::Dash::Dotted));
  items.emplace_back(
      textAt({natural + 4, plot.max.y - 0.8 * theme.smallSize}, "1/√2", theme.smallSize, theme.textMuted));
  addCurves(items, view, camera);
  addCounts(items, view, camera);
  addAxes(items, camera, x, y, {"σ", tr("P(local minimum)")}, theme);
  addLegend(items, view);
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
    items.emplace_back(render::Marker{at, modelShape(view.state.model), 8, sideColor(theme, above),
                                      theme.plotBackground, 1.5f, render::Space::Page});
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
