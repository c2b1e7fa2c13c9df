// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/exhibits.h"

#include "ui/exhibits/flow/flow_exhibit.h"
#include "ui/exhibits/weights/weights_exhibit.h"

namespace sepx::ui {

std::vector<std::unique_ptr<Exhibit>> makeExhibits() {
  std::vector<std::unique_ptr<Exhibit>> made;
  made.push_back(makeFlowExhibit());
  made.push_back(makeWeightsExhibit());
  return made;
}

}  // namespace sepx::ui
