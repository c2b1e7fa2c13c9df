// SPDX-License-Identifier: Apache-2.0
// Draws typeset formulas in ImGui. Their glyphs, which have no character codes, are stored in ImGui's own atlas as
// images of the requested sizes. The atlas is rebuilt when something is drawn that it lacks, which happens once when
// the first formula appears. One per ImGui context (ImguiContext owns it). Frame thread.
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

  /// The instance of the current ImGui context; null if it has none.
  static FormulaInk* current();

  /// Draws the formula with the baseline of its first line beginning at `at`. If glyphs are not in the atlas yet,
  /// nothing is drawn and the result is false; the next frame has them.
  bool draw(ImDrawList& list, const FormulaBox& box, ImVec2 at, ImU32 color);

  // For ImguiContext.
  /// Something was to be drawn that the atlas does not contain.
  bool needsAtlasUpdate() const { return needsAtlasUpdate_; }
  /// Call it before the atlas is built: reserves space. A new value of `pixelsPerPoint` discards the glyphs for the old
  /// one.
  void reserve(ImFontAtlas& atlas, float pixelsPerPoint);
  /// Call it after the atlas is built: draws the glyphs into it.
  void fill(ImFontAtlas& atlas);

 private:
  using Key = std::pair<std::uint32_t, int>;  ///< glyph, quarters of a pixel per em
  struct Image {
    int width = 0, height = 0, left = 0, top = 0;
    int rect = -1;  ///< custom rectangle of the atlas
    ImVec2 uvMin{}, uvMax{};
  };
  struct Face;

  Key keyOf(const FormulaGlyph& glyph) const;
  void drawRules(ImDrawList& list, const FormulaBox& box, ImVec2 at, ImU32 color) const;
  void seed(int size);

  std::unique_ptr<Face> face_;
  float scale_ = 1;
  bool needsAtlasUpdate_ = false;
  std::set<Key> wanted_;
  std::map<Key, Image> images_;
};

/// The type size, `size` or less, at which lines that cannot be broken fit into `maxWidth`.
double fittedSize(const Formula& formula, double size, double maxWidth);
/// Draws a formula at ImGui's cursor, which moves below it. Returns false while glyphs are not yet in the atlas.
bool drawFormula(const Formula& formula, double size, double maxWidth, ImU32 color);

}  // namespace sepx::ui
