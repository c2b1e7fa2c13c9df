// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/exhibits.h"

#include "ui/exhibits/flow/flow_exhibit.h"
#include "ui/exhibits/reversal/reversal_exhibit.h"
#include "ui/exhibits/training/training_exhibit.h"
#include "ui/exhibits/weights/weights_exhibit.h"

namespace sepx::ui {

std::vector<std::unique_ptr<Exhibit>> makeExhibits() {
  std::vector<std::unique_ptr<Exhibit>> made;
  made.push_back(makeFlowExhibit());
  made.push_back(makeWeightsExhibit());
  made.push_back(makeTrainingExhibit());
  made.push_back(makeReversalExhibit());
  return made;
}

const std::vector<std::string>& exhibitKeys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> made;
    for (const auto& exhibit : makeExhibits())
      made.push_back(exhibit->key());
    return made;
  }();
  return keys;
}

Document sweepDocument(const Document& now, const std::string& folder) {
  Document next = now;
  // Choices of another sweep do not fit this one.
  for (const char* const stale :
       {"training.library.sweep", "training.library.selected", "training.library.search", "training.library.filter"})
    if (next.has(stale)) next = next.without(stale);
  return next.with("exhibit", "training")
      .with("training.page", "library")
      .with("training.library.folder", folder)
      .with("training.library.view", "sweep");
}

}  // namespace sepx::ui
