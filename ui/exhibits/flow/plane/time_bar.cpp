// SPDX-License-Identifier: Apache-2.0
// See time_bar.h.
#include "ui/exhibits/flow/plane/time_bar.h"

#include <algorithm>
#include <variant>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// A time that a person reads off: to a thousandth of what the bar shows.
double timeAt(const FlowLayout& layout, const TimeSpan& span, double x) {
  const double share = std::clamp((x - layout.timeBar->min.x) / layout.timeBar->width(), 0.0, 1.0);
  return span.begin + share * (span.end - span.begin);
}

void addLoss(LineChart& chart, const FlowState& state, const PointResult& point, const Theme& theme) {
  ChartSeries series{.look = {.color = kindColor(theme, point.kind), .width = theme.strongLine}};
  const auto add = [&](const std::vector<render::Point>& path, const std::vector<double>& time, std::size_t i) {
    series.x.push_back(time[i]);
    series.y.push_back(lossAt(state, path[i].x, path[i].y));
  };
  if (point.back)
    for (std::size_t i = std::min(point.back->path.size(), point.back->time.size()); i-- > 1;)
      add(point.back->path, point.back->time, i);
  for (std::size_t i = 0; i < std::min(point.path.size(), point.time.size()); ++i)
    add(point.path, point.time, i);
  if (!series.x.empty() && series.x.back() < *chart.x.to) {  // it rests
    series.x.push_back(*chart.x.to);
    series.y.push_back(series.y.back());
  }
  chart.series.push_back(std::move(series));
}

}  // namespace

std::vector<render::Item> timeItems(const FlowFrame& frame) {
  if (!frame.layout.timeBar) return {};
  const Theme& theme = frame.theme;
  const render::Rect& bar = *frame.layout.timeBar;
  LineChart chart;
  chart.compact = true;
  chart.plot =
      render::Rect{{bar.min.x, bar.min.y + 1.5 * theme.textSize}, {bar.max.x, bar.max.y - 1.5 * theme.smallSize}};
  chart.x = {.name = "t", .from = frame.span.begin, .to = std::max(frame.span.end, frame.span.begin + 1e-9)};
  chart.y.pad = 0.08;
  chart.title = tr("time: select a point to see its loss along it");
  const int selected = frame.state.selected;
  if (selected >= 0 && static_cast<std::size_t>(selected) < frame.results.points() && hasLoss(frame.state)) {
    const std::string& name = frame.state.points[static_cast<std::size_t>(selected)].name;
    addLoss(chart, frame.state, frame.results.point(static_cast<std::size_t>(selected)), theme);
    chart.title = (frame.state.canonical ? tr("loss") : tr("potential")) + (name.empty() ? "" : " " + name) + " (t)";
    if (frame.headTime)
      if (const std::optional<double> now = valueAt(chart.series.front(), *frame.headTime))
        chart.title += ": " + shownFixed(*now, 4) + ", t = " + shownFixed(*frame.headTime, 2);
  } else {
    chart.y.bare = true;
    chart.y.from = 0, chart.y.to = 1;
    if (frame.headTime) chart.title = "t = " + shownFixed(*frame.headTime, 2);
  }
  if (frame.headTime)
    chart.references.push_back(
        {.value = *frame.headTime, .look = {.color = theme.accent, .width = theme.strongLine}, .vertical = true});
  const PlacedChart placed(std::move(chart), bar, theme);
  std::vector<render::Item> items = placed.items();
  if (frame.headTime)
    for (render::Item& item : placed.cursor(*frame.headTime))
      items.push_back(std::move(item));
  return items;
}

bool TimeScrub::handle(const InputEvent& event, const FlowLayout& layout, const TimeSpan& span, FlowPlay& play) {
  const bool was = held_;
  if (!layout.timeBar) {
    held_ = over_ = false;
    return was;
  }
  const auto seek = [&](double x) { play.seek(timeAt(layout, span, x)); };
  if (const auto* press = std::get_if<PointerPressed>(&event)) {
    if (press->button != Button::Left) return held_;
    held_ = press->down && layout.timeBar->contains({press->x, press->y});
    if (held_) seek(press->x);
    return was || held_;
  }
  if (const auto* move = std::get_if<PointerMoved>(&event)) {
    over_ = layout.timeBar->contains({move->x, move->y});
    if (held_) seek(move->x);
  }
  if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused) held_ = false;
  return was;
}

}  // namespace sepx::ui
