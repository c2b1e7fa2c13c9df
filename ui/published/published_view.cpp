// SPDX-License-Identifier: Apache-2.0
// See published_view.h.
#include "ui/published/published_view.h"

#include <algorithm>
#include <utility>

#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

/// "3 numbers are not judged: the threshold was set on this seed.", a line for each reason.
std::vector<std::string> whyNotJudged(const std::vector<studies::Check>& checks) {
  std::vector<std::pair<std::string_view, std::size_t>> reasons;
  for (const studies::Check& check : checks) {
    if (!check.notJudged) continue;
    const auto same = [&](const auto& reason) { return reason.first == check.notJudged; };
    const auto found = std::find_if(reasons.begin(), reasons.end(), same);
    if (found == reasons.end())
      reasons.emplace_back(check.notJudged, 1);
    else
      ++found->second;
  }
  std::vector<std::string> lines;
  for (const auto& [why, count] : reasons)
    lines.push_back(
        trEither(count == 1, "{} number is not judged: {}.", "{} numbers are not judged: {}.", count, tr(why.data())));
  return lines;
}

}  // namespace

PublishedWords publishedWords(const PublishedStudy& study, const PublishedResult* made, const std::string& failure,
                              const render::Rect& box, const Theme& theme) {
  PublishedWords words;
  double y = box.min.y + 0.5 * theme.textSize;
  const double width = box.width();
  const auto add = [&](const std::string& text, float size, render::Color color, bool bold) {
    const std::vector<std::string> lines = wrapped(text, size, width);
    if (y + 1.4 * static_cast<double>(size) * (static_cast<double>(lines.size()) - 0.5) > box.max.y) {
      y = box.max.y;  // nothing after what does not fit
      return;
    }
    for (const std::string& part : lines) {
      render::Label label = textAt({box.min.x, y}, part, size, color);
      label.bold = bold;
      words.items.emplace_back(std::move(label));
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
  const auto ended = [&] {
    words.height = std::min(y, box.max.y) - box.min.y;
    return std::move(words);
  };
  if (!failure.empty()) add(failure, theme.smallSize, theme.error, false);
  heading(trFormat("Published: {}", tr(study.title)));
  for (const char* const text : study.says)
    line(tr(text));
  const studies::Study* const described = studies::findStudy(study.id);
  if (!described) {
    if (*study.scale != '\0') line(tr(study.scale));
    return ended();
  }
  heading(tr("Here"));
  if (!made) {
    line(trFormat("Judged: {}", tr(described->claim)));
    return ended();
  }
  const std::vector<studies::Check> checks = made->checks(), told = made->told();
  if (const std::string setting = made->setting(); !setting.empty()) line(setting);
  const std::size_t holds = countOf(checks, studies::Verdict::Holds), fails = countOf(checks, studies::Verdict::Fails);
  if (holds + fails > 0) line(trFormat("{} of {} numbers checked are confirmed.", holds, holds + fails));
  for (const std::string& why : whyNotJudged(checks))
    line(why);
  if (holds + fails > 0 && *described->thresholds != '\0') line(tr(described->thresholds));
  if (!made->tableHasChecks())
    for (const std::string& text : checkLines(checks))
      line(text);
  const std::size_t alike = countOf(told, studies::Verdict::Holds), unlike = countOf(told, studies::Verdict::Fails);
  if (alike + unlike > 0)
    line(made->paperScale()
             ? trFormat("{} of {} observations of the paper come out as published.", alike, alike + unlike)
             : trFormat("{} of {} observations of the paper hold at this scale.", alike, alike + unlike));
  return ended();
}

namespace {

/// As it is exported; on the screen withShownNumbers().
std::string cellText(const PublishedTable& table, const PublishedTable::Row& row, std::size_t column) {
  if (column < row.cells.size()) return row.cells[column];
  if (column < table.columns.size()) return {};
  return row.published ? std::string(tr("published")) : verdictWords(row.verdict);
}

}  // namespace

TableView publishedTableView(const PublishedTable& table, bool narrow, const Theme& theme) {
  TableView view;
  const auto add = [&](const PublishedTable::Column& column) {
    view.columns.push_back({column.title, narrow ? column.narrow : column.share, column.number});
  };
  for (const PublishedTable::Column& column : table.columns)
    add(column);
  add(table.verdict);
  view.rows = table.rows.size();
  view.text = [table](std::size_t row, std::size_t column) {
    return withShownNumbers(cellText(table, table.rows[row], column));
  };
  view.color = [table, &theme](std::size_t row, std::size_t column) {
    const PublishedTable::Row& one = table.rows[row];
    if (one.published) return theme.textMuted;
    return column == table.columns.size() && one.verdict == Verdict::Fails ? theme.error : theme.text;
  };
  return view;
}

Numbers publishedNumbers(const PublishedTable& all) {
  Numbers numbers;
  if (all.rows.empty()) return numbers;
  Table made{all.name, {}};
  for (std::size_t column = 0; column <= all.columns.size(); ++column) {
    std::vector<std::string> cells;
    for (const PublishedTable::Row& row : all.rows)
      cells.push_back(cellText(all, row, column));
    const char* const key = column < all.columns.size() ? all.columns[column].key : all.verdict.key;
    made.columns.push_back({key, "", std::move(cells)});
  }
  numbers.tables.push_back(std::move(made));
  return numbers;
}

}  // namespace sepx::ui
