// SPDX-License-Identifier: Apache-2.0
// Removes smaller and smaller parts (complements).
#include "tests/monkey/shorten.h"

#include <algorithm>
#include <utility>

namespace sepx::monkey {

Lines shortened(Lines lines, const std::function<bool(const Lines&)>& fails, int trials) {
  std::size_t parts = 2;
  while (lines.size() > 1 && trials > 0) {
    parts = std::min(parts, lines.size());
    const std::size_t size = (lines.size() + parts - 1) / parts;
    bool shorter = false;
    // From the end: lines after the cause are most likely to be superfluous.
    for (std::size_t end = lines.size(); end > 0 && trials > 0; end -= std::min(end, size)) {
      const std::size_t begin = end - std::min(end, size);
      Lines without(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(begin));
      without.insert(without.end(), lines.begin() + static_cast<std::ptrdiff_t>(end), lines.end());
      if (without.empty()) continue;
      --trials;
      if (!fails(without)) continue;
      lines = std::move(without);
      shorter = true;
    }
    if (!shorter && size == 1) break;
    parts = shorter ? std::max<std::size_t>(2, parts - 1) : 2 * parts;
  }
  return lines;
}

}  // namespace sepx::monkey
