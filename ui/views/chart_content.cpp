// SPDX-License-Identifier: Apache-2.0
// A view of a chart: drawing, pointer, zoom, and axes that the user switches between linear and logarithmic.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

/// Charts that are narrower or lower than this are compact; multiples of the type size.
struct LeastRoom {
  double width, height;
};
constexpr LeastRoom kOnScreen{30, 14}, kOnPaper{22, 14}, kPanel{12, 8};  // kPanel: LineChart::compact is ignored
constexpr float kRing = 14;                                              // size of the ring of a ChartSpot, points

LineChart fittedTo(LineChart chart, const ViewPlace& place) {
  const double unit = place.theme.textSize;
  const render::Rect& box = place.box;
  const LeastRoom& least = place.panel ? kPanel : place.figure ? kOnPaper : kOnScreen;
  chart.compact =
      (chart.compact && !place.panel) || box.width() < least.width * unit || box.height() < least.height * unit;
  chart.legend = chart.legend && place.legend;
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
        left_(content.aligned || place.figure ? chart_.left() : 0),
        x_(chart_.chart().x),
        y_(chart_.chart().y) {}

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items = chart_.items();
    if (cursor_ && !(figure_ && isLast(*cursor_))) append(items, chart_.cursor(*cursor_));
    if (over_) append(items, over_->draw(chart_, {chart_.box(), theme_, figure_}));
    if (chart_.zoomed() && !figure_) addPartNote(items);
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
    constexpr double kAbove = 9;  // points: a handle may be on the upper edge
    return gripOf(
        std::get<ChartContent>(view.content).handles, {{plot.min.x, plot.min.y - kAbove}, plot.max}, at,
        [this](render::Point to) { return chart_.page(to); },
        [chart = chart_, plot](render::Point page) {
          return chart.data({std::clamp(page.x, plot.min.x, plot.max.x), std::clamp(page.y, plot.min.y, plot.max.y)});
        });
  }
  std::optional<PictureGrip> holdOther(const View&, render::Point at) const override {
    return chart_.camera().plot.contains(at) ? std::optional(boxGrip(at)) : std::nullopt;
  }
  bool adjust(const View& view, Adjust how, render::Point at, double notches) override;
  void takeOver(const PlacedView& before) override;
  std::optional<ChartPart> part() const override {
    if (!chart_.zoomed() && !turnedX_ && !turnedY_) return std::nullopt;
    return ChartPart{chart_.zoomed(), turnedX_, turnedY_};
  }
  void showPart(const ChartPart& part) override {
    if (part.turnedX != turnedX_) turn(Axis::X);
    if (part.turnedY != turnedY_) turn(Axis::Y);
    if (part.window) show(*part.window);
  }
  std::optional<double> xAt(render::Point at) const override { return chart_.xAt(at); }
  std::vector<render::Item> cursorAt(double x) const override { return chart_.cursor(x); }
  double left() const override { return left_; }
  void leaveLeft(double points) override { chart_.leaveLeft(points); }
  std::optional<ReadableView> read() const override;
  Cursor cursor(const View& view, render::Point at) const override {
    if (const std::optional<PictureGrip> grip = hold(view, at)) return grip->cursor;
    if (pick(view, at) || target(view, at) || turns(axisAt(at))) return Cursor::Hand;
    return chart_.camera().plot.contains(at) ? Cursor::Cross : Cursor::Arrow;
  }

 private:
  std::optional<ChartSpot> spotAt(const View& view, render::Point at) const {
    const auto& spot = std::get<ChartContent>(view.content).spot;
    if (!spot || !chart_.camera().plot.contains(at)) return std::nullopt;
    const std::optional<ChartHit> nearest = chart_.nearest(at, std::get<ChartContent>(view.content).reach);
    return spot(chart_.data(at), nearest ? &*nearest : nullptr);
  }
  /// Whether all lines end at or before x. In a figure, a cursor there adds nothing.
  bool isLast(double x) const {
    const std::vector<ChartSeries>& all = chart_.chart().series;
    return std::all_of(all.begin(), all.end(),
                       [x](const ChartSeries& series) { return series.x.empty() || series.x.back() <= x; });
  }
  enum class Axis { None, X, Y };
  /// The axis whose numbers are at a point of the page.
  Axis axisAt(render::Point at) const;
  /// Whether the user can switch it between logarithmic and linear.
  bool turns(Axis axis) const;
  void turn(Axis axis);
  bool zoomAbout(render::Point at, double factor);
  /// Shows the part of the chart in a rectangle of the page. False: nothing changed.
  bool zoomTo(const render::Rect& page);
  bool show(render::Rect window);
  PictureGrip boxGrip(render::Point from) const;
  void addPartNote(std::vector<render::Item>& items) const;
  /// The position of a data point on the page; empty optional outside the plot.
  std::optional<render::Point> inPlot(render::Point data) const;

  PlacedChart chart_;
  Theme theme_;
  bool figure_;
  std::optional<double> cursor_;
  std::optional<ChartOverlay> over_;
  decltype(ChartContent::spot) spot_;  ///< for read()
  double left_;
  ChartAxis x_, y_;                         ///< as in the content
  bool turnedX_ = false, turnedY_ = false;  ///< logarithmic where the content is linear, or vice versa
  std::shared_ptr<std::optional<render::Rect>> asked_ =
      std::make_shared<std::optional<render::Rect>>();  ///< the rectangle that was dragged to zoom, page
};

