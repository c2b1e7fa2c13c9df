// SPDX-License-Identifier: Apache-2.0
// See fitting.h.
#include "ui/canvas/fitting.h"

#include <algorithm>

#include "ui/canvas/cut_texts.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"

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

std::string shortenedName(const std::string& name, double size, double width) {
  constexpr std::size_t kEnd = 9;
  const std::size_t from = name.size() > kEnd ? name.size() - kEnd : 0;
  const bool plain = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 128; });
  if (textWidth(name, size) <= width || !plain || from == 0) return elided(name, size, width);
  const std::string end = name.substr(from);
  const double room = width - textWidth(end, size);
  if (room <= 4 * size) return elided(name, size, width);
  std::string shown = elided(name.substr(0, from), size, room) + end;
  CutTexts::note(shown, name);
  return shown;
}

}  // namespace sepx::ui
