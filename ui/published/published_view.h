// SPDX-License-Identifier: Apache-2.0
// What a page of published studies shows of one: what the paper says and what came out here in words, the rows as a
// table on the screen, and as numbers of an exported figure. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/plots/table.h"
#include "ui/published/published_study.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

struct PublishedWords {
  std::vector<render::Item> items;
  double height = 0;  ///< taken, points
};
/// `made`: null before the study was computed. `failure`: one sentence, or empty. What does not fit into `box` is left
/// out.
PublishedWords publishedWords(const PublishedStudy& study, const PublishedResult* made, const std::string& failure,
                              const render::Rect& box, const Theme& theme);
/// `narrow`: beside the words, below charts. `theme` must outlive the table.
TableView publishedTableView(const PublishedTable& table, bool narrow, const Theme& theme);
/// Empty where there are no rows.
Numbers publishedNumbers(const PublishedTable& all);

}  // namespace sepx::ui
