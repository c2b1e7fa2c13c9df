// SPDX-License-Identifier: Apache-2.0
// A score against the number of parameters [Attention-Structure, Figures 2, S1, S2]: medians with quartiles of printed
// models and of the person's own, logarithmic abscissa, names where they do not overlap. Pure.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/charts/charts_plot.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr float kDot = 8, kOwnDot = 12;
constexpr double kReach = 12;  // points within which a dot is under the pointer

render::Point placeOf(const Camera& camera, const ModelDot& dot) {
  return toPage(camera, {std::log10(dot.parameters), dot.value.median});
}

/// "1 M", "10 B": ticks at powers of ten of a logarithmic axis.
Ticks parameterTicks(double min, double max, double length, double textSize) {
  Ticks ticks = decadeTicks(min, max, length / (4 * textSize));
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const int exponent = static_cast<int>(std::lround(ticks.values[i]));
    constexpr std::array<const char*, 5> kUnits{"", " k", " M", " B", " T"};
    if (exponent < 0 || exponent >= 15) continue;
    constexpr std::array<const char*, 3> kLeading{"1", "10", "100"};
    ticks.labels[i] =
        std::string(kLeading[static_cast<std::size_t>(exponent % 3)]) + kUnits[static_cast<std::size_t>(exponent / 3)];
  }
  return ticks;
}

render::Color colorOf(const Theme& theme, const ModelDot& dot) {
  return dot.own ? theme.accent : classColor(theme, dot.kind);
}

void addDot(std::vector<render::Item>& items, const ScatterChart& chart, const ModelDot& dot, const Camera& camera) {
  const Theme& theme = *chart.theme;
  const render::Point at = placeOf(camera, dot);
  const render::Color color = colorOf(theme, dot);
  const bool safe = dot.unsafe.empty();
  const double low = toPage(camera, {0, dot.value.q1}).y, high = toPage(camera, {0, dot.value.q3}).y;
  items.emplace_back(pageLine({at.x, std::min(low, camera.plot.max.y)}, {at.x, std::max(high, camera.plot.min.y)},
                              faded(color, safe ? 0.6f : 0.35f), dot.own ? 2.0f : 1.2f));
  items.emplace_back(render::Marker{at, classShape(dot.kind), dot.own ? kOwnDot : kDot,
                                    safe && !dot.compared ? color : theme.plotBackground, color, dot.own ? 2.0f : 1.5f,
                                    render::Space::Page});
  if (dot.mispaired)
    items.emplace_back(render::Marker{at, render::Shape::Cross, 4, color, color, 1.2f, render::Space::Page});
}

bool meets(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

/// Names, the person's own first, at the first of eight places around the dot that is free; others go without.
void addNames(std::vector<render::Item>& items, const ScatterChart& chart, const Camera& camera) {
  const Theme& theme = *chart.theme;
  const std::vector<ModelDot>& dots = *chart.dots;
  const double size = chart.compact ? 0.85 * theme.smallSize : 0.92 * theme.smallSize;
  std::vector<render::Rect> taken;
  for (const ModelDot& dot : dots) {
    const render::Point at = placeOf(camera, dot);
    const double half = dot.own ? kOwnDot / 2 : kDot / 2;
    taken.push_back({{at.x - half, at.y - half}, {at.x + half, at.y + half}});
  }
  std::vector<std::size_t> order(dots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t i) { return dots[i].own ? 0 : dots[i].unsafe.empty() ? 1 : 2; };
    return rank(a) < rank(b);
  });
  std::vector<std::string> written;
  for (const std::size_t i : order) {
    const ModelDot& dot = dots[i];
    if (!dot.own && std::find(written.begin(), written.end(), dot.name) != written.end()) continue;
    const render::Point at = placeOf(camera, dot);
    const double own = dot.own ? 1.1 * size : size;
    const std::string text = elided(dot.name, own, 0.5 * camera.plot.width());
    const double w = textWidth(text, own) + 2, h = 1.15 * own, gap = dot.own ? 9 : 6;
    const std::array<render::Point, 8> corners{{{at.x + gap, at.y - h / 2},
                                                {at.x - gap - w, at.y - h / 2},
                                                {at.x - w / 2, at.y - gap - h},
                                                {at.x - w / 2, at.y + gap},
                                                {at.x + gap * 0.7, at.y - gap * 0.7 - h},
                                                {at.x - gap * 0.7 - w, at.y - gap * 0.7 - h},
                                                {at.x + gap * 0.7, at.y + gap * 0.7},
                                                {at.x - gap * 0.7 - w, at.y + gap * 0.7}}};
    for (const render::Point& corner : corners) {
      const render::Rect box{corner, {corner.x + w, corner.y + h}};
      if (!camera.plot.contains(box.min) || !camera.plot.contains(box.max)) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const render::Rect& other) { return meets(box, other); }))
        continue;
      taken.push_back(box);
      written.push_back(dot.name);
      const render::Color color = dot.own              ? theme.text
                                  : dot.unsafe.empty() ? theme.textMuted
                                                       : faded(theme.textMuted, 0.7f);
      items.emplace_back(textAt({box.min.x + 1, box.min.y + h / 2}, text, static_cast<float>(own), color));
      break;
    }
  }
}

}  // namespace

