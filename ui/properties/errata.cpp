// SPDX-License-Identifier: Apache-2.0
// Builds the list of all errata once, and the names of its kinds.
#include "ui/properties/errata.h"

#include <algorithm>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

const char* paperName(Paper paper) {
  return referenceOf(paper).name;
}

const char* kindName(ErratumKind kind) {
  switch (kind) {
    case ErratumKind::Wrong:
      return tr("Error");
    case ErratumKind::Misprint:
      return tr("Misprint");
    case ErratumKind::Conditional:
      return tr("Condition");
    case ErratumKind::Added:
      return tr("Our addition");
  }
  return "";
}

const char* kindPlural(ErratumKind kind) {
  switch (kind) {
    case ErratumKind::Wrong:
      return tr("Errors");
    case ErratumKind::Misprint:
      return tr("Misprints");
    case ErratumKind::Conditional:
      return tr("Conditions");
    case ErratumKind::Added:
      return tr("Our additions");
  }
  return "";
}

std::string kindAnswer(ErratumKind kind, const std::string& correct) {
  switch (kind) {
    case ErratumKind::Wrong:
    case ErratumKind::Misprint:
      return trFormat("Corrected: {}", correct);
    case ErratumKind::Conditional:
      return trFormat("Condition: {}", correct);
    case ErratumKind::Added:
      return trFormat("Added: {}", correct);
  }
  return "";
}

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> all = [] {
    std::vector<Erratum> list = errataOfLocalToGlobal();
    for (const auto& part : {errataOfAttentionStructure(), errataOfReversal()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Erratum* findErratum(std::string_view id) {
  const auto at = std::find_if(errata().begin(), errata().end(), [&](const Erratum& one) { return id == one.id; });
  return at == errata().end() ? nullptr : &*at;
}

}  // namespace sepx::ui
