// SPDX-License-Identifier: Apache-2.0
#include "engine/render/glyph_atlas.h"
#include "engine/core/try.h"

#include <algorithm>
#include <cmath>

namespace sepx::render {
namespace {

constexpr int kGap = 1;            // texels between glyphs
constexpr double kNoLetter = 0.6;  // advance without a font, in units of the size, as in measure()
constexpr double kLargest = 200;   // pixels; larger text would leave no room for other glyphs

}  // namespace

std::size_t GlyphAtlas::KeyHash::operator()(const Key& key) const {
  return std::hash<std::uint64_t>{}((std::uint64_t{key.codePoint} << 32) | key.style);
}

Result<GlyphAtlas> GlyphAtlas::create() {
  GlyphAtlas atlas;
  for (const bool bold : {false, true}) {
    if (!fontFiles(bold)) continue;  // lines and areas are still drawn
    SEPX_ASSIGN(atlas.faces_[bold], FontFace::open(bold));
  }
  atlas.clear();
  return atlas;
}

void GlyphAtlas::clear() {
  glyphs_.clear();
  coverage_.assign(std::size_t{kAtlasSide} * kAtlasSide, 0);
  shelfX_ = shelfY_ = shelfHeight_ = 0;
  changes_ = {0, kAtlasSide};
  full_ = false;
}

double GlyphAtlas::advance(char32_t codePoint, bool bold) {
  const auto [entry, fresh] = advances_[bold].try_emplace(codePoint, 0.0);
  if (fresh) entry->second = faces_[bold] ? faces_[bold]->advance(codePoint) : kNoLetter;
  return entry->second;
}

bool GlyphAtlas::place(AtlasGlyph& glyph) {
  if (shelfX_ + glyph.width + kGap > kAtlasSide) {
    shelfY_ += shelfHeight_ + kGap;
    shelfX_ = shelfHeight_ = 0;
  }
  if (glyph.width + kGap > kAtlasSide || shelfY_ + glyph.height + kGap > kAtlasSide) return false;
  glyph.x = shelfX_;
  glyph.y = shelfY_;
  shelfX_ += glyph.width + kGap;
  shelfHeight_ = std::max(shelfHeight_, glyph.height);
  return true;
}

AtlasGlyph GlyphAtlas::glyph(char32_t codePoint, double pixels, int quarter, bool bold) {
  if (!faces_[bold]) return {};
  const double size = std::clamp(pixels, 1.0, kLargest);
  const auto steps = static_cast<std::uint32_t>(std::lround(size * 64));
  const Key key{codePoint, steps << 3 | static_cast<std::uint32_t>(quarter & 3) << 1 | (bold ? 1U : 0U)};
  if (const auto known = glyphs_.find(key); known != glyphs_.end()) return known->second;
  const GlyphBitmap bitmap = faces_[bold]->rasterise(codePoint, size, (quarter & 3) / 4.0);
  AtlasGlyph glyph{0, 0, bitmap.width, bitmap.height, bitmap.left, bitmap.top};
  if (bitmap.width > 0 && bitmap.height > 0) {
    if (!place(glyph)) {
      full_ = true;
      return {};
    }
    for (int row = 0; row < bitmap.height; ++row) {
      std::copy_n(bitmap.coverage.begin() + std::ptrdiff_t{row} * bitmap.width, bitmap.width,
                  coverage_.begin() + std::ptrdiff_t{glyph.y + row} * kAtlasSide + glyph.x);
    }
    const bool clean = changes_.first >= changes_.end;
    changes_ = {clean ? glyph.y : std::min(changes_.first, glyph.y),
                clean ? glyph.y + glyph.height : std::max(changes_.end, glyph.y + glyph.height)};
  }
  glyphs_.emplace(key, glyph);
  return glyph;
}

AtlasRows GlyphAtlas::takeChanges() {
  return std::exchange(changes_, AtlasRows{});
}

}  // namespace sepx::render