PlacedChartView::Axis PlacedChartView::axisAt(render::Point at) const {
  const render::Rect &plot = chart_.camera().plot, &box = chart_.box();
  if (at.x >= plot.min.x && at.x <= plot.max.x && at.y > plot.max.y && at.y <= box.max.y) return Axis::X;
  return at.y >= plot.min.y && at.y <= plot.max.y && at.x < plot.min.x && at.x >= box.min.x ? Axis::Y : Axis::None;
}

/// A linear axis can become logarithmic if its values are not negative and some are above 0. A logarithmic axis can
/// always become linear.
bool PlacedChartView::turns(Axis which) const {
  if (which == Axis::None || figure_) return false;
  const ChartAxis& axis = which == Axis::X ? chart_.chart().x : chart_.chart().y;
  if (axis.whole || axis.bare || !axis.words.empty() || chart_.chart().equalUnits) return false;
  if (axis.logarithmic) return true;
  bool some = false;
  for (const ChartSeries& series : chart_.chart().series)
    for (const double value : which == Axis::X ? series.x : series.y) {
      if (value < 0) return false;
      some = some || value > 0;
    }
  return some;
}

void PlacedChartView::turn(Axis which) {
  LineChart chart = chart_.chart();
  const auto turned = [](ChartAxis axis, bool other) {
    if (!other) return axis;
    axis.logarithmic = !axis.logarithmic;
    if (axis.logarithmic && axis.from && *axis.from <= 0) axis.from.reset();
    return axis;
  };
  turnedX_ = turnedX_ != (which == Axis::X);
  turnedY_ = turnedY_ != (which == Axis::Y);
  chart.x = turned(x_, turnedX_);
  chart.y = turned(y_, turnedY_);
  const render::Rect box = chart_.box();
  Theme theme = theme_;
  chart_ = PlacedChart(std::move(chart), box, theme);
}

/// Shows a part of the ends, or all of them again if the window covers nearly all. False: nothing changed.
bool PlacedChartView::show(render::Rect window) {
  constexpr double kNarrowest = 1e-4, kAll = 0.999;  // shares of the ends
  const render::Rect& ends = chart_.ends();
  const auto within = [](double& low, double& high, double least, double most) {
    const double span = std::clamp(high - low, kNarrowest * (most - least), most - least);
    low = std::clamp(low, least, std::max(least, most - span));  // rounding may take `most - span` below `least`
    high = low + span;
    return span >= kAll * (most - least);
  };
  const bool wide = within(window.min.x, window.max.x, ends.min.x, ends.max.x);
  const bool high = within(window.min.y, window.max.y, ends.min.y, ends.max.y);
  const std::optional<render::Rect> part = wide && high ? std::nullopt : std::optional(window);
  if (!part && !chart_.zoomed()) return false;
  chart_.zoom(part);
  return true;
}

bool PlacedChartView::zoomAbout(render::Point at, double factor) {
  const Axis axis = axisAt(at);
  const Camera& camera = chart_.camera();
  if (axis == Axis::None && !camera.plot.contains(at)) return false;
  const render::Point fixed = toData(camera, at);
  render::Rect window = chart_.zoomed().value_or(chart_.ends());
  if (axis != Axis::Y && x_.words.empty())
    window.min.x = fixed.x - (fixed.x - window.min.x) / factor,
    window.max.x = fixed.x + (window.max.x - fixed.x) / factor;
  if (axis != Axis::X && y_.words.empty())
    window.min.y = fixed.y - (fixed.y - window.min.y) / factor,
    window.max.y = fixed.y + (window.max.y - fixed.y) / factor;
  return show(window);
}

