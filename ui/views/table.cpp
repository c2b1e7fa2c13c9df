// SPDX-License-Identifier: Apache-2.0
// Layout, drawing and hit testing of tables.
#include "ui/views/table.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"

namespace sepx::ui {

namespace {

constexpr double kBar = 8;

/// Gives every column the width that it needs, as far as others can spare it.
void keepShort(const TableView& table, std::vector<double>& widths, double size) {
  std::vector<double> beyond;  // the width beyond what it needs; negative: it is too narrow
  double lacks = 0, spare = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    beyond.push_back(widths[i] - table.neededWidth(i, size));
    (beyond[i] > 0 ? spare : lacks) += std::abs(beyond[i]);
  }
  if (lacks <= 0 || spare <= 0) return;
  const double given = std::min(lacks, spare);
  for (std::size_t i = 0; i < widths.size(); ++i)
    widths[i] -= given * beyond[i] / (beyond[i] > 0 ? spare : lacks);
}

}  // namespace

double TableView::neededWidth(std::size_t column, double size, Needs needs) const {
  constexpr std::size_t kMeasuredRows = 24;
  constexpr double kLeastText = 6, kShortText = 9, kWidestNumber = 12;
  const TableColumn& one = columns[column];
  double widest = one.right && needs == Needs::Everything ? textWidth(one.title, size) : 0;
  for (std::size_t row = 0; row < std::min(rows, kMeasuredRows); ++row) {
    const double wide = textWidth(text(row, column), size);
    if (!one.right || wide <= kWidestNumber * size) widest = std::max(widest, wide);
  }
  const double most = needs == Needs::Everything ? kShortText : kLeastText;
  if (!one.right && widest > most * size) widest = kLeastText * size;
  return widest + one.mark + 2 * one.pad + 1;
}

double TableView::neededWidth(const Theme& theme, Needs needs) const {
  double width = kBar;
  for (std::size_t column = 0; column < columns.size(); ++column)
    width += neededWidth(column, theme.smallSize, needs);
  return width;
}

render::Rect TableView::body(const Place& place) const {
  render::Rect body = place.box;
  body.min.y += rowHeight(*place.theme);
  body.max.y = std::max(body.max.y, body.min.y + 1);
  return body;
}

std::vector<TableView::Span> TableView::spans(const Place& place) const {
  if (fitted) return fittedSpans(place);
  double all = 0;
  for (const TableColumn& column : columns)
    all += column.share;
  std::vector<double> widths;
  for (const TableColumn& column : columns)
    widths.push_back((place.box.width() - kBar) * column.share / all);
  keepShort(*this, widths, place.theme->smallSize);
  std::vector<Span> spans;
  double left = place.box.min.x;
  for (const double width : widths) {
    spans.push_back({left, left + width});
    left += width;
  }
  return spans;
}

/// Spare width goes between the columns. Missing width is taken from the columns with `gives`, then from the first one.
std::vector<TableView::Span> TableView::fittedSpans(const Place& place) const {
  const double size = place.theme->smallSize;
  std::vector<double> widths;
  double spare = place.box.width() - kBar;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    double widest = textWidth(columns[column].title, size) - columns[column].mark;
    for (std::size_t row = 0; row < rows; ++row)
      widest = std::max(widest, textWidth(text(row, column), size));
    widths.push_back(widest + columns[column].mark + 2 * columns[column].pad);
    spare -= widths.back();
  }
  for (std::size_t column = 0; column < columns.size() && spare < 0; ++column) {
    if (!columns[column].dropsText) continue;
    spare += widths[column] - columns[column].mark - columns[column].pad;
    widths[column] = columns[column].mark + columns[column].pad;
  }
  if (spare < 0 && !widths.empty()) widths[0] = std::max(widths[0] + spare, 2 * columns[0].pad);
  const double between = columns.size() > 1 ? std::max(spare, 0.0) / static_cast<double>(columns.size() - 1) : 0;
  std::vector<Span> spans;
  double left = place.box.min.x;
  for (const double width : widths) {
    spans.push_back({left, left + width});
    left += width + between;
  }
  return spans;
}

void TableView::fit(const Theme& theme, double width) {
  constexpr std::size_t kMeasuredRows = 40;
  constexpr double kLeast = 3, kMost = 22, kGives = 9;  // multiples of the text size
  const double size = theme.smallSize, room = width - kBar;
  double over = -room;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    TableColumn& one = columns[column];
    double widest = textWidth(one.title, size);
    for (std::size_t row = 0; row < std::min(rows, kMeasuredRows); ++row)
      widest = std::max(widest, textWidth(text(row, column), size));
    one.share = std::clamp(widest, kLeast * size, kMost * size) + one.mark + 2 * one.pad + 1;
    over += one.share;
  }
  const auto spare = [&](const TableColumn& one) { return one.share - kGives * size - one.mark; };  // can be given up
  const auto least = [&] {
    double sum = 0;
    for (const TableColumn& one : columns)
      sum += one.share - std::max(0.0, spare(one));
    return sum;
  };
  while (columns.size() > 1 && least() > room) {
    over -= columns.back().share;
    columns.pop_back();
  }
  while (over > 0) {  // a little at a time, from the widest
    TableColumn& most = *std::ranges::max_element(columns, {}, spare);
    if (spare(most) <= 0) break;
    const double step = std::min(over, 4.0);
    most.share -= step;
    over -= step;
  }
}

double TableView::textRoom(const Span& span, std::size_t column) const {
  constexpr double kRounding = 0.01;  // a text for which the column was made fits in spite of rounding
  return span.right - span.left - 2 * columns[column].pad - columns[column].mark + kRounding;
}

