// SPDX-License-Identifier: Apache-2.0
// Figures and pages that are opened (PNG, SVG, PDF, NPZ, films and HTML): the search for the recipe in them.
#include <string_view>

#include "engine/render/recipe.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sepx;
  const auto recipe = render::recipeIn({reinterpret_cast<const char*>(bytes), size});
  if (!recipe) {
    fuzz::checkSentence(recipe.error());
  } else if (*recipe && (*recipe)->empty()) {
    fuzz::finding("a recipe of no letters", "");
  }
  return 0;
}
