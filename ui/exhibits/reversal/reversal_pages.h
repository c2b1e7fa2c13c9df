// SPDX-License-Identifier: Apache-2.0
// The pages of the Reversal exhibit, in the order of the tabs. A new page needs one line here and a folder with its
// sources, one of which defines the factory.
#pragma once

#include <memory>
#include <vector>

#include "ui/exhibits/reversal/shared/reversal_page.h"

#define SEPX_REVERSAL_PAGES(PAGE) \
  PAGE(makeReversalRacePage)      \
  PAGE(makeRoutingPage)           \
  PAGE(makeCorrelationPage)       \
  PAGE(makeGradientsPage)         \
  PAGE(makeIdealPage)             \
  PAGE(makeCheckpointPage)        \
  PAGE(makeTablesPage)

namespace sepx::ui {

#define SEPX_DECLARE(make) std::unique_ptr<ReversalPage> make();
SEPX_REVERSAL_PAGES(SEPX_DECLARE)
#undef SEPX_DECLARE

inline std::vector<std::unique_ptr<ReversalPage>> makeReversalPages() {
  std::vector<std::unique_ptr<ReversalPage>> pages;
#define SEPX_MAKE(make) pages.push_back(make());
  SEPX_REVERSAL_PAGES(SEPX_MAKE)
#undef SEPX_MAKE
  return pages;
}

}  // namespace sepx::ui
