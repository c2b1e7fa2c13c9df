// SPDX-License-Identifier: Apache-2.0
// Which pages of the Flow exhibit a declaration applies on.
#include "ui/exhibits/flow/shared/flow_page.h"

#include <utility>

namespace sepx::ui {

std::function<bool(const Document&)> onPages(std::vector<std::string> pages,
                                             std::function<bool(const Document&)> also) {
  return onPages("flow.page", "plane", std::move(pages), std::move(also));
}

}  // namespace sepx::ui
