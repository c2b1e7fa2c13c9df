// SPDX-License-Identifier: Apache-2.0
// A study's result as a text for people.
#include "app/cli/study_text.h"

#include "app/cli/text.h"
#include "ui/properties/errata.h"
#include "ui/published/study_words.h"

namespace sepx::app::cli {

namespace {

using studies::Check;
using studies::Column;
using studies::Row;
using studies::StudyResult;
using studies::StudyTable;

/// `text` right-aligned in `width` characters; left-aligned if `width` is negative.
std::string padded(const std::string& text, int width) {
  return width >= 0 ? fmt::format("{:>{}}", text, width) : fmt::format("{:<{}}", text, -width);
}

/// One line of cells; `cell(i)` is the text of column i.
template <class CellOf>
std::string line(const StudyTable& table, std::size_t cells, const CellOf& cell) {
  std::string text(static_cast<std::size_t>(table.indent), ' ');
  for (std::size_t i = 0; i < cells; ++i) {
    const Column& column = table.columns[i];
    if (column.shown) text += std::string(static_cast<std::size_t>(column.gap), ' ') + padded(cell(i), column.width);
  }
  return text;
}

std::string rowLine(const StudyTable& table, const Row& row) {
  const std::string text = line(table, row.cells.size(), [&](std::size_t i) {
    const std::string words = ui::cellWords(table.columns[i], row.cells[i], false);
    return i == 0 && row.published ? trf(N_("{}, published"), words) : words;
  });
  return text + (row.note.empty() ? "" : "  " + row.note) + "\n";
}

std::string tableText(const StudyTable& table) {
  std::string text;
  if (*table.heading.pattern != '\0') text += trf(table.heading) + "\n";
  if (table.titles && !table.columns.empty())
    text += line(table, table.columns.size(), [&](std::size_t i) { return trf(table.columns[i].title); }) + "\n";
  for (const Row& row : table.rows)
    text += rowLine(table, row);
  for (const Sentence& note : table.notes)
    text += trf(note) + "\n";
  return text;
}

std::string verdictWord(const Check& check, bool observed, bool paperScale) {
  if (!observed && check.verdict() == studies::Verdict::Fails) return tr(N_("DOES NOT HOLD"));
  return ui::verdictWords(check.verdict(), observed, paperScale);
}

std::string checkLines(const std::vector<Check>& checks, bool observed, bool paperScale) {
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("  {:>8.3g}  {:<21} {}", check.value, verdictWord(check, observed, paperScale),
                        ui::checkWords(check));
    text += check.notJudged ? fmt::format(": {}\n", tr(check.notJudged)) : "\n";
  }
  return text;
}

std::string judgedLines(const StudyResult& result) {
  std::string text = tr(result.study->claim) + std::string("\n");
  if (*result.study->thresholds != '\0') text += tr(result.study->thresholds) + std::string("\n");
  text += checkLines(result.checks, false, true);
  if (judgedOf(result.checks) == 0) text += std::string(tr(N_("Nothing was judged."))) + "\n";
  return text;
}

std::string observationLines(const StudyResult& result) {
  if (result.observations.empty()) return {};
  return "\n" +
         std::string(tr(result.paperScale
                            ? N_("Observations that the paper reports, here:")
                            : N_("Observations that the paper reports for larger models, at this scale:"))) +
         "\n" + checkLines(result.observations, true, result.paperScale);
}

/// Checks with their bounds and points by chain, and the errata that correct the claim.
std::string checksAloneText(const StudyResult& result) {
  std::string text;
  double p = 0, q = 0;
  for (const Check& check : result.checks) {
    if (check.p != p || check.q != q) text += fmt::format("\np = {}, q = {}\n", check.p, check.q);
    p = check.p;
    q = check.q;
    text += fmt::format("  {:>10.3g} {} {:<8.3g} {:<13} {} ({})\n", check.value, check.relation, check.bound,
                        verdictWord(check, false, true), ui::checkWords(check),
                        counted(check.points, N_("{} point"), N_("{} points")));
  }
  for (const char* id : result.study->corrected)
    if (const ui::Erratum* erratum = ui::findErratum(id))
      text += fmt::format("\n{} ({}): {}, {}", ui::kindName(erratum->kind), id, ui::paperName(erratum->paper),
                          tr(erratum->place));
  return text + (result.study->corrected.empty() ? "" : "\n");
}

}  // namespace

std::string studyText(const StudyResult& result) {
  std::string text;
  for (const Sentence& one : result.head)
    text += trf(one) + "\n";
  for (const StudyTable& table : result.tables)
    if (table.inText) text += (table.apart && !text.empty() ? "\n" : "") + tableText(table);
  if (result.onlyChecks) return text + checksAloneText(result);
  text += "\n" + judgedLines(result) + observationLines(result);
  for (const Sentence& one : result.closing)
    text += trf(one) + "\n";
  return text;
}

}  // namespace sepx::app::cli
