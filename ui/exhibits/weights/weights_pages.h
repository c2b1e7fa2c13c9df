// SPDX-License-Identifier: Apache-2.0
// The pages of the Weights exhibit, in the order of the tabs. A new page needs one line here and a folder with its
// sources, one of which defines the factory.
#pragma once

#include <memory>
#include <vector>

#include "ui/exhibits/weights/shared/weights_page.h"

#define SEPX_WEIGHTS_PAGES(PAGE) \
  PAGE(makeMatrixPage)           \
  PAGE(makeWallPage)             \
  PAGE(makeChartsPage)           \
  PAGE(makeComparePage)          \
  PAGE(makeSentencePage)         \
  PAGE(makeFormPage)             \
  PAGE(makeMappingPage)

namespace sepx::ui {

#define SEPX_DECLARE(make) std::unique_ptr<WeightsPage> make();
SEPX_WEIGHTS_PAGES(SEPX_DECLARE)
#undef SEPX_DECLARE

inline std::vector<std::unique_ptr<WeightsPage>> makeWeightsPages() {
  std::vector<std::unique_ptr<WeightsPage>> pages;
#define SEPX_MAKE(make) pages.push_back(make());
  SEPX_WEIGHTS_PAGES(SEPX_MAKE)
#undef SEPX_MAKE
  return pages;
}

}  // namespace sepx::ui
