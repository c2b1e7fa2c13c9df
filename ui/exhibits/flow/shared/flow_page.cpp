// SPDX-License-Identifier: Apache-2.0
// Names of the pages of the Flow exhibit, and which of them is in sight.
#include "ui/exhibits/flow/shared/flow_page.h"

#include <algorithm>
#include <iterator>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kWords[] = {"plane", "space", "bias", "optimisers", "chain"};

}  // namespace

const char* pageWord(FlowPageKind page) {
  return kWords[static_cast<int>(page)];
}

std::string pageName(FlowPageKind page) {
  constexpr const char* kNames[] = {N_("Plane"), N_("Space"), N_("Free bias"), N_("Optimisers"), N_("Chains")};
  return tr(kNames[static_cast<int>(page)]);
}

FlowPageKind chosenPage(const Document& document) {
  const Json& page = document.at("flow.page");
  if (!page.is_string()) return FlowPageKind::Plane;
  const auto found = std::find(std::begin(kWords), std::end(kWords), page.get_ref<const std::string&>());
  return found == std::end(kWords) ? FlowPageKind::Plane : static_cast<FlowPageKind>(found - std::begin(kWords));
}

std::function<bool(const Document&)> onPages(std::vector<FlowPageKind> pages,
                                             std::function<bool(const Document&)> also) {
  return [pages = std::move(pages), also = std::move(also)](const Document& document) {
    const bool here = std::find(pages.begin(), pages.end(), chosenPage(document)) != pages.end();
    return here && (!also || also(document));
  };
}

Camera FlowPage::camera(const FlowPageFrame& frame) const {
  return {flipped(frame.area), frame.area};
}

}  // namespace sepx::ui
