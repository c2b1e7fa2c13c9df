// SPDX-License-Identifier: Apache-2.0
// Ticks, grid, axes and colour bar. Lengths are in points and positions are page positions, so that the layer depends
// on the camera only through its ticks. Pure.
#include "ui/canvas/axes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/properties/number_words.h"

namespace sepx::ui {

namespace {

/// step = mantissa * 10^exponent with mantissa 1, 2 or 5.
struct Step {
  int mantissa = 1;
  int exponent = 0;

  double times(double count) const {
    // Dividing by a power of ten yields the double nearest to 0.3, which prints as 0.3.
    return exponent < 0 ? count * mantissa / std::pow(10.0, -exponent) : count * mantissa * std::pow(10.0, exponent);
  }
};

Step stepAtLeast(double least) {
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  for (const Step candidate : {Step{1, exponent}, Step{2, exponent}, Step{5, exponent}})
    if (candidate.times(1) >= least * (1 - 1e-12)) return candidate;
  return {1, exponent + 1};
}

constexpr double kTickLength = 4;
constexpr double kFromTicks = 8;      // points between the labels of the ticks and the title
constexpr double kTitleHeight = 0.9;  // visible height of a line of text, in units of the text size

/// Distance from the axis to the far end of the widest label.
double labelRoom(const Ticks& y, const Theme& theme) {
  double widest = 0;
  for (const std::string& label : y.labels)
    widest = std::max(widest, textWidth(label, theme.smallSize));
  return kTickLength + 3 + widest;
}

}  // namespace

double roundStep(double least) {
  return stepAtLeast(least).times(1);
}

std::string tickLabel(double value, double step) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  const int stepExponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  if (size < 1e5 && stepExponent >= -5) return withMinus(formatFixed(value, std::max(0, -stepExponent)));
  const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-12));
  const int digits = std::clamp(exponent - stepExponent, 0, 15);
  const double mantissa = exponent < 0 ? value * std::pow(10.0, -exponent) : value / std::pow(10.0, exponent);
  return withMinus(formatFixed(mantissa, digits) + "e" + std::to_string(exponent));
}

Ticks makeTicks(double min, double max, int count) {
  Ticks ticks;
  if (!(max > min) || !std::isfinite(max - min)) return ticks;
  const Step step = stepAtLeast((max - min) / std::max(count, 1));
  ticks.step = step.times(1);
  const double first = std::ceil(min / ticks.step - 1e-9), last = std::floor(max / ticks.step + 1e-9);
  const bool narrow = std::max(std::abs(min), std::abs(max)) / ticks.step > 2e4;
  const double middle = narrow ? std::round((min + (max - min) / 2) / ticks.step) : 0;
  ticks.offset = step.times(middle);
  for (double k = first; k <= last && static_cast<int>(ticks.values.size()) <= count; k += 1) {
    ticks.values.push_back(step.times(k));
    std::string text = tickLabel(step.times(k - middle), ticks.step);
    if (narrow && k > middle) text.insert(0, "+");
    ticks.labels.push_back(std::move(text));
  }
  return ticks;
}

namespace {

/// Whether the labels do not touch each other on an axis of `length` points.
bool haveRoom(const Ticks& ticks, double span, double length, double textSize, bool horizontal) {
  double widest = 0;
  for (const std::string& label : ticks.labels)
    widest = std::max(widest, horizontal ? textWidth(label, textSize) + textSize : 1.6 * textSize);
  return ticks.step / span * length >= widest;
}

}  // namespace

Ticks fittingTicks(double min, double max, double length, double textSize, bool horizontal) {
  const double generous = horizontal ? 5.5 * textSize : 3.5 * textSize;  // preferred space per tick
  int count = std::max(2, static_cast<int>(length / generous));
  for (; count > 1; --count) {
    Ticks ticks = makeTicks(min, max, count);
    if (haveRoom(ticks, max - min, length, textSize, horizontal)) return ticks;
  }
  return makeTicks(min, max, 1);
}

std::pair<Ticks, Ticks> equalStepTicks(const render::Rect& window, const render::Rect& plot, double textSize) {
  constexpr double kAlike = 2;  // a factor
  Ticks x = fittingTicks(window.min.x, window.max.x, plot.width(), textSize, true),
        y = fittingTicks(window.min.y, window.max.y, plot.height(), textSize, false);
  const double ratio = window.width() / window.height();
  if (x.step == y.step || !(ratio <= kAlike && ratio >= 1 / kAlike)) return {x, y};
  const auto withStep = [](double min, double max, double step) {
    return makeTicks(min, max, std::max(1, static_cast<int>(std::floor((max - min) / step * (1 + 1e-9)))));
  };
  for (const double step : {std::min(x.step, y.step), std::max(x.step, y.step)}) {
    Ticks across = withStep(window.min.x, window.max.x, step), up = withStep(window.min.y, window.max.y, step);
    const bool one = across.step == up.step && across.values.size() > 1 && up.values.size() > 1;
    if (one && haveRoom(across, window.width(), plot.width(), textSize, true) &&
        haveRoom(up, window.height(), plot.height(), textSize, false))
      return {std::move(across), std::move(up)};
  }
  return {x, y};
}

Ticks decadeTicks(double min, double max, double count) {
  Ticks ticks;
  if (!(max > min) || !std::isfinite(max - min)) return ticks;
  ticks.step = std::max(1.0, std::ceil((max - min) / std::max(count, 1.0)));
  constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (double at = std::ceil(min / ticks.step) * ticks.step; at <= max; at += ticks.step) {
    std::string text = "10";
    for (const char c : fmt::format("{}", std::lround(at)))  // a rounded -0.2 is 0
      text += c == '-' ? "⁻" : kRaised[c - '0'];
    ticks.values.push_back(at);
    ticks.labels.push_back(text);
  }
  return ticks;
}

