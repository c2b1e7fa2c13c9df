// SPDX-License-Identifier: Apache-2.0
// A table as a view.
#include <algorithm>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kGroupPad = 8;  // points
constexpr double kGroups = 1.7;  // height of the names of groups, of the small type

class PlacedTable final : public PlacedView {
 public:
  PlacedTable(const TableContent& content, const ViewPlace& place)
      : content_(content), box_(place.box), theme_(place.theme), figure_(place.figure) {
    if (!content_.groups.empty()) box_.min.y += kGroups * theme_.smallSize;
    box_.max.y = std::max(box_.max.y, box_.min.y);
    table_.columns = content_.columns;
    table_.rows = content_.cells.size();
    table_.text = [this](std::size_t row, std::size_t column) { return content_.cells[row][column]; };
    table_.color = [this](std::size_t row, std::size_t column) {
      return content_.roles.empty() ? theme_.text : colorOf(content_.roles[row][column], theme_);
    };
  }

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    if (table_.rows == 0) return items;
    addGroups(items);
    table_.draw(items, look(), scroll_);
    addNotes(items);
    return items;
  }
  std::vector<render::Item> tip(render::Point at, const render::Rect& area) const override {
    std::vector<render::Item> items;
    if (const std::optional<std::string> cut = table_.cutText(look(), scroll_, at))
      addTip(items, at, {*cut}, area, theme_);
    return items;
  }
  std::optional<Changes> pick(const View& view, render::Point at) const override {
    const auto& pick = std::get<TableContent>(view.content).pick;
    const std::optional<std::size_t> row = pick ? table_.rowAt(look(), scroll_, at) : std::nullopt;
    return row ? std::optional(pick(*row)) : std::nullopt;
  }
  bool scroll(double points) override {
    const double before = scroll_;
    scroll_ = std::clamp(scroll_ - points, 0.0, table_.mostScroll(look()));
    return scroll_ != before;
  }

 private:
  TableView::Look look() const { return {&theme_, box_, content_.chosen, std::nullopt, figure_}; }
  void addGroups(std::vector<render::Item>& items) const;
  void addNotes(std::vector<render::Item>& items) const;

  TableContent content_;
  render::Rect box_;
  Theme theme_;
  bool figure_;
  TableView table_;
  double scroll_ = 0;
};

void PlacedTable::addGroups(std::vector<render::Item>& items) const {
  const float small = theme_.smallSize;
  double all = 0, before = 0;
  for (const TableColumn& column : content_.columns)
    all += column.share;
  std::size_t column = 0;
  for (; column < content_.groupsFrom; ++column)
    before += content_.columns[column].share;
  for (const TableGroup& group : content_.groups) {
    double share = 0;
    for (std::size_t i = 0; i < group.columns && column < content_.columns.size(); ++i, ++column)
      share += content_.columns[column].share;
    const double left = box_.min.x + box_.width() * before / all, width = box_.width() * share / all - kGroupPad;
    const std::string name = elided(group.entry.name, small, width - kSwatch - kAfterSwatch);
    const double at = left + kGroupPad + std::max(0.0, width - textWidth(name, small) - kSwatch - kAfterSwatch);
    addSwatch(items, {at, box_.min.y - 0.8 * small}, kSwatch, group.entry.look, theme_);
    items.emplace_back(
        textAt({at + kSwatch + kAfterSwatch, box_.min.y - 0.8 * small}, name, theme_.smallSize, theme_.text));
    before += share;
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

}  // namespace

std::unique_ptr<PlacedView> placeContent(const TableContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedTable>(content, place);
}

}  // namespace sepx::ui
