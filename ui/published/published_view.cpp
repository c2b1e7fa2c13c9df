// SPDX-License-Identifier: Apache-2.0
// See published_view.h.
#include "ui/published/published_view.h"

#include <algorithm>
#include <utility>

#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/published/study_words.h"
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

PublishedWords publishedWords(const studies::Study& study, const studies::StudyResult* made, const std::string& failure,
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
  heading(trFormat("Published: {}", tr(study.label)));
  for (const char* const text : study.says)
    line(tr(text));
  if (!study.compute) {
    if (*study.scale != '\0') line(tr(study.scale));
    return ended();
  }
  heading(tr("Here"));
  if (!made) {
    line(trFormat("Judged: {}", tr(study.claim)));
    return ended();
  }
  if (*made->setting.pattern != '\0') line(trFormat(made->setting));
  const std::size_t judged = judgedOf(made->checks);
  if (judged > 0)
    line(trFormat("{} of {} numbers checked hold.", countOf(made->checks, studies::Verdict::Holds), judged));
  for (const std::string& why : whyNotJudged(made->checks))
    line(why);
  if (judged > 0 && *study.thresholds != '\0') line(tr(study.thresholds));
  for (const std::string& text : linesBesideTable(*made))
    line(text);
  if (const std::size_t compared = judgedOf(made->observations); compared > 0)
    line(trEither(made->paperScale, "{} of {} observations of the paper come out as published.",
                  "{} of {} observations of the paper hold at this scale.",
                  countOf(made->observations, studies::Verdict::Holds), compared));
  return ended();
}

std::vector<std::string> linesBesideTable(const studies::StudyResult& made) {
  std::vector<std::string> lines;
  if (!made.pageTable() || made.checksAlone) return lines;
  for (const studies::Check& check : made.checks)
    lines.push_back(withShownNumbers(fmt::format("{}: {} ({}), {}", checkWords(check), publishedNumber(check.value),
                                                 boundWords(check), verdictWords(check.verdict()))));
  return lines;
}

studies::StudyTable publishedTable(const studies::Study& study, const studies::StudyResult* made) {
  if (!made) return study.printed ? study.printed() : studies::StudyTable();
  return made->pageTable() ? *made->pageTable() : checkTable(*made);
}

namespace {

/// As it is exported; on the screen withShownNumbers().
std::string cellText(const studies::StudyTable& table, const studies::Row& row, std::size_t column) {
  if (column < row.cells.size() && column < table.columns.size())
    return cellWords(table.columns[column], row.cells[column], true);
  if (column < table.columns.size() || (!row.published && !row.verdict)) return {};
  return row.published ? std::string(tr("published")) : verdictWords(*row.verdict, row.observed, table.paperScale);
}

/// The rows with the columns that a page has.
studies::StudyTable shownColumns(studies::StudyTable table) {
  std::erase_if(table.columns, [](const studies::Column& column) { return !column.shown; });
  return table;
}

}  // namespace

TableView publishedTableView(const studies::StudyTable& all, bool narrow, const Theme& theme) {
  const studies::StudyTable table = shownColumns(all);
  TableView view;
  for (const studies::Column& column : table.columns)
    view.columns.push_back({column.brief ? std::string(tr(column.brief)) : trFormat(column.title),
                            narrow && column.narrow > 0 ? column.narrow : column.share, column.width > 0});
  view.columns.push_back({"", narrow ? table.narrowVerdict : table.verdict, false});
  view.rows = table.rows.size();
  view.text = [table](std::size_t row, std::size_t column) {
    return withShownNumbers(cellText(table, table.rows[row], column));
  };
  view.color = [table, &theme](std::size_t row, std::size_t column) {
    const studies::Row& one = table.rows[row];
    if (one.published) return theme.textMuted;
    const bool fails = one.verdict == studies::Verdict::Fails && !one.observed;
    return column == table.columns.size() && fails ? theme.error : theme.text;
  };
  return view;
}

Numbers publishedNumbers(const studies::StudyTable& all) {
  Numbers numbers;
  if (all.rows.empty()) return numbers;
  const studies::StudyTable table = shownColumns(all);
  Table made{table.name, {}};
  for (std::size_t column = 0; column <= table.columns.size(); ++column) {
    std::vector<std::string> cells;
    for (const studies::Row& row : table.rows)
      cells.push_back(cellText(table, row, column));
    made.columns.push_back(
        {column < table.columns.size() ? table.columns[column].key : "verdict", "", std::move(cells)});
  }
  numbers.tables.push_back(std::move(made));
  return numbers;
}

}  // namespace sepx::ui
