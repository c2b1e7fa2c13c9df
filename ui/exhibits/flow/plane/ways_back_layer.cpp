// SPDX-License-Identifier: Apache-2.0
// The flow run backwards from every point, d theta/dt = +grad L, dashed; where it came from has the glyph of its kind,
// hollow, and for the selected point its name. The ways are results of the paths' job; nothing is integrated here.
#include <string>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// The name of where the selected point came from, beside its way: as near to the origin as it can be read.
std::optional<render::Label> originLabel(const FlowFrame& frame) {
  const int selected = frame.marked();
  if (selected < 0 || static_cast<std::size_t>(selected) >= frame.results.points()) return std::nullopt;
  const PointResult& point = frame.results.point(static_cast<std::size_t>(selected));
  if (!point.back || point.back->path.size() < 2) return std::nullopt;
  const Camera camera = frame.camera();
  const float size = frame.theme.smallSize;
  const std::string words = originWords(frame.state, point);
  const double half = 0.5 * textWidth(words, size) + 3;
  LabelRoom room(frame);
  if (frame.layout.legend) room.take(legendPlace(frame).box);
  if (frame.layout.squareBox) room.take(*frame.layout.squareBox);
  const render::Rect& plot = frame.layout.plot;
  room.take({{plot.min.x, plot.max.y - 4 * size}, plot.max});  // where the read-out stands
  std::size_t last = 0;                                        // in sight
  while (last < point.back->path.size() && frame.state.view.contains(point.back->path[last]))
    ++last;
  for (std::size_t i = last; i-- > 1;) {
    const render::Point page = toPage(camera, point.back->path[i]);
    for (const render::Point away : {render::Point{half + 9, 0}, render::Point{-half - 9, 0}, render::Point{0, -14},
                                     render::Point{0, 16}, render::Point{0, 0}})
      if (auto label = room.place({page.x + away.x, page.y + away.y}, words, size, frame.theme.text)) return label;
  }
  return std::nullopt;
}

class WaysBack final : public PlaneLayer {
 public:
  WaysBack() : PlaneLayer("flow.show.backward") {}  // declared with the points
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override {
    if (!shown(frame)) return;
    LayerKey key{frame.results.pathsRevision(), static_cast<std::uint64_t>(frame.state.selected + 1),
                 colorsOf(frame.state)};
    LayerKey named = key;
    if (frame.layout.legend) {
      const render::Rect box = legendPlace(frame).box;
      named.insert(named.end(), {bits(box.min.x), bits(box.min.y), bits(box.max.x), bits(box.max.y)});
    }
    into.push_back({"ways back", PlaneLevel::Lines, std::move(key), [&frame] { return wayItems(frame); }, false});
    into.push_back({"origins", PlaneLevel::Lines, std::move(named), [&frame] { return originItems(frame); }, false});
  }

  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown(frame) || !frame.layout.legendOpen) return;
    rows.push_back(overlay::lineRow(frame.theme.text, render::Dash::Dashed, tr("backward path of a point")));
  }
  LayerKey legendKey(const FlowFrame& frame) const override { return {shown(frame) ? 1u : 0u}; }
  std::string caption(const FlowState& state) const override {
    return state.showBackward && !state.points.empty() ? tr("dashed: the backward path of a point") : "";
  }

 private:
  static bool shown(const FlowFrame& frame) { return frame.state.showBackward && !frame.state.points.empty(); }

  static std::uint64_t colorsOf(const FlowState& state) {
    std::uint64_t all = 0;
    for (const FlowPoint& point : state.points)
      all = all * 31 + (point.color.empty() ? 0 : bits(std::string_view(point.color)));
    return all;
  }

  static std::vector<render::Item> wayItems(const FlowFrame& frame) {
    std::vector<render::Item> items;
    for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
      const PointResult& point = frame.results.point(i);
      if (!point.back) continue;
      const bool selected = static_cast<int>(i) == frame.marked();
      const render::Color color =
          ownColor(frame.state.points[i]).value_or(selected ? frame.theme.accent : frame.theme.text);
      addLine(items, point.back->path,
              {faded(color, 0.8f), frame.theme.lineWidth + (selected ? 1.0f : 0.25f), render::Dash::Dashed}, frame);
    }
    return items;
  }

  static std::vector<render::Item> originItems(const FlowFrame& frame) {
    std::vector<render::Item> items;
    for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
      const PointResult& point = frame.results.point(i);
      if (!point.back || point.back->path.size() < 2) continue;
      const std::optional<render::Point>& origin = point.back->origin;
      if (origin && nearWindow(frame, *origin))
        items.push_back(render::Marker{*origin, kindShape(point.back->kind), 10, frame.theme.plotBackground,
                                       kindColor(frame.theme, point.back->kind), 2});
    }
    if (std::optional<render::Label> label = originLabel(frame)) items.push_back(*std::move(label));
    return items;
  }
};

}  // namespace

std::unique_ptr<PlaneLayer> makeWaysBack() {
  return std::make_unique<WaysBack>();
}

}  // namespace sepx::ui
