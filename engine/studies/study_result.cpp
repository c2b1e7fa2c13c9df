// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/study_result.h"

#include <algorithm>
#include <string_view>

namespace sepx::studies {

bool Check::passed() const {
  const std::string_view sign = relation;
  if (sign == "<") return value < bound;
  if (sign == "<=") return value <= bound;
  if (sign == ">=") return value >= bound;
  return value == bound;
}

Verdict Check::verdict() const {
  if (notJudged != nullptr) return Verdict::NotJudged;
  return passed() ? Verdict::Holds : Verdict::Fails;
}

bool passed(std::span<const Check> checks) {
  return countOf(checks, Verdict::Fails) == 0;
}

std::size_t countOf(std::span<const Check> checks, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [=](const Check& check) { return check.verdict() == verdict; }));
}

Json rowsOf(const StudyTable& table, bool published) {
  Json rows = Json::array();
  for (const Row& row : table.rows) {
    if (row.published != published) continue;
    Json json = row.facts;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (!row.cells[i].value.is_null()) json[table.columns[i].key] = row.cells[i].value;
    rows.push_back(std::move(json));
  }
  return rows;
}

const StudyTable* StudyResult::pageTable() const {
  const auto found = std::find_if(tables.begin(), tables.end(), [](const StudyTable& table) { return table.onPage; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace sepx::studies
