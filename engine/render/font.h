// SPDX-License-Identifier: Apache-2.0
// The typeface of the program, Open Sans, whose figures have one width; what it lacks (arrows, subscripts, symbols)
// comes from DejaVu Sans, which also stands in where Open Sans is not installed; Chinese comes from what is installed
// for it, best Noto Sans CJK. Found through fontconfig and read by FreeType: where the files are, how wide a text is,
// and what its glyphs look like at a pixel size. Text is set without kerning from the unhinted advances, so a width is
// proportional to the size and the same in every renderer. measure() and fontFiles(): any thread. FontFace: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::render {

/// What the slanted letters of symbols come from (U+1D400 and above); without it they are not used.
inline constexpr const char* kSymbolFamily = "DejaVu Math TeX Gyre";

/// Of lines of text and of capitals, em. The same for every family, so that no layout depends on what is installed.
inline constexpr double kAscent = 0.93, kDescent = 0.24, kCapHeight = 0.72;

struct FontFile {  ///< a face on this computer
  std::string path;
  int index = 0;  ///< face within the file
  std::string family;
  int weight = 400;    ///< as CSS counts: 400, 600, 700
  double height = 1;   ///< of the face's own ascender and descender together, em
  bool large = false;  ///< of Chinese characters: tens of megabytes, read by those only who need one of them
};

/// The files that a text is set from: each character in the first that has it. Found once per process. BadInput with
/// the package to install when there is no font at all.
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
  int left = 0;                        ///< of the first column, pixels right of the pen
  int top = 0;                         ///< of the first row, pixels above the baseline
  std::vector<std::uint8_t> coverage;  ///< [height, width]
};

class FontFace {  ///< outlines and pictures of its glyphs
 public:
  static Result<std::unique_ptr<FontFace>> open(bool bold);  ///< NotFound names the packages that have one
  virtual ~FontFace() = default;
  /// Advance of the unhinted glyph, in units of the size.
  virtual double advance(char32_t codePoint) const = 0;
  /// Which of fontFiles() has the character; the first when none has it.
  virtual std::size_t fileOf(char32_t codePoint) const = 0;
  /// Glyph of `pixels` per em, shifted right by `shift` pixels (0 to 1) before it is sampled. A character that no file
  /// has gives the "missing" box of the first.
  virtual GlyphBitmap rasterise(char32_t codePoint, double pixels, double shift) = 0;
};

}  // namespace sepx::render