void addGrid(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
             const Theme& theme) {
  const render::Rect& plot = camera.plot;
  for (const double value : x.values) {
    const double at = toPage(camera, {value, 0}).x;
    items.push_back(pageLine({at, plot.min.y}, {at, plot.max.y}, theme.grid));
  }
  for (const double value : y.values) {
    const double at = toPage(camera, {0, value}).y;
    items.push_back(pageLine({plot.min.x, at}, {plot.max.x, at}, theme.grid));
  }
  const render::Point zero = toPage(camera, {0, 0});
  if (zero.x > plot.min.x && zero.x < plot.max.x)
    items.push_back(pageLine({zero.x, plot.min.y}, {zero.x, plot.max.y}, theme.axisZero));
  if (zero.y > plot.min.y && zero.y < plot.max.y)
    items.push_back(pageLine({plot.min.x, zero.y}, {plot.max.x, zero.y}, theme.axisZero));
}

namespace {

std::string axisTitle(const std::string& name, double offset) {
  const std::string symbol = symbolName(name);
  if (offset == 0) return symbol;
  const std::string size = withMinus(formatShortest(std::abs(offset)));
  return symbol + (offset > 0 ? " \u2212 " : " + ") + size;
}

void addTickLabels(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
                   const Theme& theme) {
  const render::Rect& plot = camera.plot;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double at = toPage(camera, {x.values[i], 0}).x;
    items.push_back(pageLine({at, plot.max.y}, {at, plot.max.y + kTickLength}, theme.tick));
    // Keeps clear of the lowest tick label of the other axis.
    const double down = std::max<double>(kTickLength + 2, 0.45 * theme.smallSize);
    items.push_back(textAt({at, plot.max.y + down}, x.labels[i], theme.smallSize, theme.tick, render::AlignX::Center,
                           render::AlignY::Top));
  }
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    const double at = toPage(camera, {0, y.values[i]}).y;
    items.push_back(pageLine({plot.min.x - kTickLength, at}, {plot.min.x, at}, theme.tick));
    items.push_back(textAt({plot.min.x - kTickLength - 3, at}, y.labels[i], theme.smallSize, theme.tick,
                           render::AlignX::Right, render::AlignY::Middle));
  }
}

}  // namespace

void addAxes(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
             const AxisNames& names, const Theme& theme) {
  const render::Rect& plot = camera.plot;
  items.push_back(pageFrameLine(plot, theme.border));
  addTickLabels(items, camera, x, y, theme);
  items.push_back(textAt({plot.min.x + plot.width() / 2, plot.max.y + axisMargins(theme, false).bottom - 4},
                         axisTitle(names.x, x.offset), theme.textSize, theme.text, render::AlignX::Center,
                         render::AlignY::Bottom));
  const bool upright = y.offset == 0 && names.y.size() <= 2;
  const std::string title = axisTitle(names.y, y.offset);
  const double across = upright ? textWidth(title, theme.textSize) : kTitleHeight * theme.textSize;
  render::Label label =
      textAt({plot.min.x - labelRoom(y, theme) - kFromTicks - across / 2, plot.min.y + plot.height() / 2}, title,
             theme.textSize, theme.text, render::AlignX::Center, render::AlignY::Middle);
  label.vertical = !upright;
  items.push_back(label);
}

double leftOfAxis(const Ticks& y, const Theme& theme) {
  return labelRoom(y, theme) + kFromTicks + (kTitleHeight + 0.2) * theme.textSize;
}

Margins axisMargins(const Theme& theme, bool colorBar) {
  return {3.6 * theme.smallSize + 1.6 * theme.textSize, 1.5 * theme.space,
          colorBar ? 8 * theme.smallSize + 2 * theme.space : 2 * theme.space,
          2.0 * theme.smallSize + 1.6 * theme.textSize};
}

void addColorBar(std::vector<render::Item>& items, const Camera& camera, const ColorBar& bar, const Theme& theme) {
  constexpr int kShades = 128;
  auto shades = std::make_shared<std::vector<float>>(kShades);
  for (int i = 0; i < kShades; ++i)
    (*shades)[i] = 1 - static_cast<float>(i) / (kShades - 1);
  const render::Point low = toData(camera, {bar.at.min.x, bar.at.max.y});
  const render::Point high = toData(camera, {bar.at.max.x, bar.at.min.y});
  items.push_back(render::Heatmap{.extent = {low, high},
                                  .width = 1,
                                  .height = kShades,
                                  .values = std::move(shades),
                                  .map = bar.map,
                                  .low = 0,
                                  .high = 1,
                                  .opacity = bar.opacity,
                                  .smooth = true});
  const render::Rect& at = bar.at;
  items.push_back(pageFrameLine(at, theme.border));
  const double from = std::min(at.min.x, bar.right - textWidth(bar.title, theme.smallSize));
  items.push_back(textAt({from, at.min.y - 0.85 * theme.smallSize}, bar.title, theme.smallSize, theme.text,
                         render::AlignX::Left, render::AlignY::Bottom));
  for (const auto& [place, text] : bar.marks) {
    const double y = at.max.y - place * at.height();
    items.push_back(pageLine({at.max.x, y}, {at.max.x + kTickLength, y}, theme.tick));
    items.push_back(textAt({at.max.x + kTickLength + 3, y}, text, theme.smallSize, theme.tick));
  }
}

}  // namespace sepx::ui
