// SPDX-License-Identifier: Apache-2.0
// See published_view.h.
#include "ui/exhibits/training/published/published_view.h"

#include <utility>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

std::vector<render::Item> publishedWords(const PublishedStudy& study, const PublishedResult* made,
                                         const std::string& failure, const render::Rect& box, const Theme& theme) {
  std::vector<render::Item> items;
  double y = box.min.y + 0.5 * theme.textSize;
  const double width = box.width();
  const auto add = [&](const std::string& text, float size, render::Color color, bool bold) {
    for (const std::string& part : wrapped(text, size, width)) {
      if (y > box.max.y) return;
      render::Label label = textAt({box.min.x, y}, part, size, color);
      label.bold = bold;
      items.emplace_back(std::move(label));
      y += 1.4 * static_cast<double>(size);
    }
  };
  const auto heading = [&](const std::string& text) {
    add(text, theme.textSize, theme.text, true);
    y += 0.2 * theme.textSize;
  };
  const auto line = [&](const std::string& text) {
    add(text, theme.smallSize, theme.text, false);
    y += 0.35 * theme.smallSize;
  };
  const studies::Study* const described = studies::findStudy(study.id);
  if (!failure.empty()) add(failure, theme.smallSize, theme.error, false);
  heading(trFormat("Published: {}", tr(study.title)));
  for (const char* const text : study.says)
    line(tr(text));
  heading(tr("Here"));
  const std::vector<studies::Check> checks = made ? made->checks() : std::vector<studies::Check>();
  const std::vector<studies::Check> told = made ? made->told() : std::vector<studies::Check>();
  if (made) line(trFormat("{} of {} judged numbers hold.", passedOf(checks), checks.size()));
  if (!told.empty())
    line(trFormat("{} of {} observations of the paper come out as published.", passedOf(told), told.size()));
  if (described && !made) line(trFormat("Judged: {}", tr(described->claim)));
  return items;
}

TableView publishedTableView(const PublishedTable& table, bool narrow, const Theme& theme) {
  TableView view;
  const bool losses = table.columns.size() > 3;
  static constexpr double kLosses[] = {2.4, 1, 1, 1, 1.5}, kNarrow[] = {4.4, 1.3, 0.8, 1.7},
                          kWide[] = {6.2, 1.2, 0.8, 1.4};
  const double* const shares = narrow ? kNarrow : kWide;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    view.columns.push_back({table.columns[i], losses ? kLosses[i] : shares[i], losses && i > 0});
  view.columns.push_back({"", losses ? kLosses[4] : shares[3]});
  view.rows = table.rows.size();
  view.text = [table](std::size_t row, std::size_t column) -> std::string {
    const PublishedTable::Row& one = table.rows[row];
    if (column < one.cells.size()) return one.cells[column];
    return one.published ? std::string(tr("published")) : verdictWords(one.verdict);
  };
  view.color = [table, &theme](std::size_t row, std::size_t column) {
    const PublishedTable::Row& one = table.rows[row];
    if (one.published) return theme.textMuted;
    return column == one.cells.size() && one.verdict == Verdict::Fails ? theme.error : theme.text;
  };
  return view;
}

Numbers publishedNumbers(const PublishedTable& all) {
  Numbers numbers;
  if (all.rows.empty()) return numbers;
  static constexpr const char* kLosses[] = {"model", "loss", "symmetric_loss", "speed_up", "verdict"};
  static constexpr const char* kChecks[] = {"number", "claim", "here", "verdict"};
  const bool losses = all.columns.size() > 3;
  Table made{losses ? "losses" : "verdicts", {}};
  for (std::size_t column = 0; column <= all.columns.size(); ++column) {
    std::vector<std::string> cells;
    for (const PublishedTable::Row& row : all.rows)
      cells.push_back(column < row.cells.size() ? row.cells[column]
                      : row.published           ? std::string(tr("published"))
                                                : verdictWords(row.verdict));
    made.columns.push_back({losses ? kLosses[column] : kChecks[column], "", std::move(cells)});
  }
  numbers.tables.push_back(std::move(made));
  return numbers;
}

}  // namespace sepx::ui
