// SPDX-License-Identifier: Apache-2.0
// The tables of the page Library: the runs with the columns that were chosen, and what differs between runs.
#include <algorithm>
#include <memory>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/library/library_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {
constexpr double kTextPad = 13;  // points beside the text of a column
}

TableView::Look LibraryPage::look(const RaceFrame& frame) const {
  return {&frame.theme, body(frame), std::nullopt, std::nullopt, frame.figure};
}

/// Columns are as wide as the texts of the first rows and of their heads need. Where that is too much, the widest give;
/// where that is not enough, the last ones go.
void LibraryPage::layColumns(const TableView& table, const Theme& theme, double width) const {
  constexpr std::size_t kLookedAt = 40;
  constexpr double kLeast = 3, kMost = 22, kGives = 9;  // sizes of the text
  LayerKey key = keyWith({}, view_.revision(), theme.smallSize, width);
  if (key == sharesOf_) return;
  sharesOf_ = std::move(key);
  shares_.clear();
  double over = 8 - width;  // the scroll bar
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    double widest = textWidth(table.columns[column].title, theme.smallSize);
    for (std::size_t row = 0; row < std::min(table.rows, kLookedAt); ++row)
      widest = std::max(widest, textWidth(table.text(row, column), theme.smallSize));
    shares_.push_back(std::clamp(widest, kLeast * theme.smallSize, kMost * theme.smallSize) +
                      table.columns[column].mark + kTextPad);
    over += shares_.back();
  }
  const double gives = kGives * theme.smallSize;
  const auto spare = [&](std::size_t column) {  // what it can give
    return shares_[column] - gives - (column == 0 ? table.columns[0].mark : 0);
  };
  const auto least = [&] {
    double sum = 0;
    for (std::size_t column = 0; column < shares_.size(); ++column)
      sum += shares_[column] - std::max(0.0, spare(column));
    return sum;
  };
  while (shares_.size() > 1 && least() > width - 8) {  // the last columns have no room
    over -= shares_.back();
    shares_.pop_back();
  }
  while (over > 0) {  // a little at a time, from the widest
    std::size_t most = 0;
    for (std::size_t column = 1; column < shares_.size(); ++column)
      if (spare(column) > spare(most)) most = column;
    if (spare(most) <= 0) break;
    const double step = std::min(over, 4.0);
    shares_[most] -= step;
    over -= step;
  }
}

TableView LibraryPage::table(const Theme& theme, double width) const {
  TableView table;
  const train::RunFields& fields = view_.fields();
  const auto head = [&](std::size_t field) {
    const std::string arrow = field != view_.sortField() ? "" : state_.descending ? " ↓" : " ↑";
    return headOf(fields.keys()[field]) + arrow;
  };
  table.columns.push_back({.title = head(fields.find("folder").value_or(0)), .mark = kSparkWidth + 10});
  for (const std::size_t field : view_.columns())
    table.columns.push_back({.title = head(field), .right = fields.isNumber(field)});
  table.rows = view_.shown().size();
  table.text = [this](std::size_t row, std::size_t column) {
    const train::RunSummary& run = *view_.shown()[row];
    if (column == 0) return view_.nameOf(run);
    const std::size_t field = view_.columns()[column - 1];
    return valueWords(view_.fields().keys()[field], view_.fields().of(run, field));
  };
  layColumns(table, theme, width);
  table.columns.resize(shares_.size());
  double all = 0;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    all += table.columns[column].share = shares_[column];
  const double room = shares_[0] * (width - 8) / all - table.columns[0].mark - kTextPad;
  table.text = [text = std::move(table.text), room, size = theme.smallSize](std::size_t row, std::size_t column) {
    return column == 0 ? shortenedName(text(row, column), size, room) : text(row, column);
  };
  return table;
}

/// What stands under the pointer and did not fit.
std::optional<std::string> LibraryPage::cutText(const RaceFrame& frame) const {
  if (!frame.pointer || state_.look == LibraryLook::Cards || state_.look == LibraryLook::Sweep) return std::nullopt;
  const TableView shown = state_.look == LibraryLook::Table ? table(frame.theme, body(frame).width()) : differences();
  return shown.columns.empty() ? std::nullopt : shown.cutText(look(frame), scroll_, *frame.pointer);
}

/// A row a field; of two runs also how much a metric differs.
TableView LibraryPage::differences() const {
  TableView table;
  const train::RunList& chosen = view_.chosen();
  if (chosen.size() < 2) return table;
  struct Row {
    std::string head;
    std::vector<std::string> values;
    bool metric = false;
  };
  auto rows = std::make_shared<std::vector<Row>>();
  const bool two = chosen.size() == 2;
  for (const train::RunDifference& one : train::whatDiffers(chosen)) {
    Row& row = rows->emplace_back(Row{one.key, {}, one.metric});
    for (const train::RunValue& value : one.values)
      row.values.push_back(valueWords(one.key, value));
    const auto *const a = std::get_if<double>(&one.values[0]), *const b = std::get_if<double>(&one.values[1]);
    if (two) row.values.push_back(one.metric && a && b ? formatReading(*b - *a) : "");
  }
  table.columns.push_back({.title = tr("field, final metric"), .share = 1.4});
  for (const auto& run : chosen)
    table.columns.push_back({.title = view_.nameOf(*run), .share = 1, .right = true});
  if (two) table.columns.push_back({.title = tr("second less first"), .share = 0.8, .right = true});
  table.rows = rows->size();
  table.text = [rows](std::size_t row, std::size_t column) {
    return column == 0 ? (*rows)[row].head : (*rows)[row].values[column - 1];
  };
  return table;
}

}  // namespace sepx::ui
