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

}  // namespace sepx::ui
