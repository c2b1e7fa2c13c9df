// SPDX-License-Identifier: Apache-2.0
// What is written over the picture of (e, w, a): names of points and arrows, the legend, what is known of the selected
// point. Part of the scene, so that figures have it. Pure.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;
using render::Dash;
using namespace overlay;

constexpr double kInset = 10;

using Rows = std::vector<LegendRow>;

LegendRow areaRow(render::Color color, double opacity, std::string text) {
  color.a = static_cast<float>(std::min(1.0, 1.8 * opacity + 0.1));
  LegendRow row = textRow(std::move(text));
  row.swatch = LegendRow::Swatch::Area;
  row.color = color;
  return row;
}

/// A box with rows at a corner of `area`.
void addRowBox(std::vector<render::Item>& items, const Rows& rows, const render::Rect& area, bool bottom,
               const Theme& theme) {
  if (rows.empty()) return;
  const double leading = 1.5 * theme.smallSize, pad = theme.space;
  double width = 0;
  for (const LegendRow& row : rows)
    width = std::max(width, rowWidth(row, theme.smallSize));
  width = std::min(width, area.width() - 2 * kInset - 2 * pad);
  const double height = leading * static_cast<double>(rows.size()) + 1.2 * pad;
  const double top = bottom ? area.max.y - kInset - height : area.min.y + kInset;
  const render::Rect box{{area.min.x + kInset, top}, {area.min.x + kInset + width + 2 * pad, top + height}};
  addBox(items, box, theme.radius, boxColor(theme), theme.border);
  overlay::addRows(items, rows, {box.min.x + pad, box.min.y + 0.6 * pad}, box.max.x - pad + 2, theme.smallSize, leading,
                   theme.text, theme);
}

std::string coordinates(const FlowPoint& point) {
  return fmt::format("({}, {}, {})", shownFixed(point.e, 3), shownFixed(point.w, 3), shownFixed(point.a, 3));
}

std::vector<std::string> invariants(const SpacePoint& point) {
  const auto number = [](const std::optional<double>& value, int digits) {
    return value ? (std::abs(*value) < 1e5 ? shownFixed(*value, digits) : shownPower(*value)) : std::string("–");
  };
  return {fmt::format("S = {}   E = {}", number(point.S, 4), number(point.energy, 4)),
          fmt::format("{} = {}", tr("Airy angle"), number(point.angle, 4))};
}

std::string drifts(const SpacePoint& point) {
  const auto drift = [](const std::optional<double>& value) {
    return !value ? std::string("–") : *value == 0 ? std::string("0") : shownPower(*value);
  };
  return fmt::format("{} E {}   {} {}", tr("drift:"), drift(point.energyDrift), tr("angle"), drift(point.angleDrift));
}

}  // namespace

namespace {

/// Names of points beside their handles, none over another or over a handle: the selected one's first, then those that
/// find room.
void addPointNames(std::vector<render::Item>& items, const SpaceFrame& frame, const std::vector<SpaceHandle>& handles) {
  constexpr std::size_t kNamed = 40;
  const Theme& theme = frame.theme();
  std::vector<const SpaceHandle*> named;
  std::vector<render::Rect> taken;
  const double around = 0.4 * theme.handleSize;
  for (const SpaceHandle& handle : handles) {
    if (handle.kind != SpaceHandle::Kind::Point) continue;
    taken.push_back({{handle.at.x - around, handle.at.y - around}, {handle.at.x + around, handle.at.y + around}});
    if (handle.index == frame.flow.selected)
      named.insert(named.begin(), &handle);
    else if (frame.flow.points.size() <= kNamed)
      named.push_back(&handle);
  }
  const double across = 0.7 * theme.handleSize + 3, up = 0.6 * theme.handleSize, half = 0.6 * theme.textSize;
  for (const SpaceHandle* handle : named) {
    const std::string& name = frame.flow.points[static_cast<std::size_t>(handle->index)].name;
    const double width = textWidth(name, theme.textSize);
    for (const auto& [x, y] : {std::pair{1, -1}, {-1, -1}, {1, 1}, {-1, 1}}) {
      const double left = handle->at.x + (x > 0 ? across : -across - width), middle = handle->at.y + y * up;
      const render::Rect box{{left, middle - half}, {left + width, middle + half}};
      if (std::any_of(taken.begin(), taken.end(), [&](const render::Rect& other) { return overlap(box, other); }))
        continue;
      taken.push_back(box);
      items.emplace_back(textAt({left, middle}, name, theme.textSize,
                                handle->index == frame.flow.selected ? theme.text : theme.textMuted));
      break;
    }
  }
}

}  // namespace

