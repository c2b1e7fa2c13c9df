// SPDX-License-Identifier: Apache-2.0
#include "ui/published/study_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::Check;
using studies::Verdict;

namespace {

bool isThere(const Sentence& words) {
  return *words.pattern != '\0';
}

/// Adds one row per check. `shared` is the subject of all checks and the title of the first column.
void addChecks(studies::StudyTable& table, const std::vector<Check>& checks, bool observed, const std::string& shared) {
  for (const Check& check : checks) {
    const std::string about = isThere(check.about) ? trFormat(check.about) : std::string();
    const std::string what = trFormat(check.what);
    studies::Row& row = table.rows.emplace_back();
    row.cells = {studies::Cell(about == shared ? what : about + ": " + what),
                 studies::Cell(!observed                  ? trFormat("bound {}", boundWords(check))
                               : isThere(check.published) ? trFormat(check.published)
                                                          : boundWords(check)),
                 studies::Cell(publishedNumber(check.value))};
    row.verdict = check.verdict();
    row.observed = observed;
  }
}

}  // namespace

std::string verdictWords(Verdict verdict, bool observed, bool paperScale) {
  if (verdict == Verdict::NotJudged) return tr("not judged");
  const bool holds = verdict == Verdict::Holds;
  if (!observed) return holds ? tr("holds") : tr("does not hold");
  if (paperScale) return holds ? tr("as published") : tr("not as published");
  return holds ? tr("as the paper says") : tr("not as the paper says");
}

std::string checkWords(const Check& check) {
  std::string words = trFormat(check.what);
  if (isThere(check.about)) words = trFormat(check.about) + ": " + words;
  return isThere(check.published) ? trFormat("{} (published: {})", words, trFormat(check.published)) : words;
}

std::string boundWords(const Check& check) {
  const std::string_view sign = check.relation;
  const char* const shown = sign == ">=" ? "≥" : sign == "<=" ? "≤" : sign == "=" ? "=" : "<";
  return fmt::format("{} {:.4g}", shown, check.bound);
}

std::string cellWords(const studies::Column& column, const studies::Cell& cell, bool onPage) {
  if (isThere(cell.words) || !cell.value.is_number()) return isThere(cell.words) ? trFormat(cell.words) : std::string();
  if (!cell.value.is_number_float()) return std::to_string(cell.value.get<std::int64_t>());
  const double value = cell.value.get<double>();
  if (std::isnan(value) || (onPage && !std::isfinite(value))) return "–";
  if (column.form == '%') return fmt::format("{:.0f} %", 100 * value);
  const int digits = onPage && column.briefDigits >= 0 ? column.briefDigits : column.digits;
  return column.form == 'g' ? fmt::format("{:.{}g}", value, digits) : fmt::format("{:.{}f}", value, digits);
}

std::string publishedNumber(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
}

studies::StudyTable checkTable(const studies::StudyResult& result) {
  std::string shared;
  const std::vector<Check>& first = result.checks.empty() ? result.observations : result.checks;
  if (!first.empty() && isThere(first.front().about)) {
    shared = trFormat(first.front().about);
    for (const std::vector<Check>* const all : {&result.checks, &result.observations})
      if (!std::all_of(all->begin(), all->end(), [&](const Check& check) { return trFormat(check.about) == shared; }))
        shared.clear();
  }
  studies::StudyTable table;
  table.name = "verdicts";
  table.paperScale = result.paperScale;
  table.columns = {{.key = "number",
                    .title = shared.empty() ? Sentence(N_("number")) : sentence("{}", shared),
                    .share = 6,
                    .narrow = 4},
                   {.key = "claim", .title = N_("claim"), .share = 1.4},
                   {.key = "here", .title = N_("here"), .share = 0.9, .narrow = 1.1}};
  addChecks(table, result.checks, false, shared);
  addChecks(table, result.observations, true, shared);
  return table;
}

}  // namespace sepx::ui