double TableView::mostScroll(const Place& place) const {
  return std::max(0.0, static_cast<double>(rows) * rowHeight(*place.theme) - body(place).height());
}

double TableView::reveal(const Place& place, double scroll, std::size_t row) const {
  const double height = rowHeight(*place.theme), top = static_cast<double>(row) * height;
  const double least = top + height - body(place).height();
  return std::clamp(std::clamp(scroll, std::min(least, top), top), 0.0, mostScroll(place));
}

std::optional<render::Point> TableView::middleOf(const Place& place, double scroll, std::size_t row,
                                                 std::size_t column) const {
  const render::Rect rowsBox = body(place);
  const double y = rowsBox.min.y + (static_cast<double>(row) + 0.5) * rowHeight(*place.theme) - scroll;
  if (row >= rows || column >= columns.size() || y < rowsBox.min.y || y > rowsBox.max.y) return std::nullopt;
  const Span span = spans(place)[column];
  return render::Point{(span.left + span.right) / 2, y};
}

void TableView::draw(std::vector<render::Item>& items, const Place& place, double scroll) const {
  const Theme& theme = *place.theme;
  const double height = rowHeight(theme), size = theme.smallSize;
  const render::Rect rowsBox = body(place);
  const std::vector<Span> columnSpans = spans(place);
  const auto cell = [&](std::size_t column, double y, const std::string& value, render::Color ink, double mark,
                        double more = 0) {
    const Span& span = columnSpans[column];
    const bool right = columns[column].right;
    const double room = textRoom(span, column) + columns[column].mark - mark + more;
    if (room < size) return;
    const double pad = columns[column].pad;
    items.emplace_back(textAt({right ? span.right - pad : span.left + pad + mark, y}, elided(value, size, room),
                              theme.smallSize, ink, right ? render::AlignX::Right : render::AlignX::Left));
  };
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(scroll / height)));
  const auto last = std::min(rows, static_cast<std::size_t>(std::ceil((scroll + rowsBox.height()) / height)));
  for (std::size_t row = first; row < last; ++row) {
    const double top = rowsBox.min.y + static_cast<double>(row) * height - scroll;
    // Only whole rows are drawn, so that no clipping is needed.
    if (top < rowsBox.min.y - 0.5 || top + height > rowsBox.max.y + 0.5) continue;
    const render::Rect line{{place.box.min.x, top}, {place.box.max.x - kBar, top + height}};
    if (!place.figure && (place.chosen == row || (chosen && chosen(row))))
      items.emplace_back(pageFill(line, theme.selectionMuted));
    else if (place.hovered == row)
      items.emplace_back(pageFill(line, theme.surfaceRaised));
    else if (row % 2 == 1)
      items.emplace_back(pageFill(line, faded(theme.surfaceRaised, 0.4f)));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (drawBehind)
        drawBehind(items, row, column, {{columnSpans[column].left, top}, {columnSpans[column].right, top + height}});
      if (drawMark && columns[column].mark > 0)
        drawMark(items, row, column, {columnSpans[column].left + columns[column].pad, top + height / 2});
      cell(column, top + height / 2, text(row, column), color ? color(row, column) : theme.text, columns[column].mark);
    }
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    std::size_t next = column + 1;  // a title extends over the following columns without a title
    while (!fitted && !columns[column].right && next < columns.size() && columns[next].title.empty())
      ++next;
    cell(column, place.box.min.y + height / 2, columns[column].title, theme.textMuted, 0,
         columnSpans[next - 1].right - columnSpans[column].right);
  }
  items.emplace_back(pageLine({place.box.min.x, rowsBox.min.y}, {place.box.max.x, rowsBox.min.y}, theme.border));
  const double all = static_cast<double>(rows) * height;
  if (all > rowsBox.height() && !place.figure) {
    const double span = std::max(14.0, rowsBox.height() * rowsBox.height() / all);
    const double top = rowsBox.min.y + (rowsBox.height() - span) * scroll / std::max(1.0, mostScroll(place));
    items.emplace_back(
        pageFill({{place.box.max.x - 5, top}, {place.box.max.x - 1, top + span}}, faded(theme.textMuted, 0.8f)));
  }
}

std::optional<std::size_t> TableView::rowAt(const Place& place, double scroll, render::Point page) const {
  const render::Rect rowsBox = body(place);
  if (!rowsBox.contains(page) || page.x > place.box.max.x - kBar) return std::nullopt;
  const double row = std::floor((page.y - rowsBox.min.y + scroll) / rowHeight(*place.theme));
  if (row < 0 || row >= static_cast<double>(rows)) return std::nullopt;
  return static_cast<std::size_t>(row);
}

std::optional<std::size_t> TableView::headAt(const Place& place, render::Point page) const {
  return place.box.contains(page) && page.y < body(place).min.y ? columnAt(place, page) : std::nullopt;
}

std::optional<std::size_t> TableView::columnAt(const Place& place, render::Point page) const {
  const std::vector<Span> columnSpans = spans(place);
  for (std::size_t column = 0; column < columns.size(); ++column)
    if (page.x >= columnSpans[column].left && page.x < columnSpans[column].right) return column;
  return std::nullopt;
}

std::optional<std::string> TableView::cutText(const Place& place, double scroll, render::Point page) const {
  const std::optional<std::size_t> row = rowAt(place, scroll, page);
  if (!row) return std::nullopt;
  const std::vector<Span> columnSpans = spans(place);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const Span& span = columnSpans[column];
    if (page.x < span.left || page.x >= span.right) continue;
    std::string value = text(*row, column);
    if (textWidth(value, place.theme->smallSize) > textRoom(span, column)) return value;
  }
  return std::nullopt;
}

}  // namespace sepx::ui