std::vector<render::Item> spaceNameItems(const SpaceFrame& frame) {
  const Theme& theme = frame.theme();
  std::vector<render::Item> items;
  const std::vector<SpaceHandle> handles = spaceHandles(frame);
  addPointNames(items, frame, handles);
  for (const SpaceHandle& handle : handles) {
    const auto i = static_cast<std::size_t>(handle.index);
    if (handle.kind == SpaceHandle::Kind::Point) continue;
    if (handle.kind == SpaceHandle::Kind::Axis) {
      const auto& point = frame.flow.points[static_cast<std::size_t>(frame.flow.selected)];
      const auto from = frame.view.toPage(point3(placeOf(point)));
      if (!from) continue;
      const double length = std::hypot(handle.at.x - from->x, handle.at.y - from->y);
      const render::Point out{(handle.at.x - from->x) / length, (handle.at.y - from->y) / length};
      render::Label label = textAt({handle.at.x + 14 * out.x, handle.at.y + 14 * out.y}, kSpaceAxes[i], theme.textSize,
                                   theme.accent, render::AlignX::Center);
      label.bold = true;
      items.emplace_back(std::move(label));
    } else {
      const bool slice = handle.kind == SpaceHandle::Kind::Slice;
      const double at = slice ? frame.space.section.at : frame.space.clip[i].at;
      const std::string text = std::string(kSpaceAxes[i]) + " = " + shownFixed(at, 2);
      const double width = textWidth(text, theme.smallSize) + 14;
      const render::Rect& plot = frame.layout.plot;
      // Beside the corner, or below it where the page ends.
      const bool beside = slice ? handle.at.x + width <= plot.max.x : handle.at.x - width >= plot.min.x;
      const render::Point place{handle.at.x + (beside ? (slice ? 11 : -11) : 0),
                                handle.at.y + (beside ? 0 : 1.3 * theme.smallSize)};
      items.emplace_back(textAt(place, text, theme.smallSize, slice ? theme.accent : theme.textMuted,
                                !beside ? (slice ? render::AlignX::Right : render::AlignX::Left)
                                : slice ? render::AlignX::Left
                                        : render::AlignX::Right));
    }
  }
  return items;
}

