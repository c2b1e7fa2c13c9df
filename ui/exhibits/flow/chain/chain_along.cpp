// SPDX-License-Identifier: Apache-2.0
// What varies along the path through the square: four small plots over one axis, the crossing of p + q = 1 marked in
// each; and the words beside the square. Pure.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/chain/chain_items.h"
#include "ui/exhibit/page_kit.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

struct Small {
  const char* title;
  std::optional<double> (*value)(const ChainReading&);
};

std::optional<double> logTime(const ChainReading& at) {
  if (!at.time || !(*at.time > 0)) return std::nullopt;
  return std::log10(*at.time);
}

constexpr std::array kSmall{
    Small{N_("loss gap (nats)"), [](const ChainReading& at) { return std::optional<double>(at.gap); }},
    Small{N_("P(local minimum)"), [](const ChainReading& at) { return at.probability; }},
    Small{N_("expected excess loss (nats)"), [](const ChainReading& at) { return at.excess; }},
    Small{N_("time to 99 %"), logTime},
};
constexpr std::size_t kTime = 3;
constexpr double kTightest = 1.25;  // leading of the words, sizes of their type

/// The plot of quantity i: two by two.
render::Rect plotOf(const render::Rect& box, std::size_t i, const Theme& theme) {
  const double left = 3.6 * theme.smallSize + 0.8 * theme.textSize, top = 1.9 * theme.smallSize;
  const double bottom = 1.7 * theme.smallSize;
  const double width = box.width() / 2, height = (box.height() - bottom) / 2;
  const render::Point corner{box.min.x + static_cast<double>(i % 2) * width,
                             box.min.y + static_cast<double>(i / 2) * height};
  return {{corner.x + left, corner.y + top},
          {corner.x + std::max(width - 1.5 * theme.space, left + 20), corner.y + std::max(height - 4.0, top + 12)}};
}

/// Range of the vertical axis.
ColorLimits rangeOf(const ChainAlong& along, std::size_t i) {
  if (i == 1) return {0, 1};
  double low = i == kTime ? 1e9 : 0, high = i == kTime ? -1e9 : 0;
  for (const ChainReading& at : along.at)
    if (const std::optional<double> value = kSmall[i].value(at); value && std::isfinite(*value))
      low = std::min(low, *value), high = std::max(high, *value);
  if (!(low <= high)) return {0, 1};
  if (i == kTime) return {std::floor(low), std::max(std::ceil(high), std::floor(low) + 1)};
  return {0, high > 0 ? 1.08 * high : 1};
}

Camera cameraOf(const ChainView& view, std::size_t i) {
  const ColorLimits range = rangeOf(view.results.along(), i);
  const double pad = i == 1 ? 0.03 : 0;
  return {{{0, range.low - pad}, {1, range.high + pad}}, plotOf(*view.layout.along, i, view.theme)};
}

std::string placeWords(const markov::Chain& chain) {
  return "(" + shownProbability(chain.p, 2) + ", " + shownProbability(chain.q, 2) + ")";
}

void addFrame(std::vector<render::Item>& items, const ChainView& view, std::size_t i, const Camera& camera) {
  const Theme& theme = view.theme;
  const render::Rect& plot = camera.plot;
  const Ticks y = i == kTime
                      ? decadeTicks(camera.window.min.y, camera.window.max.y, plot.height() / (2 * theme.smallSize))
                      : fittingTicks(camera.window.min.y, camera.window.max.y, plot.height(), theme.smallSize, false);
  for (std::size_t k = 0; k < y.values.size(); ++k) {
    const double at = toPage(camera, {0, y.values[k]}).y;
    items.emplace_back(pageLine({plot.min.x, at}, {plot.max.x, at}, theme.grid));
    items.emplace_back(
        textAt({plot.min.x - 5, at}, y.labels[k], 0.9f * theme.smallSize, theme.tick, render::AlignX::Right));
  }
  items.emplace_back(pageFrameLine(plot, theme.border));
  items.emplace_back(textAt({plot.min.x, plot.min.y - 4}, elided(tr(kSmall[i].title), theme.smallSize, plot.width()),
                            theme.smallSize, theme.text, render::AlignX::Left, render::AlignY::Bottom));
}

void addCurve(std::vector<render::Item>& items, const ChainView& view, std::size_t i, const Camera& camera) {
  const ChainAlong& along = view.results.along();
  const Theme& theme = view.theme;
  render::Polyline line{{}, {theme.text, theme.lineWidth, render::Dash::Solid}, {}, render::Space::Page};
  for (std::size_t k = 0; k < along.t.size(); ++k) {
    const std::optional<double> value = kSmall[i].value(along.at[k]);
    const double nothing = std::nan("");
    line.points.push_back(value && std::isfinite(*value) ? toPage(camera, {along.t[k], *value})
                                                         : render::Point{nothing, nothing});
  }
  items.emplace_back(std::move(line));
}

