// SPDX-License-Identifier: Apache-2.0
// What is drawn over the picture of (e, w, a): names of points and arrows, the legend, and the read-out of the selected
// point. Part of the scene, so that figures have it. Pure.
#include "ui/exhibits/flow/space/space_overlay.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/exhibits/flow/shared/flow_layout.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/space/space_axes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;
using render::Dash;
using namespace overlay;

constexpr double kInset = 10, kLeading = 1.5;  // points; text sizes
constexpr double kFoldRoom = 2.5;              // room for the fold mark, in text sizes

using Rows = std::vector<LegendRow>;

LegendRow areaRow(render::Color color, double opacity, std::string text) {
  color.a = static_cast<float>(std::min(1.0, 1.8 * opacity + 0.1));
  LegendRow row = textRow(std::move(text));
  row.swatch = LegendRow::Swatch::Area;
  row.color = color;
  return row;
}

/// The size of a box with rows, no wider than `area`. `more`: room at the end of the first row.
render::Point sizeOf(const Rows& rows, const render::Rect& area, const Theme& theme, double more = 0) {
  double width = 0;
  for (const LegendRow& row : rows)
    width = std::max(width, rowWidth(row, theme.smallSize) + (&row == &rows.front() ? more : 0));
  width = std::min(width, area.width() - 2 * kInset - 2 * theme.space);
  return {width + 2 * theme.space, kLeading * theme.smallSize * static_cast<double>(rows.size()) + 1.2 * theme.space};
}

void addRowBox(std::vector<render::Item>& items, const Rows& rows, const render::Rect& box, const Theme& theme) {
  addBox(items, box, theme.radius, boxColor(theme), theme.border);
  overlay::addRows(items, rows, {box.min.x + theme.space, box.min.y + 0.6 * theme.space}, box.max.x - theme.space + 2,
                   theme.smallSize, kLeading * theme.smallSize, theme.text, theme);
}

