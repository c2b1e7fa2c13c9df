// SPDX-License-Identifier: Apache-2.0
#include "engine/render/font.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "engine/core/try.h"
#include "engine/core/utf8.h"

namespace sepx::render {
namespace {

constexpr double kUnits = 64;  // FreeType's 26.6 fixed point

// The first installed family is the main typeface; the others supply the characters that it lacks.
constexpr const char* kFamilies[] = {"Open Sans", "DejaVu Sans", kSymbolFamily};
// The first installed family of these is the last fallback.
constexpr const char* kChinese[] = {"Noto Sans CJK SC",    "Noto Sans SC",      "Source Han Sans SC",
                                    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback"};
constexpr const char* kNoFont = "no font was found; install the packages fonts-open-sans and fonts-dejavu-core";

struct PatternDeleter {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using Pattern = std::unique_ptr<FcPattern, PatternDeleter>;

struct LibraryDeleter {
  void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
using Library = std::unique_ptr<FT_LibraryRec_, LibraryDeleter>;

struct FaceDeleter {
  void operator()(FT_Face face) const { FT_Done_Face(face); }
};
using OpenFace = std::unique_ptr<FT_FaceRec_, FaceDeleter>;

Library openLibrary() {
  FT_Library library = nullptr;
  return Library(FT_Init_FreeType(&library) == 0 ? library : nullptr);
}

/// Null when the file has no outlines.
OpenFace openFace(const Library& library, const FontFile& file) {
  FT_Face face = nullptr;
  if (!library || FT_New_Face(library.get(), file.path.c_str(), file.index, &face) != 0) return nullptr;
  OpenFace opened(face);
  return FT_IS_SCALABLE(face) && face->units_per_EM > 0 ? std::move(opened) : nullptr;
}

/// The match of fontconfig for a family, which may be a file of another family.
std::optional<FontFile> findFont(const char* family, bool bold) {
  const Pattern wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, bold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddInteger(wanted.get(), FC_WIDTH, FC_WIDTH_NORMAL);
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult status = FcResultNoMatch;
  const Pattern found(FcFontMatch(nullptr, wanted.get(), &status));
  FcChar8 *path = nullptr, *name = nullptr;
  if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch) return std::nullopt;
  FontFile file;
  file.path = reinterpret_cast<const char*>(path);
  FcPatternGetInteger(found.get(), FC_INDEX, 0, &file.index);
  if (FcPatternGetString(found.get(), FC_FAMILY, 0, &name) == FcResultMatch)
    file.family = reinterpret_cast<const char*>(name);
  int weight = FC_WEIGHT_REGULAR;
  if (FcPatternGetInteger(found.get(), FC_WEIGHT, 0, &weight) == FcResultMatch)
    file.weight = FcWeightToOpenType(weight);
  return file;
}

Result<std::vector<FontFile>> findFonts(bool bold) {
  if (!FcInit()) return fail(ErrorKind::BadInput, kNoFont);
  const Library library = openLibrary();
  std::vector<FontFile> files;
  std::optional<FontFile> other;
  for (const char* family : kFamilies) {
    auto file = findFont(family, bold);
    const OpenFace face = file ? openFace(library, *file) : nullptr;
    if (!face) continue;
    file->height = static_cast<double>(face->ascender - face->descender) / face->units_per_EM;
    if (file->family == family) {
      files.push_back(std::move(*file));
    } else {
      other = std::move(file);
    }
  }
  for (const char* family : kChinese) {
    auto file = findFont(family, bold);
    const OpenFace face = file && file->family == family ? openFace(library, *file) : nullptr;
    if (!face) continue;
    file->height = static_cast<double>(face->ascender - face->descender) / face->units_per_EM;
    file->large = true;
    if (files.empty() && other) files.push_back(std::move(*other));
    if (!files.empty()) files.push_back(std::move(*file));
    break;
  }
  // None of them is installed: use the font that the system offers instead.
  if (files.empty() && other) files.push_back(std::move(*other));
  if (files.empty()) return fail(ErrorKind::BadInput, kNoFont);
  return files;
}

class FreeTypeFace final : public FontFace {
 public:
  Result<void> load(const std::vector<FontFile>& files) {
    library_ = openLibrary();
    for (const FontFile& file : files) {
      OpenFace face = openFace(library_, file);
      if (!face) return fail(ErrorKind::BadInput, file.path + ": the font cannot be read; install its package again");
      faces_.push_back(std::move(face));
    }
    return {};
  }

  std::size_t fileOf(char32_t codePoint) const override {
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      if (FT_Get_Char_Index(faces_[i].get(), codePoint) != 0) return i;
    }
    return 0;
  }

  double advance(char32_t codePoint) const override {
    FT_FaceRec_* face = faceOf(codePoint);
    const FT_UInt glyph = FT_Get_Char_Index(face, codePoint);
    if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) return 0;
    return static_cast<double>(face->glyph->metrics.horiAdvance) / face->units_per_EM;
  }

  // Light hinting moves outlines in y only: stems stay where the unhinted advances put them, baselines stay sharp.
  GlyphBitmap rasterise(char32_t codePoint, double pixels, double shift) override {
    GlyphBitmap bitmap;
    FT_FaceRec_* face = faceOf(codePoint);
    const auto size = static_cast<FT_F26Dot6>(std::lround(std::clamp(pixels, 1.0, 1000.0) * kUnits));
    if (FT_Set_Char_Size(face, 0, size, 72, 72) != 0) return bitmap;
    const FT_UInt glyph = FT_Get_Char_Index(face, codePoint);
    if (FT_Load_Glyph(face, glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return bitmap;
    FT_GlyphSlot slot = face->glyph;
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
  FT_FaceRec_* faceOf(char32_t codePoint) const { return faces_[fileOf(codePoint)].get(); }

  Library library_;
  std::vector<OpenFace> faces_;  ///< in the order of fontFiles(); destroyed before the library
};

// The cached advances of measure() for one weight of the family.
class Advances {
 public:
  explicit Advances(bool bold) {
    if (auto face = FontFace::open(bold)) face_ = std::move(*face);
  }
  TextExtent measure(std::string_view text, double size) {
    const std::lock_guard lock(mutex_);
    TextExtent extent{0, size * kAscent, size * kDescent};
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

const Result<std::vector<FontFile>>& fontFiles(bool bold) {
  static const Result<std::vector<FontFile>> files[2] = {findFonts(false), findFonts(true)};
  return files[bold ? 1 : 0];
}

bool hasGlyph(char32_t codePoint) {
  static const auto files = fontFiles();
  // Shared by the whole process, as the installed typefaces are. Only one thread at a time may use FreeType's faces.
  static const Library library = openLibrary();
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static const std::vector<OpenFace> faces = [] {
    std::vector<OpenFace> opened;
    if (!files) return opened;
    for (const FontFile& file : *files)
      if (OpenFace face = openFace(library, file)) opened.push_back(std::move(face));
    return opened;
  }();
  return std::ranges::any_of(faces,
                             [&](const OpenFace& face) { return FT_Get_Char_Index(face.get(), codePoint) != 0; });
}

TextExtent measure(std::string_view text, double size, bool bold) {
  static Advances regular(false), heavy(true);
  return (bold ? heavy : regular).measure(text, size);
}

Result<std::unique_ptr<FontFace>> FontFace::open(bool bold) {
  const auto& files = fontFiles(bold);
  if (!files) return tl::unexpected<Error>(files.error());
  auto face = std::make_unique<FreeTypeFace>();
  SEPX_TRY(face->load(*files));
  return face;
}

}  // namespace sepx::render
