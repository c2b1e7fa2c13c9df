// SPDX-License-Identifier: Apache-2.0
// A cache of glyph coverage at the pixel sizes in use, packed in rows (shelves) of one picture. A glyph is stored for
// four positions between pixels, so that text is spaced evenly without losing sharpness. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/core/result.h"
#include "engine/render/font.h"

namespace sepx::render {

inline constexpr int kAtlasSide = 1024;  ///< pixels

struct AtlasGlyph {                         ///< where a glyph lies
  int x = 0, y = 0, width = 0, height = 0;  ///< in the atlas
  int left = 0, top = 0;                    ///< as in GlyphBitmap
};

/// Rows of the atlas that changed: [first, end).
struct AtlasRows {
  int first = 0, end = 0;
};

class GlyphAtlas {
 public:
  /// BadInput when a font cannot be read. Without any font, no letters are drawn.
  static Result<GlyphAtlas> create();

  /// `quarter`: position between pixels, 0 to 3. When there is no room, it returns an empty glyph and full() becomes
  /// true. The caller then clears the atlas and requests all glyphs again.
  AtlasGlyph glyph(char32_t codePoint, double pixels, int quarter, bool bold);
  double advance(char32_t codePoint, bool bold);

  bool full() const { return full_; }
  void clear();                                                            ///< removes all glyphs
  const std::vector<std::uint8_t>& coverage() const { return coverage_; }  ///< [kAtlasSide, kAtlasSide]
  AtlasRows takeChanges();                                                 ///< rows changed since the last call

 private:
  GlyphAtlas() = default;
  struct Key {
    char32_t codePoint;
    std::uint32_t style;  ///< size in 1/64 pixel, quarter, weight
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  bool place(AtlasGlyph& glyph);

  std::unique_ptr<FontFace> faces_[2];
  std::unordered_map<Key, AtlasGlyph, KeyHash> glyphs_;
  std::unordered_map<char32_t, double> advances_[2];
  std::vector<std::uint8_t> coverage_;
  int shelfX_ = 0, shelfY_ = 0, shelfHeight_ = 0;
  AtlasRows changes_;
  bool full_ = false;
};

}  // namespace sepx::render
