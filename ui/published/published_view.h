// SPDX-License-Identifier: Apache-2.0
// Content for one study on a page of published studies: the claims of the paper and the results computed here in words,
// the rows as a table for the screen, and as numbers of an exported figure. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// `made`: null before the study is computed. `failure`: one sentence, or empty.
TextContent publishedWords(const studies::Study& study, const studies::StudyResult* made, const std::string& failure);
/// One line per check if the rows of the table are not the checks; otherwise none.
std::vector<std::string> linesBesideTable(const studies::StudyResult& made);
/// The rows of a result; before there is one, the rows that the paper prints. May be empty.
studies::StudyTable publishedTable(const studies::Study& study, const studies::StudyResult* made);
/// `narrow`: beside the words and below charts.
TableContent publishedRows(const studies::StudyTable& table, bool narrow);
/// Empty if there are no rows.
Numbers publishedNumbers(const studies::StudyTable& all);

}  // namespace sepx::ui
