// SPDX-License-Identifier: Apache-2.0
#include "engine/render/font.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "engine/core/try.h"
#include "engine/core/utf8.h"

namespace sepx::render {
namespace {

constexpr double kUnits = 64;  // FreeType's 26.6 fixed point

struct PatternDeleter {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using Pattern = std::unique_ptr<FcPattern, PatternDeleter>;

Result<FontFile> findFont(bool bold) {
  const auto none = [] {
    return fail(ErrorKind::BadInput,
                "no font was found; install the package fonts-dejavu-core and run the program again");
  };
  if (!FcInit()) return none();
  const Pattern wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(kFontFamily));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddInteger(wanted.get(), FC_WIDTH, FC_WIDTH_NORMAL);
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult status = FcResultNoMatch;
  const Pattern found(FcFontMatch(nullptr, wanted.get(), &status));
  FcChar8* path = nullptr;
  if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch) return none();
  FontFile file{reinterpret_cast<const char*>(path), 0};
  FcPatternGetInteger(found.get(), FC_INDEX, 0, &file.index);
  return file;
}

class FreeTypeFace final : public FontFace {
 public:
  ~FreeTypeFace() override {
    if (face_) FT_Done_Face(face_);
    if (library_) FT_Done_FreeType(library_);
  }

  Result<void> load(const FontFile& file) {
    if (FT_Init_FreeType(&library_) == 0 && FT_New_Face(library_, file.path.c_str(), file.index, &face_) == 0 &&
        FT_IS_SCALABLE(face_) && face_->units_per_EM > 0) {
      return {};
    }
    return fail(ErrorKind::BadInput,
                file.path + ": the font cannot be read; install the package fonts-dejavu-core again");
  }

  double advance(char32_t codePoint) const override {
    const FT_UInt glyph = FT_Get_Char_Index(face_, codePoint);
    if (FT_Load_Glyph(face_, glyph, FT_LOAD_NO_SCALE) != 0) return 0;
    return static_cast<double>(face_->glyph->metrics.horiAdvance) / face_->units_per_EM;
  }
  double ascent() const override { return static_cast<double>(face_->ascender) / face_->units_per_EM; }
  double descent() const override { return -static_cast<double>(face_->descender) / face_->units_per_EM; }

  // Light hinting moves outlines in y only: stems stay where the unhinted advances put them, baselines stay sharp.
  GlyphBitmap rasterise(char32_t codePoint, double pixels, double shift) override {
    GlyphBitmap bitmap;
    const auto size = static_cast<FT_F26Dot6>(std::lround(std::clamp(pixels, 1.0, 1000.0) * kUnits));
    if (FT_Set_Char_Size(face_, 0, size, 72, 72) != 0) return bitmap;
    const FT_UInt glyph = FT_Get_Char_Index(face_, codePoint);
    if (FT_Load_Glyph(face_, glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return bitmap;
    FT_GlyphSlot slot = face_->glyph;
    FT_Outline_Translate(&slot->outline, static_cast<FT_Pos>(std::lround(shift * kUnits)), 0);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return bitmap;
    bitmap.width = static_cast<int>(slot->bitmap.width);
    bitmap.height = static_cast<int>(slot->bitmap.rows);
    bitmap.left = slot->bitmap_left;
    bitmap.top = slot->bitmap_top;
    for (int row = 0; row < bitmap.height; ++row) {
      const unsigned char* from = slot->bitmap.buffer + std::ptrdiff_t{row} * slot->bitmap.pitch;
      bitmap.coverage.insert(bitmap.coverage.end(), from, from + bitmap.width);
    }
    return bitmap;
  }

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

// What measure() knows of one weight of the family.
class Advances {
 public:
  explicit Advances(bool bold) {
    if (auto face = FontFace::open(bold)) face_ = std::move(*face);
  }
  TextExtent measure(std::string_view text, double size) {
    const std::lock_guard lock(mutex_);
    // Without a font: DejaVu's usual proportions.
    TextExtent extent{0, size * (face_ ? face_->ascent() : 0.93), size * (face_ ? face_->descent() : 0.24)};
    for (const char32_t codePoint : decodeUtf8(text))
      extent.width += size * advance(codePoint);
    return extent;
  }

 private:
  double advance(char32_t codePoint) {
    if (!face_) return 0.6;
    const auto [entry, fresh] = known_.try_emplace(codePoint, 0.0);
    if (fresh) entry->second = face_->advance(codePoint);
    return entry->second;
  }
  std::mutex mutex_;
  std::unique_ptr<FontFace> face_;
  std::unordered_map<char32_t, double> known_;
};

}  // namespace

const Result<FontFile>& fontFile(bool bold) {
  static const Result<FontFile> files[2] = {findFont(false), findFont(true)};
  return files[bold ? 1 : 0];
}

TextExtent measure(std::string_view text, double size, bool bold) {
  static Advances regular(false), heavy(true);
  return (bold ? heavy : regular).measure(text, size);
}

Result<std::unique_ptr<FontFace>> FontFace::open(bool bold) {
  const Result<FontFile>& file = fontFile(bold);
  if (!file) return tl::unexpected<Error>(file.error());
  auto face = std::make_unique<FreeTypeFace>();
  SEPX_TRY(face->load(*file));
  return face;
}

}  // namespace sepx::render
