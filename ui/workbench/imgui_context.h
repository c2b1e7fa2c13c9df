// SPDX-License-Identifier: Apache-2.0
// One ImGui context: fonts from the program's own family through FreeType, style from theme tokens. ImGui works in
// points; fonts are rasterised at pixels per point, so that text is sharp at every scale. Does not use Vulkan. Frame
// thread only.
#pragma once

#include <string>
#include <vector>

#include <imgui/imgui.h>

#include "engine/core/result.h"
#include "ui/canvas/theme.h"
#include "ui/properties/type_style.h"
#include "ui/workbench/formula_ink.h"
#include "ui/workbench/picture_ink.h"
#include "ui/workbench/symbol_glyphs.h"

namespace sepx::ui {

/// Largest side of an image on current devices, pixels.
inline constexpr int kMostAtlasSide = 16384;

float buttonWidth(const char* words);
/// Whether a character is among those that ImGui's atlas holds; others show as a question mark.
bool inFontAtlas(char32_t codePoint);
ImVec4 toImVec4(render::Color color);
ImU32 toImU32(render::Color color);

class ImguiContext {
 public:
  ImguiContext();
  ~ImguiContext();
  ImguiContext(const ImguiContext&) = delete;
  ImguiContext& operator=(const ImguiContext&) = delete;

  /// Call it before any other call of ImGui for this context.
  void makeCurrent() const;
  /// Adapts to theme and scale. Returns the generation of the font atlas, which grows when the atlas is rebuilt.
  /// `mostSide`: largest side of an image on the device, pixels. If the atlas would be larger, it holds coarser glyphs
  /// of the same size in points.
  int prepare(const Theme& theme, float pixelsPerPoint, int mostSide = kMostAtlasSide);
  /// Moves glyphs to whole pixels. ImGui places them at whole points, which blurs text at scales such as 1.25.
  void snapText(ImDrawData* data) const;

 private:
  void buildFonts(const Theme& theme, float pixelsPerPoint);
  void buildAtlas(const Theme& theme, float pixelsPerPoint, float rasterScale);
  void applyStyle(const Theme& theme);

  ImGuiContext* context_ = nullptr;
  std::string theme_;
  float scale_ = 0;
  int mostSide_ = 0;
  std::vector<float> sizes_;    // of the faces in the atlas, points
  std::uint64_t language_ = 0;  // languageRevision() of the atlas
  int generation_ = 0;
  SymbolGlyphs symbols_;
  FormulaInk formulas_;  // found by FormulaInk::current()
  PictureInk picture_;   // found by PictureInk::current()
};

}  // namespace sepx::ui
