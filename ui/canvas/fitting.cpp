// SPDX-License-Identifier: Apache-2.0
// See fitting.h.
#include "ui/canvas/fitting.h"

#include "ui/canvas/page_draw.h"

namespace sepx::ui {

std::string fitting(const std::vector<std::string>& parts, const std::string& between, double size, double room) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    const std::string longer = text.empty() ? elided(part, size, room) : text + between + part;
    if (!text.empty() && textWidth(longer, size) > room) break;
    text = longer;
  }
  return text;
}

}  // namespace sepx::ui
