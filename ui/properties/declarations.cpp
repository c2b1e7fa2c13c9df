// SPDX-License-Identifier: Apache-2.0
// Adds the shared attributes of a table to its rows and declares them.
#include "ui/properties/declarations.h"

#include "ui/properties/tr.h"

namespace sepx::ui {

Condition both(Condition a, Condition b) {
  if (!a) return b;
  if (!b) return a;
  return [a = std::move(a), b = std::move(b)](const Document& document) { return a(document) && b(document); };
}

Condition whenOn(std::string key, bool fallback) {
  return [key = std::move(key), fallback](const Document& document) {
    const Json& value = document.at(key);
    return value.is_boolean() ? value.get<bool>() : fallback;
  };
}

namespace {

template <class Row>
void fill(Row& row, const Common& common) {
  row.key.insert(0, common.prefix);
  row.applies = both(common.applies, std::move(row.applies));
  if (row.equation.empty()) row.equation = common.equation;
  if (row.errata.empty()) row.errata = common.errata;
  const bool card = !row.formula.empty() || !row.errata.empty();
  if (card && !row.formulaApplies) row.formulaApplies = common.formulaApplies;
  row.detail = row.detail || common.detail;
}

}  // namespace

void declareParameters(PropertyRegistry& registry, const Common& common, std::vector<Property> rows) {
  for (Property& row : rows) {
    fill(row, common);
    row.undoable = row.undoable && common.undoable;
    registry.declare(std::move(row));
  }
}

void declareReadOuts(PropertyRegistry& registry, const Common& common, std::vector<ReadOut> rows) {
  for (ReadOut& row : rows) {
    fill(row, common);
    if (!row.numberWords) row.numberWords = common.numberWords;
    if (common.subject)
      row.liveLabel = [subject = common.subject, label = row.label](const Document&) {
        return subject() + ": " + tr(label);
      };
    registry.declare(std::move(row));
  }
}

}  // namespace sepx::ui