render::Color classColor(const Theme& theme, ModelClass kind) {
  switch (kind) {
    case ModelClass::Encoder:
      return theme.globalMin;
    case ModelClass::Decoder:
      return theme.localMin;
    case ModelClass::EncoderDecoder:
      return theme.saddle;
    case ModelClass::Modality:
      break;
  }
  return theme.attractor;
}

render::Shape classShape(ModelClass kind) {
  switch (kind) {
    case ModelClass::Encoder:
      return render::Shape::Circle;
    case ModelClass::Decoder:
      return render::Shape::Square;
    case ModelClass::EncoderDecoder:
      return render::Shape::Diamond;
    case ModelClass::Modality:
      break;
  }
  return render::Shape::Triangle;
}

std::string classWords(ModelClass kind) {
  switch (kind) {
    case ModelClass::Encoder:
      return tr("encoder-only");
    case ModelClass::Decoder:
      return tr("decoder-only");
    case ModelClass::EncoderDecoder:
      return tr("encoder-decoder");
    case ModelClass::Modality:
      break;
  }
  return tr("vision or audio");
}

Camera scatterCamera(const ScatterChart& chart) {
  const Margins m = axisMargins(*chart.theme, false);
  double left = std::numeric_limits<double>::infinity(), right = -left, low = 0, high = 0;
  for (const ModelDot& dot : *chart.dots) {
    left = std::min(left, std::log10(dot.parameters));
    right = std::max(right, std::log10(dot.parameters));
    low = std::min(low, dot.value.q1);
    high = std::max(high, dot.value.q3);
  }
  if (!(right >= left)) left = 6, right = 11;
  const double sideways = std::max(0.4, 0.07 * (right - left)), up = std::max(0.05, 0.07 * (high - low));
  render::Rect plot{{chart.box.min.x + m.left, chart.box.min.y + 1.9 * chart.theme->textSize},
                    {chart.box.max.x - m.right, chart.box.max.y - m.bottom}};
  plot.max.x = std::max(plot.max.x, plot.min.x + 20);
  plot.max.y = std::max(plot.max.y, plot.min.y + 20);
  return {{{left - sideways, std::max(low - up, -1.06)}, {right + sideways, std::min(high + up, 1.06)}}, plot};
}

std::vector<render::Item> scatterItems(const ScatterChart& chart) {
  std::vector<render::Item> items;
  const Theme& theme = *chart.theme;
  const Camera camera = scatterCamera(chart);
  const render::Rect& plot = camera.plot;
  const Ticks x = parameterTicks(camera.window.min.x, camera.window.max.x, plot.width(), theme.smallSize);
  const Ticks y = fittingTicks(camera.window.min.y, camera.window.max.y, plot.height(), theme.smallSize, false);
  items.emplace_back(pageFill(plot, theme.plotBackground));
  addGrid(items, camera, x, y, theme);
  for (const ModelDot& dot : *chart.dots)
    if (!dot.own) addDot(items, chart, dot, camera);
  for (const ModelDot& dot : *chart.dots)
    if (dot.own) addDot(items, chart, dot, camera);
  addNames(items, chart, camera);
  addAxes(items, camera, x, y, {tr("parameters"), symbolOf(chart.which)}, theme);
  const std::string title = chart.which == ChartScore::Symmetry ? tr("Symmetry of published models")
                                                                : tr("Directionality of published models");
  items.emplace_back(textAt({plot.min.x, plot.min.y - 0.55 * theme.textSize},
                            elided(title, theme.smallSize, plot.width()), theme.smallSize, theme.text,
                            render::AlignX::Left, render::AlignY::Bottom));
  return items;
}

