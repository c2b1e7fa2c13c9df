// SPDX-License-Identifier: Apache-2.0
// The translated words of a study's result: numbers, verdicts and checks, shared by the page of published studies and
// `sepx reproduce`. Pure.
#pragma once

#include <string>

#include "engine/studies/study_result.h"

namespace sepx::ui {

/// "holds", "does not hold", "not judged". For an observation "as published" or, if the scale is not that of the paper,
/// "as the paper says".
std::string verdictWords(studies::Verdict verdict, bool observed = false, bool paperScale = true);
/// "characters, seed 3: the number (published: above 0)".
std::string checkWords(const studies::Check& check);
/// "≥ 0.5"
std::string boundWords(const studies::Check& check);
/// The text of a cell in the format of its column. `onPage`: with the digits for a page, and "–" for a value that is
/// not finite.
std::string cellWords(const studies::Column& column, const studies::Cell& cell, bool onPage);
/// The number as text; "–" if it is not finite.
std::string publishedNumber(double value);
/// The table of a page for a result without a table of its own: one row per check and observation with its bound or the
/// paper's statement, the number and the verdict.
studies::StudyTable checkTable(const studies::StudyResult& result);

}  // namespace sepx::ui