bool PlacedChartView::zoomTo(const render::Rect& page) {
  constexpr double kLeast = 8;  // points; an axis along which the drag is shorter keeps its range
  const Camera& camera = chart_.camera();
  const render::Point low = toData(camera, {page.min.x, page.max.y}), high = toData(camera, {page.max.x, page.min.y});
  render::Rect window = chart_.zoomed().value_or(chart_.ends());
  if (page.width() < kLeast && page.height() < kLeast) return false;
  if (page.width() >= kLeast) window.min.x = low.x, window.max.x = high.x;
  if (page.height() >= kLeast) window.min.y = low.y, window.max.y = high.y;
  return show(window);
}

bool PlacedChartView::adjust(const View&, Adjust how, render::Point at, double notches) {
  constexpr double kNotch = 1.2, kMost = 20;
  if (figure_) return false;
  switch (how) {
    case Adjust::Wheel:
      return notches != 0 && zoomAbout(at, std::pow(kNotch, std::clamp(notches, -kMost, kMost)));
    case Adjust::Twice:
      return chart_.camera().plot.contains(at) && chart_.zoomed() && show(chart_.ends());
    case Adjust::Drop:
      return *asked_ && zoomTo(*std::exchange(*asked_, std::nullopt));
    case Adjust::Click:
      break;
  }
  if (!turns(axisAt(at))) return false;
  turn(axisAt(at));
  return true;
}

/// The part that the previous view showed refers to its data. It is dropped if the present data have no overlap with
/// it.
void PlacedChartView::takeOver(const PlacedView& before) {
  const auto* const chart = dynamic_cast<const PlacedChartView*>(&before);
  if (!chart || figure_ != chart->figure_) return;
  asked_ = chart->asked_;
  if (x_.logarithmic != chart->x_.logarithmic || y_.logarithmic != chart->y_.logarithmic) return;
  if (chart->turnedX_ && turns(Axis::X)) turn(Axis::X);
  if (chart->turnedY_ && turns(Axis::Y)) turn(Axis::Y);
  const std::optional<render::Rect>& part = chart->chart_.zoomed();
  if (!part || turnedX_ != chart->turnedX_ || turnedY_ != chart->turnedY_) return;
  const render::Rect& ends = chart_.ends();
  const bool seen =
      part->min.x < ends.max.x && part->max.x > ends.min.x && part->min.y < ends.max.y && part->max.y > ends.min.y;
  if (seen) show(*part);
}

/// Drags a rectangle around the part that is to be shown.
PictureGrip PlacedChartView::boxGrip(render::Point from) const {
  const render::Rect plot = chart_.camera().plot;
  const auto to = std::make_shared<render::Point>(from);
  const auto drawn = [plot, from, to] {
    const render::Point end{std::clamp(to->x, plot.min.x, plot.max.x), std::clamp(to->y, plot.min.y, plot.max.y)};
    return render::Rect{{std::min(from.x, end.x), std::min(from.y, end.y)},
                        {std::max(from.x, end.x), std::max(from.y, end.y)}};
  };
  const auto over = [drawn, color = theme_.accent] {
    return std::vector<render::Item>{pageFill(drawn(), faded(color, 0.15f)), pageFrameLine(drawn(), color, 1)};
  };
  const auto drag = [to](Editor&, render::Point at, bool) { *to = at; };
  const auto drop = [drawn, asked = asked_](ExhibitContext&, render::Point) { *asked = drawn(); };
  return {.drag = drag, .cursor = Cursor::Cross, .anyButton = true, .drop = drop, .over = over};
}

void PlacedChartView::addPartNote(std::vector<render::Item>& items) const {
  const std::string text = tr("zoomed; double-click: all");
  const double size = theme_.smallSize, width = textWidth(text, size), pad = 4;
  const render::Rect& plot = chart_.camera().plot;
  if (width + 2 * pad > plot.width()) return;
  const render::Rect box{{plot.max.x - width - 2 * pad, plot.min.y}, {plot.max.x, plot.min.y + 1.5 * size}};
  items.emplace_back(pageFill(box, faded(theme_.plotBackground, 0.85f)));
  items.emplace_back(textAt({box.min.x + pad, box.min.y + 0.75 * size}, text, theme_.smallSize, theme_.textMuted));
}

std::optional<ReadableView> PlacedChartView::read() const {
  const LineChart& chart = chart_.chart();
  ReadableView view;
  view.role = ReadableView::Role::Chart;
  view.label = chart.title;
  view.description = trFormat("chart of {} series; horizontal axis: {}, vertical axis: {}", chart.series.size(),
                              chart.x.name, chart.y.name);
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

}  // namespace

std::unique_ptr<PlacedView> placeContent(const ChartContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedChartView>(content, place);
}

}  // namespace sepx::ui