std::optional<std::size_t> dotAt(const ScatterChart& chart, render::Point pointer) {
  const Camera camera = scatterCamera(chart);
  if (!camera.plot.contains(pointer)) return std::nullopt;
  std::optional<std::size_t> best;
  double nearest = kReach;
  for (std::size_t i = 0; i < chart.dots->size(); ++i) {
    const render::Point at = placeOf(camera, (*chart.dots)[i]);
    const double away = std::hypot(at.x - pointer.x, at.y - pointer.y);
    if (away < nearest) nearest = away, best = i;
  }
  return best;
}

std::vector<render::Item> dotTip(const ScatterChart& chart, std::size_t dot, render::Point pointer,
                                 const render::Rect& area) {
  std::vector<render::Item> items;
  const ModelDot& model = (*chart.dots)[dot];
  const Theme& theme = *chart.theme;
  std::vector<std::string> lines;
  lines.push_back(model.name + ", " + classWords(model.kind) +
                  (model.kind == ModelClass::Modality ? " (" + model.modality + ")" : std::string()));
  lines.push_back(fmt::format("{}: {} = {} ({} … {})", model.own ? tr("measured") : tr("published"),
                              symbolOf(chart.which), scoreText(model.value.median), scoreText(model.value.q1),
                              scoreText(model.value.q3)));
  lines.push_back(countText(model.parameters) + " " + tr("parameters"));
  if (!model.unsafe.empty()) {
    lines.emplace_back(model.mispaired ? tr("Not comparable:") : tr("Not judged:"));
    for (const std::string& line : wrapped(model.unsafe, theme.smallSize, 30 * theme.smallSize))
      lines.push_back(line);
  }
  items.emplace_back(render::Marker{placeOf(scatterCamera(chart), model),
                                    render::Shape::Ring,
                                    kOwnDot + 4,
                                    {},
                                    theme.text,
                                    1.5f,
                                    render::Space::Page});
  addTip(items, pointer, lines, area, theme);
  return items;
}

double addScatterLegend(std::vector<render::Item>& items, render::Point at, double width, const ScatterChart& chart) {
  const Theme& theme = *chart.theme;
  const double size = theme.smallSize, row = 1.6 * size, glyph = 16;
  double x = at.x, y = at.y + row / 2;
  const auto entry = [&](const std::string& text, render::Marker marker, bool crossed) {
    const double needed = glyph + textWidth(text, size) + 1.4 * size;
    if (x > at.x && x + needed > at.x + width) x = at.x, y += row;
    marker.at = {x + glyph / 2 - 2, y};
    items.emplace_back(marker);
    if (crossed)
      items.emplace_back(
          render::Marker{marker.at, render::Shape::Cross, 4, marker.edge, marker.edge, 1.2f, render::Space::Page});
    items.emplace_back(
        textAt({x + glyph, y}, elided(text, size, at.x + width - x - glyph), theme.smallSize, theme.textMuted));
    x += needed;
  };
  const auto marker = [&](ModelClass kind, bool filled, render::Color color) {
    return render::Marker{{},   classShape(kind),   kDot, filled ? color : theme.plotBackground, color,
                          1.5f, render::Space::Page};
  };
  for (const ModelClass kind :
       {ModelClass::Encoder, ModelClass::Decoder, ModelClass::EncoderDecoder, ModelClass::Modality})
    entry(classWords(kind), marker(kind, true, classColor(theme, kind)), false);
  const auto& dots = *chart.dots;
  const auto own = std::find_if(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.own; });
  if (own != dots.end()) entry(tr("yours"), marker(own->kind, true, theme.accent), false);
  if (std::any_of(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.mispaired; }))
    entry(tr("queries paired with wrong keys"), marker(ModelClass::Decoder, false, theme.localMin), true);
  return y + row / 2 - at.y;
}

}  // namespace sepx::ui
