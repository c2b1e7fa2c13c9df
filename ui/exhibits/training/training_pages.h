// SPDX-License-Identifier: Apache-2.0
// The pages of the Training exhibit, in the order of the tabs. A new page needs one line here and a folder with its
// sources, one of which defines the factory.
#pragma once

#include <memory>
#include <vector>

#include "ui/race/race_page.h"

#define SEPX_TRAINING_PAGES(PAGE) \
  PAGE(makeExperimentsPage)       \
  PAGE(makeCurvesPage)            \
  PAGE(makeStructurePage)         \
  PAGE(makeMatricesPage)          \
  PAGE(makeSequencePage)          \
  PAGE(makeUpdatePage)            \
  PAGE(makeTheoryPage)            \
  PAGE(makeNormsPage)             \
  PAGE(makePublishedPage)         \
  PAGE(makeOwnPage)               \
  PAGE(makeLibraryPage)

namespace sepx::ui {

#define SEPX_DECLARE(make) std::unique_ptr<RacePage> make();
SEPX_TRAINING_PAGES(SEPX_DECLARE)
#undef SEPX_DECLARE

inline std::vector<std::unique_ptr<RacePage>> makeTrainingPages() {
  std::vector<std::unique_ptr<RacePage>> pages;
#define SEPX_MAKE(make) pages.push_back(make());
  SEPX_TRAINING_PAGES(SEPX_MAKE)
#undef SEPX_MAKE
  return pages;
}

}  // namespace sepx::ui
