// SPDX-License-Identifier: Apache-2.0
// The list of the pages of the Flow exhibit, in the order of the tabs. A new page needs one line here and a folder with
// its sources, one of which defines its factory function.
#pragma once

#include <memory>
#include <vector>

#include "ui/exhibits/flow/shared/flow_page.h"

#define SEPX_FLOW_PAGES(PAGE) \
  PAGE(makePlanePage)         \
  PAGE(makeSpacePage)         \
  PAGE(makeBiasPage)          \
  PAGE(makeOptimiserPage)     \
  PAGE(makeChainPage)

namespace sepx::ui {

#define SEPX_DECLARE(make) std::unique_ptr<FlowPage> make(const FlowShared& shared);
SEPX_FLOW_PAGES(SEPX_DECLARE)
#undef SEPX_DECLARE

/// Makes all pages. `shared` must outlive them.
inline std::vector<std::unique_ptr<FlowPage>> makeFlowPages(const FlowShared& shared) {
  std::vector<std::unique_ptr<FlowPage>> pages;
#define SEPX_MAKE(make) pages.push_back(make(shared));
  SEPX_FLOW_PAGES(SEPX_MAKE)
#undef SEPX_MAKE
  return pages;
}

}  // namespace sepx::ui
