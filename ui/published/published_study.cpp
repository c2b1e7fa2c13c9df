// SPDX-License-Identifier: Apache-2.0
// See published_study.h.
#include "ui/published/published_study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::Check;

namespace {

Verdict oneOf(const Check& check, Verdict yes, Verdict no) {
  const studies::Verdict verdict = check.verdict();
  return verdict == studies::Verdict::NotJudged ? Verdict::NotJudged : verdict == studies::Verdict::Holds ? yes : no;
}

/// "≥ 0.5"
std::string boundText(const Check& check) {
  const std::string_view sign = check.relation;
  const char* const shown = sign == ">=" ? "≥" : sign == "<=" ? "≤" : sign == "=" ? "=" : "<";
  return fmt::format("{} {:.4g}", shown, check.bound);
}

void addChecks(PublishedTable& table, const std::vector<Check>& checks) {
  for (const Check& check : checks)
    table.rows.push_back({{trFormat(check.what), trFormat("bound {}", boundText(check)), publishedNumber(check.value)},
                          verdictOf(check)});
}

/// What is told has the published observation in its words: "… (published: below 0)".
void addTold(PublishedTable& table, const std::vector<Check>& told, bool paperScale) {
  constexpr std::string_view kMark = "(published: ";
  for (const Check& check : told) {
    std::string what = trFormat(check.what), published = boundText(check);
    if (const std::size_t at = what.find(kMark); at != std::string::npos) {
      published = what.substr(at + kMark.size());
      if (published.ends_with(')')) published.pop_back();
      what.resize(at > 0 ? at - 1 : 0);
    }
    table.rows.push_back({{what, published, publishedNumber(check.value)}, comparisonOf(check, paperScale)});
  }
}

/// "characters, seed 0: " of every row goes into the title of the column.
void shareBeginning(PublishedTable& table) {
  if (table.rows.empty()) return;
  const std::string& first = table.rows.front().cells.front();
  const std::size_t end = first.find(": ");
  if (end == std::string::npos) return;
  const std::string beginning = first.substr(0, end + 2);
  const auto has = [&](const PublishedTable::Row& row) { return row.cells.front().starts_with(beginning); };
  if (!std::all_of(table.rows.begin(), table.rows.end(), has)) return;
  table.columns.front().title = beginning.substr(0, end);
  for (PublishedTable::Row& row : table.rows)
    row.cells.front().erase(0, beginning.size());
}

}  // namespace

Verdict verdictOf(const Check& judged) {
  return oneOf(judged, Verdict::Holds, Verdict::Fails);
}

Verdict comparisonOf(const Check& told, bool paperScale) {
  return paperScale ? oneOf(told, Verdict::AsPublished, Verdict::NotAsPublished)
                    : oneOf(told, Verdict::SeenHere, Verdict::NotSeenHere);
}

std::vector<std::string> checkLines(const std::vector<Check>& checks) {
  std::vector<std::string> lines;
  for (const Check& check : checks)
    lines.push_back(withShownNumbers(fmt::format("{}: {} ({}), {}", trFormat(check.what), publishedNumber(check.value),
                                                 boundText(check), verdictWords(verdictOf(check)))));
  return lines;
}

PublishedTable PublishedResult::table() const {
  PublishedTable table;
  table.columns = {{tr("number"), "number", 6, 4}, {tr("claim"), "claim", 1.4, 1.4}, {tr("here"), "here", 0.9, 1.1}};
  addChecks(table, checks());
  addTold(table, told(), paperScale());
  shareBeginning(table);
  return table;
}

std::string publishedNumber(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
}

std::string verdictWords(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return tr("holds");
    case Verdict::Fails:
      return tr("does not hold");
    case Verdict::NotJudged:
      return tr("not judged");
    case Verdict::AsPublished:
      return tr("as published");
    case Verdict::NotAsPublished:
      return tr("not as published");
    case Verdict::SeenHere:
      return tr("as the paper says");
    case Verdict::NotSeenHere:
      return tr("not as the paper says");
    default:
      return {};
  }
}

}  // namespace sepx::ui