/// A box with rows at a left corner of `area`.
void addRowBox(std::vector<render::Item>& items, const Rows& rows, const render::Rect& area, bool bottom,
               const Theme& theme) {
  if (rows.empty()) return;
  const render::Point size = sizeOf(rows, area, theme);
  const render::Point corner{area.min.x + kInset, bottom ? area.max.y - kInset - size.y : area.min.y + kInset};
  addRowBox(items, rows, {corner, {corner.x + size.x, corner.y + size.y}}, theme);
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

/// Adds the names of points beside their handles, so that no name overlaps another one or a handle. The name of the
/// selected point comes first, then those for which there is room.
void addPointNames(std::vector<render::Item>& items, const SpaceFrame& frame, const std::vector<SpaceHandle>& handles) {
  constexpr std::size_t kNamed = 40;
  const Theme& theme = frame.theme();
  std::vector<const SpaceHandle*> named;
  std::vector<render::Rect> taken;
  const double around = 0.4 * theme.handleSize;
  for (const SpaceHandle& handle : handles) {
    if (handle.kind != SpaceHandle::Kind::Point) continue;
    taken.push_back({{handle.at.x - around, handle.at.y - around}, {handle.at.x + around, handle.at.y + around}});
    if (handle.index == frame.marked())
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
      items.emplace_back(
          textAt({left, middle}, name, theme.textSize, handle->index == frame.marked() ? theme.text : theme.textMuted));
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
      render::Label label = textAt({handle.at.x + 14 * out.x, handle.at.y + 14 * out.y}, symbolName(kSpaceAxes[i]),
                                   theme.textSize, theme.accent, render::AlignX::Center);
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

namespace {

Rows legendRows(const SpaceFrame& frame) {
  const Theme& theme = frame.theme();
  const SpaceShow& show = frame.space.show;
  const double opacity = frame.space.opacity;
  const markov::Chain& chain = frame.flow.chain;
  Rows rows{textRow(fmt::format("{}   p = {}, q = {}", overlay::relation(chain), shownProbability(chain.p, 3),
                                shownProbability(chain.q, 3)),
                    true)};
  if (!frame.layout.rows) return rows;
  if (chain.degenerate()) {
    rows.push_back(textRow(tr("the next symbol does not depend on the last:")));
    rows.push_back(textRow(tr("S⋆ = 0, no separatrix; all minima, loss H(π):")));
    if (show.axisPlane) rows.push_back(areaRow(theme.localMin, opacity, tr("e = 0")));
    if (show.thetaStar) rows.push_back(areaRow(theme.globalMin, opacity, tr("w = −1/√2 and 1 + a e² = 0")));
  } else {
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
      rows.push_back(
          areaRow(theme.accent, opacity,
                  filled(tr("energy of {point}, lines of equal loss"), "{point}", selectedName(frame.flow))));
    if (show.curves && made && !made->curves.empty()) {
      rows.push_back(lineRow(theme.saddle, Dash::Solid, tr("saddles, e = 0, w = −1/√2")));
      rows.push_back(lineRow(theme.saddle, Dash::Dashed, tr("stationary curves: strict saddles")));
    }
    if (show.paths && frame.flow.showBackward && !frame.flow.points.empty())
      rows.push_back(lineRow(theme.textMuted, Dash::Dashed, tr("backward paths")));
  }
  return rows;
}

render::Point legendSize(const SpaceFrame& frame, const Rows& rows) {
  return sizeOf(rows, frame.page.area, frame.theme(), kFoldRoom * frame.theme().smallSize);
}

/// Where the upper left corner of a legend of this size can be.
render::Rect legendRoom(const SpaceFrame& frame, render::Point size) {
  const render::Rect& area = frame.page.area;
  const render::Point least{area.min.x + kInset, area.min.y + kInset};
  return {least, {std::max(least.x, area.max.x - kInset - size.x), std::max(least.y, area.max.y - kInset - size.y)}};
}

render::Rect legendBox(const SpaceFrame& frame, const Rows& rows) {
  const render::Point size = legendSize(frame, rows);
  const render::Rect room = legendRoom(frame, size);
  const SpaceLegend& placement = frame.space.legend;
  const render::Point corner{room.min.x + placement.x * room.width(), room.min.y + placement.y * room.height()};
  return {corner, {corner.x + size.x, corner.y + size.y}};
}

}  // namespace

SpaceLayout figureLayout(const SpaceFrame& frame) {
  const Theme& theme = frame.theme();
  const Rows rows = legendRows(frame);
  SpaceLayout layout = frame.layout;
  const double gap = theme.space;
  if (!layout.notesBelow) {
    const render::Rect& notes = layout.notes;
    const render::Rect room{{notes.min.x + gap, notes.min.y + gap}, {notes.max.x - gap, notes.max.y - gap}};
    if (legendGrid(rows, room.width(), theme.smallSize, 1).height <= room.height()) {
      layout.legendRoom = room;
      return layout;
    }
  }
  constexpr double kMost = 0.45;  // of the page
  const render::Rect& area = frame.page.area;
  const double width = area.width() - 2 * gap, below = legendGrid(rows, width, theme.smallSize).height + gap;
  if (below > kMost * area.height()) {
    layout.legend = false;
    return layout;
  }
  PageArea smaller = frame.page;
  smaller.area.max.y -= below;
  layout = layoutSpace(smaller, frame.space, false);
  layout.legend = layout.rows = true;
  layout.legendRoom = render::Rect{{area.min.x + gap, smaller.area.max.y}, {area.max.x - gap, area.max.y}};
  return layout;
}

std::optional<render::Rect> spaceLegendBox(const SpaceFrame& frame) {
  if (!frame.layout.legend) return std::nullopt;
  return legendBox(frame, legendRows(frame));
}

render::Point spaceLegendShares(const SpaceFrame& frame, render::Point corner) {
  const render::Rect room = legendRoom(frame, legendSize(frame, legendRows(frame)));
  const auto share = [](double from, double length) {
    return length > 0 ? std::round(1000 * std::clamp(from / length, 0.0, 1.0)) / 1000 : 0.0;
  };
  return {share(corner.x - room.min.x, room.width()), share(corner.y - room.min.y, room.height())};
}

std::vector<render::Item> spaceLegendItems(const SpaceFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.layout.legend) return items;
  const Theme& theme = frame.theme();
  const Rows rows = legendRows(frame);
  if (const std::optional<render::Rect>& room = frame.layout.legendRoom) {
    const std::size_t columns = room->min.y >= frame.layout.plot.max.y ? 4 : 1;
    addLegendGrid(items, legendGrid(rows, room->width(), theme.smallSize, columns), room->min, theme);
    return items;
  }
  const render::Rect box = legendBox(frame, rows);
  addRowBox(items, rows, box, theme);
  addFoldMark(items, box.max.x - theme.space, box.min.y + 0.6 * theme.space + 0.5 * kLeading * theme.smallSize,
              frame.layout.rows, theme.textMuted);
  return items;
}

std::vector<render::Item> spaceReadOutItems(const SpaceFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.layout.readOut || frame.page.figure) return items;  // the read-out is about the selection
  const Theme& theme = frame.theme();
  Rows rows;
  const SpacePoint* const point = frame.selected();
  if (!point) {
    if (frame.page.audience) return items;
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
  // An audience sees only where the point ends; more text would cover the picture.
  if (frame.page.audience) {
    addRowBox(items, rows, frame.layout.notes, frame.layout.notesBelow, theme);
    return items;
  }
  if (reason != words) sentence(reason);
  sentence(planeWords(*point, of.a));
  auto numbersAt = static_cast<std::ptrdiff_t>(rows.size());
  std::vector<std::string> numbers;
  if (!frame.page.compact) {
    numbers = invariants(*point);
    if (point->path.size() > 1) numbers.push_back(drifts(*point));
    if (point->onSurface || point->status == markov::FlowStatus::Unbounded)
      sentence(tr("published: every path converges (Theorem 3); corrected: all except those on this surface"));
  }
  if (!frame.space.box.contains(placeOf(of))) sentence(tr("the point is outside the box"));
  // The box must end above the section below it. Numbers for which there is no room are still in the panel.
  for (std::string& number : numbers) {
    const double height = sizeOf(rows, frame.layout.notes, theme).y + kLeading * theme.smallSize;
    if (!frame.layout.notesBelow && height + kInset > frame.layout.notes.height()) break;
    rows.insert(rows.begin() + numbersAt++, textRow(std::move(number)))->muted = true;
  }
  addRowBox(items, rows, frame.layout.notes, frame.layout.notesBelow, theme);
  return items;
}

}  // namespace sepx::ui
