// SPDX-License-Identifier: Apache-2.0
// The typeface of the program: Open Sans, whose digits all have the same width. Characters that it lacks (arrows,
// subscripts, symbols) come from DejaVu Sans, which also replaces Open Sans where that is not installed. Chinese
// characters come from an installed Chinese font, preferably Noto Sans CJK. Finds the font files with fontconfig,
// measures text, and rasterises glyphs with FreeType. Text is set without kerning and with unhinted advances, so the
// width of a text is proportional to its size and the same in every renderer. measure() and fontFiles(): any thread.
// FontFace: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::render {

/// The font of the italic letters of symbols (U+1D400 and above). Without it, they are not used.
inline constexpr const char* kSymbolFamily = "DejaVu Math TeX Gyre";

/// Ascent and descent of a line of text, and height of capitals, em. They are the same for every family, so that no
/// layout depends on the installed fonts.
inline constexpr double kAscent = 0.93, kDescent = 0.24, kCapHeight = 0.72;

struct FontFile {  ///< a face on this computer
  std::string path;
  int index = 0;  ///< face within the file
  std::string family;
  int weight = 400;    ///< as in CSS: 400, 600, 700
  double height = 1;   ///< sum of the face's own ascender and descender, em
  bool large = false;  ///< a Chinese font: tens of megabytes, read only if one of its characters is needed
};

/// The font files for text. Each character comes from the first file that has it. Searched for once per process.
/// BadInput, with the package to install, when there is no font at all.
const Result<std::vector<FontFile>>& fontFiles(bool bold = false);

/// Lengths in the unit of `size`; ascent and descent are those of a line, not of the text, and positive.
struct TextExtent {
  double width = 0, ascent = 0, descent = 0;
  double height() const { return ascent + descent; }
};

/// Whether a file of fontFiles() has the character.
bool hasGlyph(char32_t codePoint);

/// Extent of one line of UTF-8. Without a font: an estimate, so that layout still works.
TextExtent measure(std::string_view text, double size, bool bold = false);

/// The coverage of one glyph, 0 to 255, row 0 at the top.
struct GlyphBitmap {
  int width = 0, height = 0;
  int left = 0;                        ///< position of the first column, pixels right of the pen
  int top = 0;                         ///< position of the first row, pixels above the baseline
  std::vector<std::uint8_t> coverage;  ///< [height, width]
};

class FontFace {  ///< advances and bitmaps of glyphs
 public:
  static Result<std::unique_ptr<FontFace>> open(bool bold);  ///< BadInput names the packages to install
  virtual ~FontFace() = default;
  /// Advance of the unhinted glyph, in units of the size.
  virtual double advance(char32_t codePoint) const = 0;
  /// Index into fontFiles() of the file that has the character; 0 when none has it.
  virtual std::size_t fileOf(char32_t codePoint) const = 0;
  /// Bitmap of a glyph at `pixels` per em, shifted right by `shift` pixels (0 to 1) before it is sampled. A character
  /// that no file has gives the "missing" box of the first file.
  virtual GlyphBitmap rasterise(char32_t codePoint, double pixels, double shift) = 0;
};

}  // namespace sepx::render
