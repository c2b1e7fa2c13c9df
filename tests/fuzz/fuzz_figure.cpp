// SPDX-License-Identifier: Apache-2.0
// Figures whose recipe is read (PNG, SVG, PDF, NPZ, pages, films), and tables (CSV) that become points.
#include <string_view>

#include "engine/core/table.h"
#include "engine/render/recipe.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sepx;
  const std::string_view content(reinterpret_cast<const char*>(bytes), size);
  if (render::figureFormat(content)) {
    if (const auto recipe = render::recipeIn(content); !recipe) fuzz::checkSentence(recipe.error());
  } else if (const auto table = parseCsv(content); !table) {
    fuzz::checkSentence(table.error());
  }
  return 0;
}
