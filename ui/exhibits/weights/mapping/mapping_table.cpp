// SPDX-License-Identifier: Apache-2.0
// Drawing and pointing of lists.
#include "ui/exhibits/weights/mapping/mapping_table.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

namespace {
constexpr double kCellPad = 6, kBar = 8;
}

render::Rect ListTable::body(const Look& look) const {
  render::Rect body = look.box;
  body.min.y += rowHeight(*look.theme);
  body.max.y = std::max(body.max.y, body.min.y + 1);
  return body;
}

ListTable::Span ListTable::spanOf(const Look& look, std::size_t column) const {
  double all = 0, before = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i < column) before += columns[i].share;
    all += columns[i].share;
  }
  const double width = look.box.width() - kBar;
  return {look.box.min.x + width * before / all, look.box.min.x + width * (before + columns[column].share) / all};
}

double ListTable::mostScroll(const Look& look) const {
  return std::max(0.0, static_cast<double>(rows) * rowHeight(*look.theme) - body(look).height());
}

double ListTable::reveal(const Look& look, double scroll, std::size_t row) const {
  const double height = rowHeight(*look.theme), top = static_cast<double>(row) * height;
  const double least = top + height - body(look).height();
  return std::clamp(std::clamp(scroll, std::min(least, top), top), 0.0, mostScroll(look));
}

void ListTable::draw(std::vector<render::Item>& items, const Look& look, double scroll) const {
  const Theme& theme = *look.theme;
  const double height = rowHeight(theme), size = theme.smallSize;
  const render::Rect rowsBox = body(look);
  const auto cell = [&](std::size_t column, double y, const std::string& value, render::Color ink) {
    const Span span = spanOf(look, column);
    const std::string fitting = elided(value, size, span.right - span.left - 2 * kCellPad);
    items.emplace_back(textAt({columns[column].right ? span.right - kCellPad : span.left + kCellPad, y}, fitting,
                              theme.smallSize, ink,
                              columns[column].right ? render::AlignX::Right : render::AlignX::Left));
  };
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(scroll / height)));
  const auto last = std::min(rows, static_cast<std::size_t>(std::ceil((scroll + rowsBox.height()) / height)));
  for (std::size_t row = first; row < last; ++row) {
    const double top = rowsBox.min.y + static_cast<double>(row) * height - scroll;
    // Whole rows alone: nothing has to be cut.
    if (top < rowsBox.min.y - 0.5 || top + height > rowsBox.max.y + 0.5) continue;
    const render::Rect line{{look.box.min.x, top}, {look.box.max.x - kBar, top + height}};
    if (look.chosen == row)
      items.emplace_back(pageFill(line, faded(theme.accent, 0.25f)));
    else if (look.hovered == row)
      items.emplace_back(pageFill(line, theme.surfaceRaised));
    else if (row % 2 == 1)
      items.emplace_back(pageFill(line, faded(theme.surfaceRaised, 0.4f)));
    for (std::size_t column = 0; column < columns.size(); ++column)
      cell(column, top + height / 2, text(row, column), color ? color(row, column) : theme.text);
  }
  for (std::size_t column = 0; column < columns.size(); ++column)
    cell(column, look.box.min.y + height / 2, columns[column].title, theme.textMuted);
  items.emplace_back(pageLine({look.box.min.x, rowsBox.min.y}, {look.box.max.x, rowsBox.min.y}, theme.border));
  const double all = static_cast<double>(rows) * height;
  if (all > rowsBox.height() && !look.figure) {
    const double span = std::max(14.0, rowsBox.height() * rowsBox.height() / all);
    const double top = rowsBox.min.y + (rowsBox.height() - span) * scroll / std::max(1.0, mostScroll(look));
    items.emplace_back(
        pageFill({{look.box.max.x - 5, top}, {look.box.max.x - 1, top + span}}, faded(theme.textMuted, 0.8f)));
  }
}

std::optional<std::size_t> ListTable::rowAt(const Look& look, double scroll, render::Point page) const {
  const render::Rect rowsBox = body(look);
  if (!rowsBox.contains(page) || page.x > look.box.max.x - kBar) return std::nullopt;
  const double row = std::floor((page.y - rowsBox.min.y + scroll) / rowHeight(*look.theme));
  if (row < 0 || row >= static_cast<double>(rows)) return std::nullopt;
  return static_cast<std::size_t>(row);
}

std::optional<std::string> ListTable::cutText(const Look& look, double scroll, render::Point page) const {
  const std::optional<std::size_t> row = rowAt(look, scroll, page);
  if (!row) return std::nullopt;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const Span span = spanOf(look, column);
    if (page.x < span.left || page.x >= span.right) continue;
    std::string value = text(*row, column);
    if (textWidth(value, look.theme->smallSize) > span.right - span.left - 2 * kCellPad) return value;
  }
  return std::nullopt;
}

}  // namespace sepx::ui
