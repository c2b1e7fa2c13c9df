// SPDX-License-Identifier: Apache-2.0
// What a page of published studies shows of one: what the paper says and what came out here in words, the rows as a
// table on the screen, and as numbers of an exported figure. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "ui/plots/table.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

struct PublishedWords {
  std::vector<render::Item> items;
  double height = 0;  ///< taken, points
};
/// `made`: null before the study was computed. `failure`: one sentence, or empty. What does not fit into `box` is left
/// out.
PublishedWords publishedWords(const studies::Study& study, const studies::StudyResult* made, const std::string& failure,
                              const render::Rect& box, const Theme& theme);
/// A line each check, where the table's rows are not what is judged; else none.
std::vector<std::string> linesBesideTable(const studies::StudyResult& made);
/// The rows of a result, or what the paper prints before there is one; without rows: neither.
studies::StudyTable publishedTable(const studies::Study& study, const studies::StudyResult* made);
/// `narrow`: beside the words, below charts. `theme` must outlive the table.
TableView publishedTableView(const studies::StudyTable& table, bool narrow, const Theme& theme);
/// Empty where there are no rows.
Numbers publishedNumbers(const studies::StudyTable& all);

}  // namespace sepx::ui
