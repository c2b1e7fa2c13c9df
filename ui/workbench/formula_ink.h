// SPDX-License-Identifier: Apache-2.0
// Draws set formulas in ImGui. Their glyphs, which have no character codes, stand in ImGui's own atlas as images of the
// sizes that were asked for; the atlas is made anew when something is drawn that it lacks, which happens once when the
// first formula appears. One per ImGui context (ImguiContext owns it). Frame thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <imgui/imgui.h>

#include "ui/properties/formula_layout.h"

namespace sepx::ui {

class FormulaInk {
 public:
  FormulaInk();
  ~FormulaInk();

  /// Of the current ImGui context; null where the context has none.
  static FormulaInk* current();

  /// Draws with the first line's baseline beginning at `at`. False when glyphs are still to come: the next frame has
  /// them. Nothing is drawn then.
  bool draw(ImDrawList& list, const FormulaBox& box, ImVec2 at, ImU32 color);

  // For ImguiContext.
  /// Something was drawn that the atlas does not hold.
  bool wanting() const { return wanting_; }
  /// Before the atlas is built: asks for room. `pixelsPerPoint` of another value forgets what was for the old one.
  void reserve(ImFontAtlas& atlas, float pixelsPerPoint);
  /// After it is built: paints into it.
  void fill(ImFontAtlas& atlas);

 private:
  using Key = std::pair<std::uint32_t, int>;  ///< glyph, quarters of a pixel per em
  struct Image {
    int width = 0, height = 0, left = 0, top = 0;
    int rect = -1;  ///< of the atlas
    ImVec2 uvMin{}, uvMax{};
  };
  struct Face;

  Key keyOf(const FormulaGlyph& glyph) const;
  void drawRules(ImDrawList& list, const FormulaBox& box, ImVec2 at, ImU32 color) const;
  void seed(int size);

  std::unique_ptr<Face> face_;
  float scale_ = 1;
  bool wanting_ = false;
  std::set<Key> wanted_;
  std::map<Key, Image> images_;
};

/// The type size, `size` or less, at which lines that cannot be broken fit into `maxWidth`.
double fittedSize(const Formula& formula, double size, double maxWidth);
/// A formula drawn at ImGui's cursor, which moves below it. Answers false when glyphs are still to come.
bool drawFormula(const Formula& formula, double size, double maxWidth, ImU32 color);

}  // namespace sepx::ui
