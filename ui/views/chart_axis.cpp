// SPDX-License-Identifier: Apache-2.0
// Spans that are empty or contain one value are widened, so that every chart has axes. A logarithmic axis has ticks at
// powers of ten, or at 1, 2 and 5 times powers of ten if few powers are in sight and there is room; within a decade it
// has ticks at round numbers.
#include "ui/views/chart_axis.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/properties/number_words.h"

namespace sepx::ui {

namespace {

constexpr double kFarthest = 1e150;                      // beyond it, lengths may overflow
constexpr double kLeastPlain = 1e-4, kLeastPower = 1e5;  // between them, tick labels have no power of ten
constexpr double kFewestDecades = 4;                     // with this many, ticks at powers of ten are enough

/// Ticks at 1, 2 and 5 times powers of ten, or at fewer multiples if these do not fit.
Ticks ticksWithinDecades(double low, double high, double most) {
  for (const std::vector<double>& mantissas : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
    Ticks ticks;
    for (int decade = static_cast<int>(std::floor(low)); decade <= static_cast<int>(std::floor(high)); ++decade)
      for (const double mantissa : mantissas) {
        const double at = decade + std::log10(mantissa);
        if (at < low - 1e-9 || at > high + 1e-9) continue;
        ticks.values.push_back(at);
        // Dividing keeps 0.3 the double that prints as 0.3.
        const double value = decade < 0 ? mantissa / std::pow(10.0, -decade) : mantissa * std::pow(10.0, decade);
        const bool plain = value >= kLeastPlain && value < kLeastPower;
        ticks.labels.push_back(plain           ? tickLabel(value, value)
                               : mantissa == 1 ? decadeTicks(decade - 0.1, decade + 0.1, 1).labels.front()
                                               : formatReading(value));
      }
    const auto count = static_cast<double>(ticks.values.size());
    if (count <= std::max(most, 2.0) && count > 1) return ticks;
  }
  return {};
}

/// Ticks within a decade: round numbers with a constant step, as many as fit at the upper end, where they are closest.
Ticks roundTicks(double low, double high, double length, double textSize, bool horizontal) {
  constexpr double kLine = 1.7;  // multiple of the text size
  for (int count = 12; count > 1; --count) {
    Ticks ticks = makeTicks(std::pow(10.0, low), std::pow(10.0, high), count);
    if (ticks.values.size() < 2 || ticks.offset != 0) continue;
    double apart = length, needed = kLine * textSize;
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
      const double at = std::log10(ticks.values[i]);
      const bool plain = ticks.values[i] < 1e5 && ticks.step >= 1e-5;
      ticks.labels[i] = plain ? tickLabel(ticks.values[i], ticks.step) : formatReading(ticks.values[i]);
      ticks.values[i] = at;
      if (horizontal) needed = std::max(needed, textWidth(ticks.labels[i], textSize) + textSize);
      if (i > 0) apart = std::min(apart, (at - ticks.values[i - 1]) / (high - low) * length);
    }
    if (apart >= needed) return ticks;
  }
  return {};
}

Ticks logTicks(const ChartAxis& axis, double low, double high, double length, double textSize, bool horizontal) {
  Ticks decades = decadeTicks(low, high, length / ((horizontal ? 5 : 2.6) * textSize));
  if (axis.label) {
    for (std::size_t i = 0; i < decades.values.size(); ++i)
      decades.labels[i] = axis.label(std::pow(10.0, decades.values[i]));
    if (!decades.values.empty()) return decades;
  }
  if (high - low >= 1) {
    if (static_cast<double>(decades.values.size()) >= kFewestDecades) return decades;
    Ticks finer = ticksWithinDecades(low, high, length / ((horizontal ? 3.8 : 1.7) * textSize));
    if (finer.values.size() > decades.values.size()) return finer;
    if (decades.values.size() > 1) return decades;
  }
  if (Ticks round = roundTicks(low, high, length, textSize, horizontal); round.values.size() > 1) return round;
  Ticks ticks = fittingTicks(low, high, length, textSize, horizontal);
  for (std::size_t i = 0; i < ticks.values.size(); ++i)
    ticks.labels[i] = formatReading(std::pow(10.0, ticks.values[i]));
  ticks.offset = 0;
  return ticks;
}

Ticks wholeTicks(double low, double high, double length, double textSize) {
  Ticks ticks = makeTicks(low, high, std::max(2, static_cast<int>(length / (3.2 * textSize))));
  if (ticks.step >= 1 && !ticks.values.empty()) return ticks;
  ticks = {};
  // More ticks have no room, and beyond 2^53 adding 1 may give the same number.
  constexpr double kMostApart = 100, kMostExact = 9007199254740992;
  if (!(high - low <= kMostApart) || std::max(std::abs(low), std::abs(high)) > kMostExact) return ticks;
  for (double value = std::ceil(low); value <= high; ++value) {
    ticks.values.push_back(value);
    ticks.labels.push_back(tickLabel(value, 1));
  }
  return ticks;
}

/// Every k-th word, with the smallest k for which the words have room.
Ticks wordTicks(const std::vector<std::string>& words, double length, double textSize, bool horizontal) {
  constexpr double kGap = 8, kLeast = 5, kMost = 14, kLine = 1.6;  // points; multiples of the text size
  const double each = length / static_cast<double>(words.size());
  double widest = 0;
  for (const std::string& word : words)
    widest = std::max(widest, textWidth(word, textSize));
  const double cut = std::min(widest, horizontal ? std::max(each - kGap, kLeast * textSize) : kMost * textSize);
  const double needed = horizontal ? cut + kGap : kLine * textSize;
  const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / std::max(each, 1e-9))));
  Ticks ticks;
  for (std::size_t i = 0; i < words.size(); i += step) {
    ticks.values.push_back(static_cast<double>(i));
    ticks.labels.push_back(elided(words[i], textSize, cut + 1));
  }
  return ticks;
}

}  // namespace