std::vector<render::Item> spaceLegendItems(const SpaceFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.layout.legend) return items;
  const Theme& theme = frame.theme();
  const SpaceShow& show = frame.space.show;
  const double opacity = frame.space.opacity;
  const markov::Chain& chain = frame.flow.chain;
  Rows rows{textRow(fmt::format("{}   p = {}, q = {}", overlay::relation(chain), shownProbability(chain.p, 3),
                                shownProbability(chain.q, 3)),
                    true)};
  if (chain.degenerate()) {
    rows.push_back(textRow(tr("the next symbol does not depend on the last:")));
    rows.push_back(textRow(tr("S⋆ = 0, no separatrix; all minima, loss H(π):")));
    if (show.axisPlane) rows.push_back(areaRow(theme.localMin, opacity, tr("e = 0")));
    if (show.thetaStar) rows.push_back(areaRow(theme.globalMin, opacity, tr("w = −1/√2 and 1 + a e² = 0")));
  } else if (!frame.page.compact || frame.layout.rows) {
    const auto& made = frame.results.surfaces();
    const auto there = [&made](const MeshPointer SpaceSurfaces::*mesh) { return made && (*made).*mesh; };
    if (show.thetaStar && there(&SpaceSurfaces::thetaStar))
      rows.push_back(areaRow(theme.globalMin, opacity, tr("global minima Θ⋆, lines of equal a")));
    if (show.axisPlane && there(&SpaceSurfaces::minima))
      rows.push_back(areaRow(theme.localMin, opacity, tr("local minima, e = 0")));
    if (show.axisPlane && there(&SpaceSurfaces::maxima))
      rows.push_back(areaRow(theme.localMax, opacity, tr("local maxima, e = 0")));
    if (show.separatrix && there(&SpaceSurfaces::separatrix))
      rows.push_back(areaRow(theme.separatrix, opacity, tr("unbounded orbits: the separatrix for w ≥ 0")));
    if (show.energy && frame.results.energySheet())
      rows.push_back(areaRow(theme.accent, opacity, tr("energy of the selected point, lines of equal loss")));
    if (show.curves && made && !made->curves.empty()) {
      rows.push_back(lineRow(theme.saddle, Dash::Solid, tr("saddles, e = 0, w = −1/√2")));
      rows.push_back(lineRow(theme.saddle, Dash::Dashed, tr("stationary curves: strict saddles")));
    }
    if (show.paths && frame.flow.showBackward && !frame.flow.points.empty())
      rows.push_back(lineRow(theme.textMuted, Dash::Dashed, tr("backward paths")));
  }
  addRowBox(items, rows, frame.page.area, false, theme);
  return items;
}

std::vector<render::Item> spaceReadOutItems(const SpaceFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.layout.readOut) return items;
  const Theme& theme = frame.theme();
  Rows rows;
  const SpacePoint* const point = frame.selected();
  if (!point) {
    if (frame.page.figure) return items;
    rows.push_back(textRow(frame.flow.points.empty() ? tr("No initial points: press A to add one")
                                                     : tr("Click a point, or press Tab, to see where it ends")));
    addRowBox(items, rows, frame.layout.notes, frame.layout.notesBelow, theme);
    return items;
  }
  const FlowPoint& of = frame.flow.points[static_cast<std::size_t>(frame.flow.selected)];
  rows.push_back(overlay::glyphRow(theme, point->kind, (of.name.empty() ? "" : of.name + " ") + coordinates(of)));
  rows.back().bold = true;
  const std::string words = spaceWords(frame.flow.chain, *point), reason = spaceReason(*point);
  const double room = frame.layout.notes.width() - 2 * kInset - 2 * theme.space;
  const double most = frame.layout.notesBelow ? std::clamp(0.6 * room, 150.0, 44.0 * theme.smallSize) : room;
  const auto line = [&rows](std::string text, bool muted = true) {
    rows.push_back(textRow(std::move(text)));
    rows.back().muted = muted;
  };
  const auto sentence = [&](const std::string& text, bool muted = true) {
    if (text.empty()) return;
    for (std::string& part : wrapped(sentenceCase(text), theme.smallSize, most))
      line(std::move(part), muted);
  };
  sentence(words, false);
  if (reason != words) sentence(reason);
  sentence(planeWords(*point, of.a));
  if (!frame.page.compact) {
    for (std::string& invariant : invariants(*point))
      line(std::move(invariant));
    if (point->path.size() > 1) line(drifts(*point));
    if (point->onSurface || point->status == markov::FlowStatus::Unbounded)
      sentence(tr("published: every path converges (Theorem 3); corrected: all but this surface"));
  }
  if (!frame.space.box.contains(placeOf(of))) sentence(tr("the point is outside the box"));
  addRowBox(items, rows, frame.layout.notes, frame.layout.notesBelow, theme);
  return items;
}

}  // namespace sepx::ui
