// SPDX-License-Identifier: Apache-2.0
// The one type family of the program, DejaVu Sans, found through fontconfig and read by FreeType: where its files are,
// how wide a text is, and what its glyphs look like at a pixel size. Text is set without kerning from the unhinted
// advances, so a width is proportional to the size and the same in every renderer. measure() and fontFile(): any
// thread. FontFace: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::render {

inline constexpr const char* kFontFamily = "DejaVu Sans";

struct FontFile {
  std::string path;
  int index = 0;  ///< face within the file
};

/// Found once per process. BadInput with the package to install when there is no font at all.
const Result<FontFile>& fontFile(bool bold = false);

/// Lengths in the unit of `size`; ascent and descent are those of the family, not of the text, and positive.
struct TextExtent {
  double width = 0, ascent = 0, descent = 0;
  double height() const { return ascent + descent; }
};

/// Extent of one line of UTF-8. Without a font: an estimate, so that layout still works.
TextExtent measure(std::string_view text, double size, bool bold = false);

/// The coverage of one glyph, 0 to 255, row 0 at the top.
struct GlyphBitmap {
  int width = 0, height = 0;
  int left = 0;                        ///< of the first column, pixels right of the pen
  int top = 0;                         ///< of the first row, pixels above the baseline
  std::vector<std::uint8_t> coverage;  ///< [height, width]
};

class FontFace {
 public:
  static Result<std::unique_ptr<FontFace>> open(bool bold);
  virtual ~FontFace() = default;
  /// Advance of the unhinted glyph, in units of the size.
  virtual double advance(char32_t codePoint) const = 0;
  virtual double ascent() const = 0;
  virtual double descent() const = 0;
  /// Glyph of `pixels` per em, shifted right by `shift` pixels (0 to 1) before it is sampled. A character the font does
  /// not have gives its "missing" box.
  virtual GlyphBitmap rasterise(char32_t codePoint, double pixels, double shift) = 0;
};

}  // namespace sepx::render
