// SPDX-License-Identifier: Apache-2.0
// A chart as a view.
#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

/// Narrower and lower charts are compact.
constexpr double kCompactWidth = 30, kCompactHeight = 14;  // of the size of the type

LineChart fittedTo(LineChart chart, const ViewPlace& place) {
  const double unit = place.theme.textSize;
  chart.compact =
      chart.compact || place.box.width() < kCompactWidth * unit || place.box.height() < kCompactHeight * unit;
  if (chart.compact && !chart.x.brief.empty()) chart.x.name = chart.x.brief;
  return chart;
}

class PlacedChartView final : public PlacedView {
 public:
  PlacedChartView(const ChartContent& content, const ViewPlace& place)
      : chart_(fittedTo(content.chart, place), place.box, place.theme), cursor_(content.cursor) {}

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items = chart_.items();
    if (cursor_) append(items, chart_.cursor(*cursor_));
    return items;
  }
  std::vector<render::Item> tip(render::Point at, const render::Rect& area) const override {
    return chart_.camera().plot.contains(at) ? chart_.tip(at, area) : std::vector<render::Item>();
  }
  std::optional<Changes> pick(const View& view, render::Point at) const override {
    const auto& pick = std::get<ChartContent>(view.content).pick;
    const std::optional<double> x = pick ? chart_.xAt(at) : std::nullopt;
    return x ? std::optional(pick(*x)) : std::nullopt;
  }
  std::optional<double> slide(const View& view, render::Point at, bool held) const override {
    const render::Rect& plot = chart_.camera().plot;
    if (!std::get<ChartContent>(view.content).slide || (!held && !plot.contains(at))) return std::nullopt;
    const double x = chart_.data({std::clamp(at.x, plot.min.x, plot.max.x), plot.min.y}).x;
    return std::isfinite(x) ? std::optional(x) : std::nullopt;
  }
  Cursor cursor(const View& view, render::Point at) const override {
    if (pick(view, at)) return Cursor::Hand;
    return chart_.camera().plot.contains(at) ? Cursor::Cross : Cursor::Arrow;
  }

 private:
  PlacedChart chart_;
  std::optional<double> cursor_;
};

class PlacedLegend final : public PlacedView {
 public:
  PlacedLegend(const LegendContent& content, const ViewPlace& place)
      : entries_(content.entries), box_(place.box), theme_(place.theme) {}
  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    addLegend(items, box_.min, box_.width(), entries_, theme_);
    return items;
  }
  double height() const override {
    std::vector<render::Item> ignored;
    return addLegend(ignored, box_.min, box_.width(), entries_, theme_);
  }

 private:
  std::vector<LegendEntry> entries_;
  render::Rect box_;
  Theme theme_;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const ChartContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedChartView>(content, place);
}

std::unique_ptr<PlacedView> placeContent(const LegendContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedLegend>(content, place);
}

}  // namespace sepx::ui