/// Below the lower plots: where the path starts and ends, where it meets the line.
void addFoot(std::vector<render::Item>& items, const ChainView& view, std::size_t i, const Camera& camera) {
  const Theme& theme = view.theme;
  const render::Rect& plot = camera.plot;
  const ChainPath& path = view.results.along().path;
  const double y = plot.max.y + 4;
  const auto words = [&](double x, const std::string& text, render::AlignX align) {
    items.emplace_back(textAt({x, y}, text, 0.9f * theme.smallSize, theme.textMuted, align, render::AlignY::Top));
  };
  const std::string first = placeWords(path.at(0)), last = placeWords(path.at(1));
  const std::optional<double> crossing = path.crossing();
  const std::string middle = crossing ? std::string("p + q = 1") : std::string();
  const double size = 0.9 * theme.smallSize, half = textWidth(middle, size) / 2 + size;
  const double at = crossing ? toPage(camera, {*crossing, 0}).x : plot.min.x;
  if (i < 2) return;
  if (plot.min.x + textWidth(first, size) < at - half || !crossing) words(plot.min.x, first, render::AlignX::Left);
  if (plot.max.x - textWidth(last, size) > at + half || !crossing) words(plot.max.x, last, render::AlignX::Right);
  if (crossing) words(at, middle, render::AlignX::Center);
}

void addLines(std::vector<render::Item>& items, const ChainView& view, render::Rect box,
              const std::vector<std::pair<std::string, render::Color>>& lines) {
  const double room = box.height() / std::max<double>(1, static_cast<double>(lines.size()));
  const double leading = std::clamp(room, kTightest * view.theme.smallSize, 1.45 * view.theme.smallSize);
  double y = box.min.y + leading / 2;
  for (const auto& [text, color] : lines) {
    if (y + leading / 2 > box.max.y) return;
    items.emplace_back(textAt({box.min.x, y}, text, view.theme.smallSize, color));
    y += leading;
  }
}

}  // namespace

std::vector<render::Item> alongItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.along || view.results.along().at.empty()) return items;
  const std::optional<double> crossing = view.results.along().path.crossing();
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    const Camera camera = cameraOf(view, i);
    addFrame(items, view, i, camera);
    if (crossing) {
      const double x = toPage(camera, {*crossing, 0}).x;
      items.emplace_back(pageLine({x, camera.plot.min.y}, {x, camera.plot.max.y}, view.theme.separatrix,
                                  view.theme.lineWidth, render::Dash::Dashed));
    }
    addCurve(items, view, i, camera);
    addFoot(items, view, i, camera);
  }
  return items;
}

std::vector<render::Item> alongHeadItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.along || view.results.along().at.empty()) return items;
  const ChainReading head = view.results.reading(view.state.path.at(view.state.head));
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    const Camera camera = cameraOf(view, i);
    const double x = toPage(camera, {view.state.head, 0}).x;
    items.emplace_back(pageLine({x, camera.plot.min.y}, {x, camera.plot.max.y}, view.theme.accent, 1.25f));
    const std::optional<double> value = kSmall[i].value(head);
    if (!value || !std::isfinite(*value)) continue;
    const render::Point at = toPage(camera, {view.state.head, *value});
    if (at.y < camera.plot.min.y - 4 || at.y > camera.plot.max.y + 4) continue;
    items.emplace_back(render::Marker{at, render::Shape::Diamond, 10, view.theme.plotBackground, view.theme.accent, 2,
                                      render::Space::Page});
  }
  return items;
}

std::optional<double> pathPlaceAt(const ChainView& view, render::Point page) {
  if (!view.layout.along) return std::nullopt;
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    const render::Rect plot = plotOf(*view.layout.along, i, view.theme);
    if (!plot.contains(page)) continue;
    return std::round(std::clamp((page.x - plot.min.x) / plot.width(), 0.0, 1.0) * 200) / 200;
  }
  return std::nullopt;
}

std::vector<render::Item> wordItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.words) return items;
  const Theme& theme = view.theme;
  const render::Rect& box = *view.layout.words;
  std::vector<std::pair<std::string, render::Color>> lines;
  const auto add = [&](const std::string& text, render::Color color) {
    for (const std::string& line : wrapped(text, theme.smallSize, box.width()))
      lines.emplace_back(line, color);
  };
  const std::vector<std::string> here = readingWords(view.results.reading(view.state.chain));
  for (std::size_t i = 0; i < here.size(); ++i)
    add(here[i], i == 0 ? theme.text : theme.textMuted);
  const std::size_t ours = lines.size();
  lines.emplace_back("", theme.textMuted);
  add(tr("The same on the whole of either side of the line:"), theme.text);
  add(tr("Orbits, energy contours and basins do not depend on p and q beyond the sign of p + q − 1, so P(local "
         "minimum) "
         "depends on σ and that sign alone. p and q set the direction of the flow, its clock, and where on its orbit "
         "the global minimum lies."),
      theme.textMuted);
  // All of the paragraph or nothing of it.
  if (static_cast<double>(lines.size()) * kTightest * theme.smallSize > box.height()) lines.resize(ours);
  addLines(items, view, box, lines);
  return items;
}

}  // namespace sepx::ui
