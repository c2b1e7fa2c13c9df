// SPDX-License-Identifier: Apache-2.0
// See symbol_glyphs.h.
#include "ui/workbench/symbol_glyphs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/render/font.h"
#include "ui/properties/formula_nodes.h"
#include "ui/properties/panel_text.h"

namespace sepx::ui {

void SymbolGlyphs::reserve(ImFontAtlas& atlas, ImFont& font, float em) {
  const auto face = render::FontFace::open(false);
  if (!face) return;
  for (const char32_t letter : panelLetters()) {
    const char32_t code = slanted(letter);
    if (code == letter || !render::hasGlyph(code)) continue;
    render::GlyphBitmap bitmap = (*face)->rasterise(code, em, 0);
    if (bitmap.width <= 0 || bitmap.height <= 0) continue;
    Letter& one = letters_.emplace_back();
    one.rect = atlas.AddCustomRectFontGlyph(&font, static_cast<ImWchar>(panelLetter(letter)), bitmap.width,
                                            bitmap.height, em * static_cast<float>((*face)->advance(code)),
                                            ImVec2(static_cast<float>(bitmap.left), 0));
    one.top = bitmap.top;
    one.coverage = std::move(bitmap.coverage);
  }
}

void SymbolGlyphs::fill(ImFontAtlas& atlas) {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  for (const Letter& letter : std::exchange(letters_, {})) {
    const ImFontAtlasCustomRect* const rect = atlas.GetCustomRectByIndex(letter.rect);
    if (!rect->IsPacked()) continue;
    for (int y = 0; y < rect->Height; ++y) {
      unsigned char* to = pixels + 4 * ((rect->Y + y) * width + rect->X);
      for (int x = 0; x < rect->Width; ++x, to += 4) {
        to[0] = to[1] = to[2] = 255;
        to[3] = letter.coverage[static_cast<std::size_t>(y * rect->Width + x)];
      }
    }
    const auto glyph = std::ranges::find_if(
        rect->Font->Glyphs, [id = rect->GlyphID](const ImFontGlyph& one) { return one.Codepoint == id; });
    if (glyph == rect->Font->Glyphs.end()) continue;
    const float high = glyph->Y1 - glyph->Y0;
    glyph->Y0 = rect->Font->Ascent - static_cast<float>(letter.top);
    glyph->Y1 = glyph->Y0 + high;
  }
}

}  // namespace sepx::ui
