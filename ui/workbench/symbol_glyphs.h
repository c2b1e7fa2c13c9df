// SPDX-License-Identifier: Apache-2.0
// The slanted letters of symbols in ImGui's atlas, from the font that formulas are set in: under private characters
// (panelLetter()), since those of mathematics lie beyond the 16 bits of ImGui's characters. Frame thread.
#pragma once

#include <vector>

#include <imgui/imgui.h>

namespace sepx::ui {

class SymbolGlyphs {
 public:
  /// Before the atlas is built: letters for `font`, of `em` pixels. None where the font of formulas is missing.
  void reserve(ImFontAtlas& atlas, ImFont& font, float em);
  /// After it is built and the lines of its fonts are set: paints them and puts them on the baselines.
  void fill(ImFontAtlas& atlas);

 private:
  struct Letter {
    int rect = -1;  ///< of the atlas
    int top = 0;    ///< pixels above the baseline
    std::vector<unsigned char> coverage;
  };
  std::vector<Letter> letters_;
};

}  // namespace sepx::ui
