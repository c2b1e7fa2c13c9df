// SPDX-License-Identifier: Apache-2.0
// The flow run backwards from every point, d theta/dt = +grad L, dashed; where it came from has the glyph of its kind,
// hollow, and for the selected point its name. The ways are results of the paths' job; nothing is integrated here.
#include "ui/exhibits/flow/points_layer.h"

#include <string>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/flow_lines.h"
#include "ui/properties/color_text.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// The last place of a way that is inside the window, going back from the point.
std::optional<render::Point> lastInside(const render::Rect& window, const std::vector<render::Point>& way) {
  std::optional<render::Point> last;
  for (const render::Point& at : way) {
    if (!window.contains(at)) break;
    last = at;
  }
  return last;
}

class WaysBack final : public PlaneLayer {
 public:
  void declare(PropertyRegistry&, const FlowReadings&) override {}  // points_declare.cpp
  void read(const Document&, const PropertyRegistry&, const FlowState&) override {}
  void update(const FlowFrame&, ExhibitContext&) override {}

  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override {
    if (!shown(frame)) return;
    LayerKey key{frame.results.pathsRevision(), static_cast<std::uint64_t>(frame.state.selected + 1),
                 colorsOf(frame.state)};
    into.push_back({"ways back", PlaneLevel::Lines, key, [&frame] { return wayItems(frame); }, false});
    into.push_back({"origins", PlaneLevel::Lines, std::move(key), [&frame] { return originItems(frame); }, false});
  }

  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown(frame) || !frame.layout.legendOpen) return;
    LegendRow row;
    row.swatch = LegendRow::Swatch::Line;
    row.color = frame.theme.text;
    row.dash = render::Dash::Dashed;
    row.text = tr("way back of a point");
    rows.push_back(std::move(row));
  }
  LayerKey legendKey(const FlowFrame& frame) const override { return {shown(frame) ? 1u : 0u}; }
  std::string toggle() const override { return "flow.show.backward"; }

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
      const bool selected = static_cast<int>(i) == frame.state.selected;
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
      const bool selected = static_cast<int>(i) == frame.state.selected;
      const std::optional<render::Point>& origin = point.back->origin;
      if (origin && nearWindow(frame, *origin))
        items.push_back(render::Marker{*origin, kindShape(point.back->kind), 10, frame.theme.plotBackground,
                                       kindColor(frame.theme, point.back->kind), 2});
      const std::optional<render::Point> at = lastInside(frame.state.view, point.back->path);
      if (selected && at)
        items.push_back(nameAt(frame, *at, originWords(frame.state, point), frame.theme.text, 9, true));
    }
    return items;
  }
};

}  // namespace

std::optional<render::Color> ownColor(const FlowPoint& point) {
  const std::optional<Rgb> color = point.color.empty() ? std::nullopt : rgbOf(point.color);
  if (!color) return std::nullopt;
  return render::Color{(*color)[0], (*color)[1], (*color)[2], 1};
}

std::unique_ptr<PlaneLayer> makeWaysBack() {
  return std::make_unique<WaysBack>();
}

}  // namespace sepx::ui
