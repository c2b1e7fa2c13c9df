// SPDX-License-Identifier: Apache-2.0
// A view of a table.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kInset = 1.5;      // points, of a bar behind texts
constexpr double kGroupPad = 8;     // points
constexpr double kGroups = 1.7;     // height of the names of groups, multiple of the small type size
constexpr float kUnder = 0.06f;     // alpha of the highlight over the row under the pointer
constexpr double kWidestTip = 0.7;  // share of the width of the page

class PlacedTable final : public PlacedView {
 public:
  PlacedTable(const TableContent& content, const ViewPlace& place)
      : content_(content), box_(place.box), theme_(place.theme), figure_(place.figure) {
    if (!content_.groups.empty()) box_.min.y += kGroups * theme_.smallSize;
    box_.max.y = std::max(box_.max.y, box_.min.y);
    const bool pressed = !figure_ && (content_.pick || content_.pickCell || content_.pressed || content_.headsPressed);
    if (content_.make) {
      table_ = content_.make({box_, theme_, figure_});
      table_.pressed = pressed;
      return;
    }
    table_.pressed = pressed;
    table_.columns = content_.columns;
    table_.rows = content_.cells.size();
    table_.text = [this](std::size_t row, std::size_t column) { return content_.cells[row][column]; };
    table_.color = [this](std::size_t row, std::size_t column) {
      return content_.roles.empty() ? theme_.text : colorOf(content_.roles[row][column], theme_);
    };
    const auto& bars = content_.bars;
    if (std::any_of(bars.begin(), bars.end(), [](const TableBars& one) { return one.behind > 0; }))
      table_.drawBehind = [this](std::vector<render::Item>& items, std::size_t row, std::size_t column,
                                 const render::Rect& cell) { addBehind(items, row, column, cell); };
    if (!bars.empty())
      table_.drawMark = [this](std::vector<render::Item>& items, std::size_t row, std::size_t column,
                               render::Point left) { addBar(items, row, column, left); };
  }

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    if (table_.rows == 0) return items;
    spans_ = table_.spans(tablePlace());
    addGroups(items);
    table_.draw(items, tablePlace(), scroll_);
    addNotes(items);
    return items;
  }
  std::vector<render::Item> tip(const View& view, render::Point at, const render::Rect& area) const override {
    std::vector<render::Item> items;
    const auto& content = std::get<TableContent>(view.content);
    const std::optional<std::size_t> row =
        content.pick || content.pickCell || content.pressed ? table_.rowAt(tablePlace(), scroll_, at) : std::nullopt;
    if (const std::optional<render::Point> middle =
            row ? table_.middleOf(tablePlace(), scroll_, *row, 0) : std::nullopt) {
      const double half = table_.rowHeight(theme_) / 2;
      items.emplace_back(
          pageFill({{box_.min.x, middle->y - half}, {box_.max.x, middle->y + half}}, faded(theme_.text, kUnder)));
    }
    if (const std::optional<std::string> cut = table_.cutText(tablePlace(), scroll_, at))
      addTip(items, at, wrapped(*cut, theme_.smallSize, kWidestTip * area.width()), area, theme_);
    return items;
  }
  std::optional<Changes> pick(const View& view, render::Point at) const override {
    const auto& content = std::get<TableContent>(view.content);
    const std::optional<std::size_t> row = table_.rowAt(tablePlace(), scroll_, at),
                                     column = table_.columnAt(tablePlace(), at);
    if (row && column && content.pickCell) return content.pickCell(*row, *column);
    return row && content.pick ? std::optional(content.pick(*row)) : std::nullopt;
  }
  std::optional<Target> target(const View& view, render::Point at) const override {
    const auto& content = std::get<TableContent>(view.content);
    if (content.headsPressed)
      if (const std::optional<std::size_t> column = table_.headAt(tablePlace(), at)) return Target{*column, true};
    const std::optional<std::size_t> row = content.pressed ? table_.rowAt(tablePlace(), scroll_, at) : std::nullopt;
    return row ? std::optional(Target{*row}) : std::nullopt;
  }
  double height() const override {
    const double notes = static_cast<double>(content_.notes.size()), small = theme_.smallSize;
    return table_.height(theme_) + (content_.groups.empty() ? 0 : kGroups * small) +
           (notes > 0 ? (0.9 + kNoteLine * notes) * small : 0);
  }
  bool reveal(std::size_t row) override {
    return std::exchange(scroll_, table_.reveal(tablePlace(), scroll_, row)) != scroll_;
  }
  std::optional<ReadableView> read() const override;
  bool scroll(double points) override {
    const double before = scroll_;
    scroll_ = std::clamp(scroll_ - points, 0.0, table_.mostScroll(tablePlace()));
    return scroll_ != before;
  }
  void takeOver(const PlacedView& before) override {
    const auto* const table = dynamic_cast<const PlacedTable*>(&before);
    if (table && (content_.make || table->table_.rows == table_.rows)) scroll(-table->scroll_);
  }

 private:
  TableView::Place tablePlace() const { return {&theme_, box_, content_.chosen, std::nullopt, figure_}; }
  void addGroups(std::vector<render::Item>& items) const;
  void addBar(std::vector<render::Item>& items, std::size_t row, std::size_t column, render::Point left) const;
  void addBehind(std::vector<render::Item>& items, std::size_t row, std::size_t column, const render::Rect& cell) const;
  void addNotes(std::vector<render::Item>& items) const;

  TableContent content_;
  render::Rect box_;
  Theme theme_;
  bool figure_;
  TableView table_;
  mutable std::vector<TableView::Span> spans_;  ///< of the columns, while items are made
  double scroll_ = 0;
};