void AxisSpan::take(double value) {
  if (!std::isfinite(value)) return;
  value = std::clamp(value, -kFarthest, kFarthest);
  low = std::min(low, value);
  high = std::max(high, value);
}

double placedOn(const ChartAxis& axis, double value) {
  if (!axis.logarithmic) return value;
  if (value > 0) return std::log10(std::max(value, axis.least));
  return axis.least > 0 && value <= 0 ? std::log10(axis.least) : std::numeric_limits<double>::quiet_NaN();
}

AxisSpan endsOf(const ChartAxis& axis, AxisSpan span) {
  if (!axis.words.empty()) return {-0.5, static_cast<double>(axis.words.size()) - 0.5};
  const bool nothing = !(span.low <= span.high);
  if (nothing) span = {0, 1};
  const double middle = span.low + (span.high - span.low) / 2;
  if (span.high - span.low < axis.narrowest) {
    // A single value: extended by a tenth of it on either side, or to the narrowest span of the axis.
    const bool chosen = axis.narrowest > 1e-6 || axis.logarithmic;
    const double half = chosen                    ? std::max(axis.narrowest, 1e-3) / 2
                        : std::abs(middle) > 1e-9 ? std::abs(middle) / 10
                                                  : 0.5;
    span = {middle - half, middle + half};
  }
  const double more = nothing ? 0 : axis.pad * (span.high - span.low);
  span = {span.low - more, span.high + more};
  if (axis.from) span.low = placedOn(axis, *axis.from);
  if (axis.to) span.high = placedOn(axis, *axis.to);
  // One fixed end may lie beyond all data.
  if (!(span.low < span.high)) {
    if (axis.to && !axis.from)
      span.low = span.high - 1;
    else
      span.high = span.low + 1;
  }
  return std::isfinite(span.low) && std::isfinite(span.high) ? span : AxisSpan{0, 1};
}

Ticks ticksOf(const ChartAxis& axis, double low, double high, double length, double textSize, bool horizontal) {
  if (axis.bare) return {};
  if (!axis.words.empty()) return wordTicks(axis.words, length, textSize, horizontal);
  if (axis.logarithmic) return logTicks(axis, low, high, length, textSize, horizontal);
  if (axis.whole) return wholeTicks(low, high, length, textSize);
  Ticks ticks = fittingTicks(low, high, length, textSize, horizontal);
  // A low chart has at least two ticks if there is room for them.
  const int most = horizontal ? 0 : static_cast<int>(length / (1.7 * textSize));
  for (int count = 3; ticks.values.size() < 2 && count <= most; ++count)
    ticks = makeTicks(low, high, count);
  return ticks;
}

std::vector<std::string> titleLines(const LineChart& chart, const render::Rect& box, double left, double size) {
  constexpr double kRoomForTwo = 8;  // height of the box, multiples of the type size
  const std::string title = chart.compact && chart.title.empty() ? symbolName(chart.y.name) : chart.title;
  if (title.empty()) return {};
  const double width = (chart.plot ? chart.plot->max.x : box.max.x) - left;
  if (!chart.plot && box.height() >= kRoomForTwo * size && textWidth(title, size) > width)
    if (std::vector<std::string> lines = wrapped(title, size, width); lines.size() == 2) return lines;
  return {elided(title, size, width)};
}

}  // namespace sepx::ui
