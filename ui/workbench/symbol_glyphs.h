// SPDX-License-Identifier: Apache-2.0
// Adds the slanted letters of symbols to ImGui's atlas, from the font of formulas. They have private-use characters
// (panelLetter()), because the mathematical letters lie beyond the 16 bits of ImGui's characters. Frame thread.
#pragma once

#include <vector>

#include <imgui/imgui.h>

namespace sepx::ui {

class SymbolGlyphs {
 public:
  /// To call before the atlas is built: reserves letters for `font`, of `em` pixels, if the font of formulas exists.
  void reserve(ImFontAtlas& atlas, ImFont& font, float em);
  /// To call once the atlas is built and its fonts have line metrics: paints the letters and places them on the
  /// baselines.
  void fill(ImFontAtlas& atlas);

 private:
  struct Letter {
    int rect = -1;  ///< custom rectangle in the atlas
    int top = 0;    ///< pixels above the baseline
    std::vector<unsigned char> coverage;
  };
  std::vector<Letter> letters_;
};

}  // namespace sepx::ui
