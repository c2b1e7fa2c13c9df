// SPDX-License-Identifier: Apache-2.0
// What people read of a study's result, translated: numbers, verdicts, the words of a check. The page of published
// studies and `sepx reproduce` say it alike. Pure.
#pragma once

#include <string>

#include "engine/studies/study_result.h"

namespace sepx::ui {

/// "holds", "does not hold", "not judged"; of an observation "as published" or, at another scale than the paper's, "as
/// the paper says".
std::string verdictWords(studies::Verdict verdict, bool observed = false, bool paperScale = true);
/// "characters, seed 3: the number (published: above 0)".
std::string checkWords(const studies::Check& check);
/// "≥ 0.5"
std::string boundWords(const studies::Check& check);
/// A cell as its column says. `onPage`: with the digits of a page, and "–" for what is not finite.
std::string cellWords(const studies::Column& column, const studies::Cell& cell, bool onPage);
/// "–" for no number.
std::string publishedNumber(double value);
/// What a page shows where a result has no table of its own: a row each check and observation with its bound or what
/// the paper reports, the number and the verdict.
studies::StudyTable checkTable(const studies::StudyResult& result);

}  // namespace sepx::ui