void PlacedTable::addGroups(std::vector<render::Item>& items) const {
  const float small = theme_.smallSize;
  std::size_t column = content_.groupsFrom;
  for (const TableGroup& group : content_.groups) {
    const std::size_t end = std::min(column + group.columns, spans_.size());
    if (end <= column) return;
    const double left = spans_[column].left, width = spans_[end - 1].right - left - kGroupPad;
    column = end;
    const std::string name = elided(group.entry.name, small, width - kSwatch - kAfterSwatch);
    const double at = left + kGroupPad + std::max(0.0, width - textWidth(name, small) - kSwatch - kAfterSwatch);
    addSwatch(items, {at, box_.min.y - 0.8 * small}, kSwatch, group.entry.look, theme_);
    items.emplace_back(
        textAt({at + kSwatch + kAfterSwatch, box_.min.y - 0.8 * small}, name, theme_.smallSize, theme_.text));
  }
}

void PlacedTable::addBar(std::vector<render::Item>& items, std::size_t row, std::size_t column,
                         render::Point left) const {
  const double thick = 0.32 * table_.rowHeight(theme_), room = content_.columns[column].mark - 4;
  for (const TableBars& bars : content_.bars) {
    if (bars.behind > 0 || bars.column != column || !std::isfinite(bars.lengths[row])) continue;
    const double length = bars.lengths[row], zero = bars.bothWays ? left.x + room / 2 : left.x;
    const double end = zero + length * (bars.bothWays ? room / 2 : room);
    items.emplace_back(pageFill({{std::min(zero, end), left.y - thick}, {std::max(zero, end) + 0.5, left.y + thick}},
                                length < 0 ? bars.below : bars.color));
    if (bars.bothWays)
      items.emplace_back(pageLine({zero, left.y - 1.5 * thick}, {zero, left.y + 1.5 * thick}, theme_.axisZero));
  }
}

void PlacedTable::addBehind(std::vector<render::Item>& items, std::size_t row, std::size_t column,
                            const render::Rect& cell) const {
  for (const TableBars& bars : content_.bars) {
    if (bars.behind == 0 || bars.column != column || !std::isfinite(bars.lengths[row])) continue;
    const std::size_t last = std::min(column + bars.behind, spans_.size()) - 1;
    const render::Rect room{{cell.min.x + kInset, cell.min.y + kInset},
                            {spans_[last].right - kInset, cell.max.y - kInset}};
    render::Rect bar = room;
    bar.max.x = room.min.x + std::clamp(bars.lengths[row], 0.0, 1.0) * room.width();
    items.emplace_back(pageFill(bar, bars.color));
    if (!bars.framed.empty() && bars.framed[row]) items.emplace_back(pageFrameLine(room, theme_.selection, 1.25F));
  }
}

void PlacedTable::addNotes(std::vector<render::Item>& items) const {
  const float small = theme_.smallSize;
  double y = box_.min.y + table_.height(theme_) + 0.9 * small;
  for (const NoteLine& line : content_.notes) {
    if (y + 0.6 * small >= box_.max.y) return;
    items.emplace_back(
        textAt({box_.min.x + 4, y}, lineText(line, small, box_.width() - 4), small, colorOf(line.role, theme_)));
    y += kNoteLine * small;
  }
}

std::optional<ReadableView> PlacedTable::read() const {
  ReadableView view;
  view.role = ReadableView::Role::Table;
  view.label = tr("Table");
  view.description = trFormat("table of {} rows and {} columns", table_.rows, table_.columns.size());
  view.rows = table_.rows;
  view.cells = [this](std::size_t) { return table_.columns.size(); };
  view.text = [this](std::size_t row, std::size_t column) {
    const std::string& title = table_.columns[column].title;
    return (title.empty() ? std::string() : title + ": ") + table_.text(row, column);
  };
  view.place = [this](std::size_t row, std::size_t column) {
    return table_.middleOf(tablePlace(), scroll_, row, column);
  };
  view.at = [this](render::Point data) -> std::optional<render::Point> {
    if (data.x < 0 || data.y < 0 || data.x >= static_cast<double>(table_.columns.size())) return std::nullopt;
    return table_.middleOf(tablePlace(), scroll_, static_cast<std::size_t>(data.y), static_cast<std::size_t>(data.x));
  };
  return view;
}

}  // namespace

double neededWidth(const TableContent& content, const Theme& theme, TableView::Needs needs) {
  if (content.make) return 0;
  TableView table;
  table.columns = content.columns;
  table.rows = content.cells.size();
  table.text = [&content](std::size_t row, std::size_t column) { return content.cells[row][column]; };
  return table.neededWidth(theme, needs);
}

std::unique_ptr<PlacedView> placeContent(const TableContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedTable>(content, place);
}

}  // namespace sepx::ui
