// SPDX-License-Identifier: Apache-2.0
// See chart_grid.h.
#include "ui/race/chart_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "ui/race/transport.h"

namespace sepx::ui {

void ChartGrid::update(const RaceFrame& frame, const std::vector<ChartPlacing>& places, const LayerKey& key) {
  if (charts_.size() > places.size())
    charts_.erase(charts_.begin() + static_cast<std::ptrdiff_t>(places.size()), charts_.end());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ChartPlacing& place = places[i];
    LayerKey now = keyWith(key, place.layer(), place.box, place.compact);
    if (i < charts_.size() && charts_[i].key == now) continue;
    PlacedChart chart(place.make ? place.make() : makeRunChart(frame.shared, place.metric, frame.theme, place.compact),
                      place.box, frame.theme);
    Kept kept{place, std::move(now), std::move(chart)};
    kept.place.make = nullptr;  // it may refer to this frame
    if (i < charts_.size())
      charts_[i] = std::move(kept);
    else
      charts_.push_back(std::move(kept));
  }
}

double ChartGrid::legendHeight(const RaceFrame& frame, double width) {
  std::vector<render::Item> ignored;
  return ui::addLegend(ignored, {}, width, layerLegend(frame.shared, frame.theme), frame.theme);
}

void ChartGrid::addLegend(const RaceFrame& frame, std::vector<render::Layer>& into, const render::Rect& box,
                          const LayerKey& key) {
  layers_.add(into, frame.shared.key("chart.legend"), keyWith(key, box), [&] {
    std::vector<render::Item> items;
    ui::addLegend(items, box.min, box.width(), layerLegend(frame.shared, frame.theme), frame.theme);
    return items;
  });
}

const ChartGrid::Kept* ChartGrid::at(render::Point page) const {
  for (const Kept& kept : charts_)
    if (kept.chart.camera().plot.contains(page)) return &kept;
  return nullptr;
}

void ChartGrid::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  for (const Kept& kept : charts_)
    layers_.add(
        into, frame.shared.key("chart.") + kept.place.layer(), kept.key, [&] { return kept.chart.items(); }, false);
  if (charts_.empty()) return;
  if (!frame.shared.live || frame.figure) {
    LayerKey key = keyWith(charts_.front().key, frame.shared.step);
    for (const Kept& kept : charts_)
      key = keyWith(std::move(key), kept.place.box);
    layers_.add(
        into, frame.shared.key("chart.cursor"), std::move(key),
        [&] {
          std::vector<render::Item> items;
          for (const Kept& kept : charts_)
            append(items, kept.chart.cursor(static_cast<double>(frame.shared.step)));
          return items;
        },
        false);
  }
  if (!frame.pointer || frame.figure) return;
  const Kept* const under = at(*frame.pointer);
  if (!under) return;
  layers_.add(
      into, frame.shared.key("chart.tip"), keyWith(under->key, *frame.pointer),
      [&] { return under->chart.tip(*frame.pointer, frame.area); }, false);
}

std::optional<Cursor> ChartGrid::input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const auto seek = [&](double x) {
    const render::Rect& plot = charts_[*held_].chart.camera().plot;
    const double step = charts_[*held_].chart.data({std::clamp(x, plot.min.x, plot.max.x), plot.min.y}).x;
    if (std::isfinite(step)) showStep(context.editor, frame.shared, std::llround(step));
  };
  if (const auto* press = std::get_if<PointerPressed>(&event); press && press->button == Button::Left) {
    const bool was = held_.has_value();
    held_.reset();
    const Kept* const under = press->down ? at({press->x, press->y}) : nullptr;
    if (!under) return was ? std::optional(Cursor::Cross) : std::nullopt;
    held_ = static_cast<std::size_t>(under - charts_.data());
    seek(press->x);
    return Cursor::ResizeHorizontal;
  }
  if (const auto* move = std::get_if<PointerMoved>(&event); move && held_ && *held_ < charts_.size()) {
    seek(move->x);
    return Cursor::ResizeHorizontal;
  }
  if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused) held_.reset();
  return frame.pointer && at(*frame.pointer) ? std::optional(Cursor::Cross) : std::nullopt;
}

}  // namespace sepx::ui
