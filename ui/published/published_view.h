// SPDX-License-Identifier: Apache-2.0
// What a page of published studies shows of one: what the paper says and what came out here in words, the rows as a
// table on the screen, and as numbers of an exported figure. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// `made`: null before the study was computed. `failure`: one sentence, or empty.
TextContent publishedWords(const studies::Study& study, const studies::StudyResult* made, const std::string& failure);
/// A line each check, where the table's rows are not what is judged; else none.
std::vector<std::string> linesBesideTable(const studies::StudyResult& made);
/// The rows of a result, or what the paper prints before there is one; without rows: neither.
studies::StudyTable publishedTable(const studies::Study& study, const studies::StudyResult* made);
/// `narrow`: beside the words, below charts.
TableContent publishedRows(const studies::StudyTable& table, bool narrow);
/// Empty where there are no rows.
Numbers publishedNumbers(const studies::StudyTable& all);

}  // namespace sepx::ui
