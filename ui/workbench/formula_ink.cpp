// SPDX-License-Identifier: Apache-2.0
// FreeType rasterises the glyphs, with light hinting as in the rest of the interface. They are drawn at whole pixels.
#include "ui/workbench/formula_ink.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include <ft2build.h>
#include FT_FREETYPE_H

#include "engine/core/log.h"

namespace sepx::ui {
namespace {

constexpr int kQuarters = 4;

/// Characters that nearly every formula needs: digits, signs and the letters of the papers. They are requested
/// together, so that dragging a point needs no new glyph.
constexpr std::u32string_view kUsual =
    U"0123456789.,=+−⋅×<>≤≥≈()[]|{}/∞→⇒⋆′∑∫√𝑎𝑏𝑐𝑑𝑒𝑓𝑔ℎ𝑖𝑘𝑛𝑝𝑞𝑟𝑡𝑤𝑥𝑦𝑧𝐴𝐸𝐻𝐼𝐿𝑁𝑃𝑆𝜋𝜃𝜎𝜑Λ∇abcdefghijklmnopqrstuvwxyz-‐…";

}  // namespace

struct FormulaInk::Face {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  ~Face() {
    if (face) FT_Done_Face(face);
    if (library) FT_Done_FreeType(library);
  }
  bool open() {
    const Result<FormulaFont>& font = FormulaFont::shared();
    if (face || !font) return face != nullptr;
    if (!library && FT_Init_FreeType(&library) != 0) return false;
    return FT_New_Face(library, font->path().c_str(), font->index(), &face) == 0;
  }
  /// Null if the glyph cannot be rendered.
  const FT_GlyphSlotRec_* render(std::uint32_t glyph, int quarters) {
    if (!open() || FT_Set_Char_Size(face, quarters * 64 / kQuarters, 0, 72, 72) != 0) return nullptr;
    if (FT_Load_Glyph(face, glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_RENDER) != 0) return nullptr;
    return face->glyph->bitmap.pixel_mode == FT_PIXEL_MODE_GRAY ? face->glyph : nullptr;
  }
};

FormulaInk::FormulaInk() : face_(std::make_unique<Face>()) {}
FormulaInk::~FormulaInk() = default;

FormulaInk* FormulaInk::current() {
  return ImGui::GetCurrentContext() ? static_cast<FormulaInk*>(ImGui::GetIO().UserData) : nullptr;
}

FormulaInk::Key FormulaInk::keyOf(const FormulaGlyph& glyph) const {
  return {glyph.glyph, std::max(1, static_cast<int>(std::lround(glyph.size * scale_ * kQuarters)))};
}

void FormulaInk::seed(int size) {
  const Result<FormulaFont>& font = FormulaFont::shared();
  if (!font) return;
  for (const char32_t code : kUsual)
    if (const std::uint32_t glyph = font->glyph(code)) wanted_.insert({glyph, size});
}

void FormulaInk::reserve(ImFontAtlas& atlas, float pixelsPerPoint) {
  if (scale_ != pixelsPerPoint) wanted_.clear();
  scale_ = pixelsPerPoint;
  needsAtlasUpdate_ = false;
  images_.clear();
  for (const Key& key : wanted_) {
    const FT_GlyphSlotRec_* const slot = face_->render(key.first, key.second);
    Image image;
    if (slot) {
      image.width = static_cast<int>(slot->bitmap.width);
      image.height = static_cast<int>(slot->bitmap.rows);
      image.left = slot->bitmap_left;
      image.top = slot->bitmap_top;
    }
    if (image.width > 0 && image.height > 0) image.rect = atlas.AddCustomRectRegular(image.width, image.height);
    images_.emplace(key, image);
  }
}

void FormulaInk::fill(ImFontAtlas& atlas) {
  if (images_.empty()) return;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  for (auto& [key, image] : images_) {
    if (image.rect < 0) continue;
    const ImFontAtlasCustomRect* const rect = atlas.GetCustomRectByIndex(image.rect);
    const FT_GlyphSlotRec_* const slot = face_->render(key.first, key.second);
    if (!slot || !rect->IsPacked()) continue;
    for (int y = 0; y < image.height; ++y) {
      const unsigned char* const from = slot->bitmap.buffer + y * slot->bitmap.pitch;
      unsigned char* to = pixels + 4 * ((rect->Y + y) * width + rect->X);
      for (int x = 0; x < image.width; ++x, to += 4) {
        to[0] = to[1] = to[2] = 255;
        to[3] = from[x];
      }
    }
    atlas.CalcCustomRectUV(rect, &image.uvMin, &image.uvMax);
  }
  spdlog::debug("{} glyphs of formulas in the atlas", images_.size());
}

bool FormulaInk::draw(ImDrawList& list, const FormulaBox& box, ImVec2 at, ImU32 color) {
  bool all = true;
  for (const FormulaGlyph& glyph : box.glyphs) {
    const Key key = keyOf(glyph);
    if (images_.count(key)) continue;
    all = false;
    if (wanted_.insert(key).second) seed(key.second);
  }
  if (!all) {
    needsAtlasUpdate_ = true;
    return false;
  }
  const ImTextureID texture = ImGui::GetIO().Fonts->TexID;
  for (const FormulaGlyph& glyph : box.glyphs) {
    const Image& image = images_.at(keyOf(glyph));
    if (image.rect < 0) continue;
    const float penX = std::round((at.x + static_cast<float>(glyph.x)) * scale_);
    const float penY = std::round((at.y + static_cast<float>(glyph.y)) * scale_);
    const ImVec2 min((penX + static_cast<float>(image.left)) / scale_, (penY - static_cast<float>(image.top)) / scale_);
    const ImVec2 max(min.x + static_cast<float>(image.width) / scale_,
                     min.y + static_cast<float>(image.height) / scale_);
    list.AddImage(texture, min, max, image.uvMin, image.uvMax, color);
  }
  drawRules(list, box, at, color);
  return true;
}

void FormulaInk::drawRules(ImDrawList& list, const FormulaBox& box, ImVec2 at, ImU32 color) const {
  for (const FormulaRule& rule : box.rules) {
    float left = std::round((at.x + static_cast<float>(rule.x)) * scale_);
    float top = std::round((at.y + static_cast<float>(rule.y)) * scale_);
    const float right = std::round((at.x + static_cast<float>(rule.x + rule.width)) * scale_);
    const float thick = std::max(1.0f, std::round(static_cast<float>(rule.height) * scale_));
    if (rule.continues >= 0) {
      const FormulaGlyph& hook = box.glyphs[static_cast<std::size_t>(rule.continues)];
      const Image& image = images_.at(keyOf(hook));
      top = std::round((at.y + static_cast<float>(hook.y)) * scale_) - static_cast<float>(image.top);
      left =
          std::round((at.x + static_cast<float>(hook.x)) * scale_) + static_cast<float>(image.left + image.width) - 1;
    }
    list.AddRectFilled({left / scale_, top / scale_}, {std::max(right, left + 1) / scale_, (top + thick) / scale_},
                       color);
  }
}

double fittedSize(const Formula& formula, double size, double maxWidth) {
  constexpr double kSmallest = 0.6;
  const Result<FormulaFont>& font = FormulaFont::shared();
  if (!font || maxWidth <= 0) return size;
  double fitted = size;
  for (int tries = 0; tries < 3; ++tries) {
    const double width = layOut(formula, *font, {fitted, maxWidth, true}).width;
    if (width <= maxWidth) break;
    fitted = std::max(kSmallest * size, std::floor(4 * fitted * 0.99 * maxWidth / width) / 4);
  }
  return fitted;
}

bool drawFormula(const Formula& formula, double size, double maxWidth, ImU32 color) {
  const Result<FormulaFont>& font = FormulaFont::shared();
  FormulaInk* const ink = FormulaInk::current();
  if (!font || !ink) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + static_cast<float>(maxWidth));
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(formula.plainText().c_str());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    return true;
  }
  const FormulaBox box = layOut(formula, *font, {fittedSize(formula, size, maxWidth), maxWidth, true});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool drawn = ink->draw(*ImGui::GetWindowDrawList(), box, {at.x, at.y + static_cast<float>(box.ascent)}, color);
  ImGui::Dummy({static_cast<float>(box.width), static_cast<float>(box.height())});
  return drawn;
}

}  // namespace sepx::ui
