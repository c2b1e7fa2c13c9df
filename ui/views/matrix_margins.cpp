// SPDX-License-Identifier: Apache-2.0
// See matrix_margins.h.
#include "ui/views/matrix_margins.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kBegins = 3, kReach = 7, kGrown = 6;  // points
constexpr const char* kGroup = "threshold";

const render::Rect& boxOf(const MatrixMargins& margins, Side side) {
  return side == Side::Rows ? margins.rows : margins.columns;
}

/// x of the threshold of the rows, or y of that of the columns. Empty optional if it is not in the box.
std::optional<double> lineOf(const MatrixMargins& margins, Side side) {
  const double threshold = margins.threshold(side);
  if (!std::isfinite(threshold) || threshold < 0 || threshold > margins.largest) return std::nullopt;
  return normToPage(boxOf(margins, side), side, threshold, margins.largest);
}

std::optional<Side> lineAt(const MatrixMargins& margins, render::Point at) {
  for (const Side side : {Side::Columns, Side::Rows}) {
    const render::Rect& of = boxOf(margins, side);
    const render::Rect grown{{of.min.x - kGrown, of.min.y - kGrown}, {of.max.x + kGrown, of.max.y + kGrown}};
    const std::optional<double> where = lineOf(margins, side);
    if (where && grown.contains(at) && std::abs((side == Side::Rows ? at.x : at.y) - *where) <= kReach) return side;
  }
  return std::nullopt;
}

void addLine(std::vector<render::Item>& items, const MatrixMargins& margins, Side side, const ViewPlace& place,
             bool held) {
  const std::optional<double> at = lineOf(margins, side);
  if (!at) return;
  const render::Color color = held ? place.theme.accent : place.theme.text;
  const render::Rect& box = margins.plot.plot;
  const bool across = side == Side::Rows;
  const render::Point from = across ? render::Point{*at, box.min.y} : render::Point{box.min.x, *at};
  const render::Point to = across ? render::Point{*at, box.max.y} : render::Point{box.max.x, *at};
  items.emplace_back(pageLine(from, to, color, held ? place.theme.strongLine : 1, render::Dash::Dashed));
  if (!place.figure)
    items.emplace_back(render::Marker{to, render::Shape::Triangle, 8, color, color, 0, render::Space::Page});
}

std::vector<render::Item> itemsOf(const MatrixMargins& margins, const ViewPlace& place) {
  std::vector<render::Item> items;
  for (const Side side : {Side::Columns, Side::Rows}) {
    const double count = side == Side::Rows ? margins.plot.whole.height() : margins.plot.whole.width();
    NormBars bars{margins.plot, side, boxOf(margins, side), static_cast<std::size_t>(count)};
    bars.norm = [&margins, side](std::size_t at) { return margins.norm(side, at); };
    bars.threshold = margins.threshold(side);
    bars.largest = margins.largest;
    bars.add(items, place.theme);
  }
  for (const Side side : {Side::Columns, Side::Rows})
    addLine(items, margins, side, place, false);
  return items;
}

std::vector<render::Item> heldItems(const MatrixMargins& margins, Side side, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  addLine(items, margins, side, place, true);
  render::Label label = textAt({margins.columns.max.x - 12, margins.columns.min.y + theme.smallSize},
                               margins.heldText(side), theme.smallSize, theme.text, render::AlignX::Right);
  label.backdrop = theme.surfaceRaised;
  items.emplace_back(std::move(label));
  return items;
}

PictureGrip gripOf(const MatrixMargins& margins, Side side, render::Point from, const ViewPlace& place) {
  const double offset = lineOf(margins, side).value_or(0) - (side == Side::Rows ? from.x : from.y);
  const auto drag = [margins, side, offset](Editor& editor, render::Point at, bool shift) {
    const double threshold = pageToNorm(boxOf(margins, side), side, {at.x + offset, at.y + offset}, margins.largest);
    Document next = margins.with(editor.document(), side, threshold, shift);
    if (!next.sharesAll(editor.document())) editor.commit(std::move(next), tr("move the threshold γ"), kGroup);
  };
  const auto back = [](Editor& editor, const Document& before) {
    editor.commit(before, tr("move the threshold γ"), kGroup);
  };
  return {.drag = drag,
          .cursor = side == Side::Rows ? Cursor::ResizeHorizontal : Cursor::ResizeVertical,
          .still = kBegins,
          .over =
              [margins, side, theme = place.theme, box = place.box] {
                return heldItems(margins, side, {box, theme});
              },
          .takeBack = back};
}

}  // namespace

PictureContent marginsContent(const MatrixMargins& margins) {
  PictureContent content;
  content.of = Digest().add(margins.of, margins.rows, margins.columns, margins.plot.view, margins.largest).value();
  content.draw = [margins](const ViewPlace& place) { return itemsOf(margins, place); };
  content.tip = [margins](const ViewPlace& place, render::Point at, const render::Rect&) {
    const std::optional<Side> side = lineAt(margins, at);
    return side ? heldItems(margins, *side, place) : std::vector<render::Item>();
  };
  content.hold = [margins](const ViewPlace& place, render::Point at) -> std::optional<PictureGrip> {
    const std::optional<Side> side = lineAt(margins, at);
    return side ? std::optional(gripOf(margins, *side, at, place)) : std::nullopt;
  };
  return content;
}

}  // namespace sepx::ui
