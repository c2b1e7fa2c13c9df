// SPDX-License-Identifier: Apache-2.0
// See published_view.h.
#include "ui/published/published_view.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/published/gallery.h"
#include "ui/published/shown_text.h"
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

TextContent publishedWords(const studies::Study& study, const studies::StudyResult* made, const std::string& failure) {
  TextContent words;
  const auto add = [&words](std::string text, NoteLine::Role role) {
    words.lines.push_back({{shownText(text)}, role});
  };
  const auto heading = [&add](std::string text) { add(std::move(text), NoteLine::Role::Heading); };
  const auto line = [&add](std::string text) { add(std::move(text), NoteLine::Role::Normal); };
  if (!failure.empty()) add(failure, NoteLine::Role::Error);
  heading(trFormat("Published: {}", studyName(study)));
  for (const char* const text : study.says)
    line(tr(text));
  if (study.says.empty()) line(trFormat("{} Judged: {}", sentenceCase(tr(study.title)), tr(study.claim)));
  if (!study.compute) {
    if (*study.scale != '\0') line(tr(study.scale));
    if (study.ofCheckpoints)
      line(trFormat("The study measures checkpoints that you name: sepx reproduce {} CHECKPOINT…", study.id));
    return words;
  }
  heading(tr("Here"));
  if (!made) {
    line(study.says.empty() ? trFormat("The study has not been run in this window.")
                            : trFormat("Judged: {}", tr(study.claim)));
    return words;
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
  return words;
}

std::vector<std::string> linesBesideTable(const studies::StudyResult& made) {
  std::vector<std::string> lines;
  if (!made.pageTable() || made.onlyChecks) return lines;
  for (const studies::Check& check : made.checks)
    lines.push_back(shownText(fmt::format("{}: {} ({}), {}", checkWords(check), publishedNumber(check.value),
                                          boundWords(check), verdictWords(check.verdict()))));
  return lines;
}

studies::StudyTable publishedTable(const studies::Study& study, const studies::StudyResult* made) {
  if (!made) return study.printed ? study.printed() : studies::StudyTable();
  return made->pageTable() ? *made->pageTable() : checkTable(*made);
}

namespace {

/// The text of a cell as it is exported; the screen shows it through shownText().
std::string cellText(const studies::StudyTable& table, const studies::Row& row, std::size_t column) {
  if (column < row.cells.size() && column < table.columns.size())
    return cellWords(table.columns[column], row.cells[column], true);
  if (column < table.columns.size() || (!row.published && !row.verdict)) return {};
  return row.published ? std::string(tr("published")) : verdictWords(*row.verdict, row.observed, table.paperScale);
}

/// The table with only those columns that a page shows.
studies::StudyTable shownColumns(studies::StudyTable table) {
  std::erase_if(table.columns, [](const studies::Column& column) { return !column.shown; });
  return table;
}

}  // namespace

TableContent publishedRows(const studies::StudyTable& all, bool narrow) {
  using Role = NoteLine::Role;
  const studies::StudyTable table = shownColumns(all);
  TableContent made;
  for (const studies::Column& column : table.columns)
    made.columns.push_back({column.brief ? std::string(tr(column.brief)) : trFormat(column.title),
                            narrow && column.narrow > 0 ? column.narrow : column.share, column.width > 0});
  made.columns.push_back({"", narrow ? table.narrowVerdict : table.verdict, false});
  for (const studies::Row& row : table.rows) {
    std::vector<std::string>& cells = made.cells.emplace_back();
    for (std::size_t column = 0; column < made.columns.size(); ++column)
      cells.push_back(shownText(cellText(table, row, column)));
    made.roles.emplace_back(cells.size(), row.published ? Role::Muted : Role::Normal);
    const bool fails = row.verdict == studies::Verdict::Fails && !row.observed;
    if (fails && !row.published) made.roles.back().back() = Role::Error;
  }
  return made;
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
