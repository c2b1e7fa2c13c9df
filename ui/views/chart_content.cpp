// SPDX-License-Identifier: Apache-2.0
// A chart as a view.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

/// Narrower and lower charts are compact.
constexpr double kCompactWidth = 30, kCompactHeight = 14;  // of the size of the type
constexpr float kRing = 14;                                // around what a spot is about, points

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
      : chart_(fittedTo(content.chart, place), place.box, place.theme),
        theme_(place.theme),
        figure_(place.figure),
        cursor_(content.cursor),
        over_(content.over),
        spot_(content.spot),
        left_(content.aligned ? chart_.left() : 0) {}

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items = chart_.items();
    if (cursor_) append(items, chart_.cursor(*cursor_));
    if (over_) append(items, over_->draw(chart_, {chart_.box(), theme_, figure_}));
    return items;
  }
  std::vector<render::Item> tip(const View& view, render::Point at, const render::Rect& area) const override {
    std::vector<render::Item> items;
    if (!chart_.camera().plot.contains(at)) return items;
    if (!std::get<ChartContent>(view.content).spot) return chart_.tip(at, area);
    const std::optional<ChartSpot> spot = spotAt(view, at);
    if (!spot) return items;
    if (spot->ringed) addRing(items, chart_.page(*spot->ringed), kRing, theme_);
    if (const std::optional<render::Rect>& frame = spot->framed)
      items.emplace_back(pageFrameLine(
          {chart_.page({frame->min.x, frame->max.y}), chart_.page({frame->max.x, frame->min.y})}, theme_.accent, 2));
    addTip(items, at, spot->lines, area, theme_);
    return items;
  }
  std::optional<Changes> pick(const View& view, render::Point at) const override {
    if (const std::optional<ChartSpot> spot = spotAt(view, at); spot && !spot->changes.empty()) return spot->changes;
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
  std::optional<Target> target(const View& view, render::Point at) const override {
    const auto& content = std::get<ChartContent>(view.content);
    if (!content.target || !chart_.camera().plot.contains(at)) return std::nullopt;
    const std::optional<ChartHit> nearest = chart_.nearest(at, content.reach);
    const auto on = nearest ? content.target(chart_.data(at), *nearest) : std::nullopt;
    return on ? std::optional(Target{*on}) : std::nullopt;
  }
  std::optional<PictureGrip> hold(const View& view, render::Point at) const override {
    const render::Rect& plot = chart_.camera().plot;
    constexpr double kAbove = 9;  // points: a handle may stand on the upper edge
    return gripOf(
        std::get<ChartContent>(view.content).handles, {{plot.min.x, plot.min.y - kAbove}, plot.max}, at,
        [this](render::Point to) { return chart_.page(to); },
        [chart = chart_, plot](render::Point page) {
          return chart.data({std::clamp(page.x, plot.min.x, plot.max.x), std::clamp(page.y, plot.min.y, plot.max.y)});
        });
  }
  std::optional<double> xAt(render::Point at) const override { return chart_.xAt(at); }
  std::vector<render::Item> cursorAt(double x) const override { return chart_.cursor(x); }
  double left() const override { return left_; }
  void leaveLeft(double points) override { chart_.leaveLeft(points); }
  std::optional<ReadableView> read() const override;
  Cursor cursor(const View& view, render::Point at) const override {
    if (const std::optional<PictureGrip> grip = hold(view, at)) return grip->cursor;
    if (pick(view, at) || target(view, at)) return Cursor::Hand;
    return chart_.camera().plot.contains(at) ? Cursor::Cross : Cursor::Arrow;
  }

 private:
  std::optional<ChartSpot> spotAt(const View& view, render::Point at) const {
    const auto& spot = std::get<ChartContent>(view.content).spot;
    if (!spot || !chart_.camera().plot.contains(at)) return std::nullopt;
    const std::optional<ChartHit> nearest = chart_.nearest(at, std::get<ChartContent>(view.content).reach);
    return spot(chart_.data(at), nearest ? &*nearest : nullptr);
  }
  /// The place of a value; nothing outside the axes.
  std::optional<render::Point> inPlot(render::Point data) const;

  PlacedChart chart_;
  Theme theme_;
  bool figure_;
  std::optional<double> cursor_;
  std::optional<ChartOverlay> over_;
  decltype(ChartContent::spot) spot_;  ///< for who reads
  double left_;
};

std::optional<ReadableView> PlacedChartView::read() const {
  const LineChart& chart = chart_.chart();
  ReadableView view;
  view.role = ReadableView::Role::Chart;
  view.label = chart.title;
  view.description =
      trFormat("chart of {} series; across: {}, up: {}", chart.series.size(), chart.x.name, chart.y.name);
  view.rows = chart.series.size();
  view.cells = [&chart](std::size_t row) { return std::min(chart.series[row].x.size(), chart.series[row].y.size()); };
  view.rowName = [&chart](std::size_t row) { return chart.series[row].name; };
  view.text = [this, &chart](std::size_t row, std::size_t cell) {
    const ChartHit hit{row, cell, {}, 0};
    const render::Point at{chart.series[row].x[cell], chart.series[row].y[cell]};
    const std::optional<ChartSpot> spot = spot_ ? spot_(at, &hit) : std::nullopt;
    return fmt::format("{}", fmt::join(spot ? spot->lines : chart_.words(hit), ", "));
  };
  view.place = [this, &chart](std::size_t row, std::size_t cell) {
    return inPlot({chart.series[row].x[cell], chart.series[row].y[cell]});
  };
  view.at = [this](render::Point data) { return inPlot(data); };
  return view;
}

std::optional<render::Point> PlacedChartView::inPlot(render::Point data) const {
  const render::Point page = chart_.page(data);
  const render::Rect& plot = chart_.camera().plot;
  constexpr double kRounding = 0.5;  // points
  const bool inside = page.x >= plot.min.x - kRounding && page.x <= plot.max.x + kRounding &&
                      page.y >= plot.min.y - kRounding && page.y <= plot.max.y + kRounding;
  if (!inside) return std::nullopt;
  return render::Point{std::clamp(page.x, plot.min.x, plot.max.x), std::clamp(page.y, plot.min.y, plot.max.y)};
}

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
