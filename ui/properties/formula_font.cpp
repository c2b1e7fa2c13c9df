// SPDX-License-Identifier: Apache-2.0
// Reads the font with HarfBuzz. Tall symbols are assembled from parts by the rule of the OpenType MATH table: repeat
// the extenders until the parts are tall enough, then distribute the excess over the overlaps.
#include "ui/properties/formula_font.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fontconfig/fontconfig.h>
#include <hb-ot.h>
#include <hb.h>

#include "ui/properties/tr.h"

namespace sepx::ui {

struct FormulaFont::Impl {
  struct Destroy {
    void operator()(hb_font_t* one) const { hb_font_destroy(one); }
  };
  std::string path;
  int index = 0;
  double unit = 1000;  ///< font units per em
  std::unique_ptr<hb_font_t, Destroy> font;
  Constants constants{};

  double em(hb_position_t units) const { return units / unit; }
  double constant(hb_ot_math_constant_t which) const { return em(hb_ot_math_get_constant(font.get(), which)); }
  void readConstants();
};

namespace {

constexpr const char* kFamily = "DejaVu Math TeX Gyre";

struct Place {
  std::string path;
  int index = 0;
};

/// Empty when there is no font of that family.
Place findFont() {
  Place place;
  FcPattern* const wanted = FcPatternCreate();
  FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>(kFamily));
  FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
  FcDefaultSubstitute(wanted);
  FcResult result = FcResultMatch;
  FcPattern* const found = FcFontMatch(nullptr, wanted, &result);
  if (found) {
    FcChar8 *family = nullptr, *file = nullptr;
    if (FcPatternGetString(found, FC_FAMILY, 0, &family) == FcResultMatch &&
        std::string(reinterpret_cast<const char*>(family)) == kFamily &&
        FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch) {
      place.path = reinterpret_cast<const char*>(file);
      FcPatternGetInteger(found, FC_INDEX, 0, &place.index);
    }
    FcPatternDestroy(found);
  }
  FcPatternDestroy(wanted);
  return place;
}

}  // namespace

void FormulaFont::Impl::readConstants() {
  const auto share = [this](hb_ot_math_constant_t which) { return hb_ot_math_get_constant(font.get(), which) / 100.0; };
  Constants& c = constants;
  c.script = share(HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN);
  c.scriptScript = share(HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN);
  c.axis = constant(HB_OT_MATH_CONSTANT_AXIS_HEIGHT);
  c.displayOperator = constant(HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT);
  c.subscriptDown = constant(HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN);
  c.subscriptTop = constant(HB_OT_MATH_CONSTANT_SUBSCRIPT_TOP_MAX);
  c.subscriptDrop = constant(HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN);
  c.superscriptUp = constant(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP);
  c.superscriptBottom = constant(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MIN);
  c.superscriptDrop = constant(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX);
  c.scriptGap = constant(HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN);
  c.superscriptBottomWithSub = constant(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MAX_WITH_SUBSCRIPT);
  c.afterScript = constant(HB_OT_MATH_CONSTANT_SPACE_AFTER_SCRIPT);
  c.upperGap = constant(HB_OT_MATH_CONSTANT_UPPER_LIMIT_GAP_MIN);
  c.upperRise = constant(HB_OT_MATH_CONSTANT_UPPER_LIMIT_BASELINE_RISE_MIN);
  c.lowerGap = constant(HB_OT_MATH_CONSTANT_LOWER_LIMIT_GAP_MIN);
  c.lowerDrop = constant(HB_OT_MATH_CONSTANT_LOWER_LIMIT_BASELINE_DROP_MIN);
  c.numeratorUp = constant(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_SHIFT_UP);
  c.numeratorUpDisplay = constant(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP);
  c.denominatorDown = constant(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_SHIFT_DOWN);
  c.denominatorDownDisplay = constant(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN);
  c.fractionGap = constant(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_GAP_MIN);
  c.fractionGapDisplay = constant(HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN);
  c.fractionRule = constant(HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS);
  c.overGap = constant(HB_OT_MATH_CONSTANT_OVERBAR_VERTICAL_GAP);
  c.overRule = constant(HB_OT_MATH_CONSTANT_OVERBAR_RULE_THICKNESS);
  c.rootGap = constant(HB_OT_MATH_CONSTANT_RADICAL_VERTICAL_GAP);
  c.rootGapDisplay = constant(HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP);
  c.rootRule = constant(HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS);
  c.rootAbove = constant(HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER);
  c.degreeBefore = constant(HB_OT_MATH_CONSTANT_RADICAL_KERN_BEFORE_DEGREE);
  c.degreeAfter = constant(HB_OT_MATH_CONSTANT_RADICAL_KERN_AFTER_DEGREE);
  c.degreeRaise = share(HB_OT_MATH_CONSTANT_RADICAL_DEGREE_BOTTOM_RAISE_PERCENT);
  c.accentBase = constant(HB_OT_MATH_CONSTANT_ACCENT_BASE_HEIGHT);
}

const Result<FormulaFont>& FormulaFont::shared() {
  static const Result<FormulaFont> made = []() -> Result<FormulaFont> {
    const Place place = findFont();
    hb_blob_t* const blob = place.path.empty() ? nullptr : hb_blob_create_from_file_or_fail(place.path.c_str());
    if (!blob)
      return fail(ErrorKind::BadInput, tr("The font DejaVu Math TeX Gyre, in which formulas are set, is missing; "
                                          "install fonts-dejavu-extra."));
    hb_face_t* const face = hb_face_create(blob, static_cast<unsigned>(place.index));
    auto impl = std::make_shared<Impl>();
    impl->path = place.path;
    impl->index = place.index;
    impl->unit = hb_face_get_upem(face);
    impl->font.reset(hb_font_create(face));
    const bool usable = hb_ot_math_has_data(face) && impl->unit > 0;
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    if (!usable)
      return fail(ErrorKind::BadInput, place.path + tr(": this font has no table of mathematical constants"));
    impl->readConstants();
    hb_font_make_immutable(impl->font.get());
    FormulaFont font;
    font.impl_ = std::move(impl);
    return font;
  }();
  return made;
}

const std::string& FormulaFont::path() const {
  return impl_->path;
}
int FormulaFont::index() const {
  return impl_->index;
}
const FormulaFont::Constants& FormulaFont::constants() const {
  return impl_->constants;
}

std::uint32_t FormulaFont::glyph(char32_t code) const {
  hb_codepoint_t found = 0;
  return hb_font_get_nominal_glyph(impl_->font.get(), code, &found) ? found : 0;
}

FormulaFont::Extent FormulaFont::extent(std::uint32_t glyph) const {
  hb_font_t* const font = impl_->font.get();
  Extent result;
  result.advance = impl_->em(hb_font_get_glyph_h_advance(font, glyph));
  hb_glyph_extents_t box{};
  if (hb_font_get_glyph_extents(font, glyph, &box)) {
    result.left = impl_->em(box.x_bearing);
    result.right = impl_->em(box.x_bearing + box.width);
    result.ascent = impl_->em(box.y_bearing);
    result.descent = -impl_->em(box.y_bearing + box.height);
  }
  result.italic = impl_->em(hb_ot_math_get_glyph_italics_correction(font, glyph));
  result.accent = impl_->em(hb_ot_math_get_glyph_top_accent_attachment(font, glyph));
  return result;
}

FormulaFont::Grown FormulaFont::grow(std::uint32_t glyph, double extentEm) const {
  hb_font_t* const font = impl_->font.get();
  const auto alone = [&](std::uint32_t which) {
    const Extent one = extent(which);
    return Grown{{{which, one.descent}}, one.advance, one.ascent + one.descent};
  };
  Grown best = alone(glyph);
  if (best.height >= extentEm) return best;
  std::array<hb_ot_math_glyph_variant_t, 16> variants{};
  unsigned count = variants.size();
  hb_ot_math_get_glyph_variants(font, glyph, HB_DIRECTION_TTB, 0, &count, variants.data());
  for (unsigned i = 0; i < count; ++i) {
    best = alone(variants[i].glyph);
    if (best.height >= extentEm) return best;
  }
  std::array<hb_ot_math_glyph_part_t, 8> parts{};
  count = parts.size();
  hb_position_t correction = 0;
  hb_ot_math_get_glyph_assembly(font, glyph, HB_DIRECTION_TTB, 0, &count, parts.data(), &correction);
  if (count == 0) return best;

  constexpr int kMostRepeats = 200;
  const double least = impl_->em(hb_ot_math_get_min_connector_overlap(font, HB_DIRECTION_TTB));
  std::vector<const hb_ot_math_glyph_part_t*> chain;
  double full = 0;
  for (int repeats = 0; repeats < kMostRepeats; ++repeats) {
    chain.clear();
    full = 0;
    for (unsigned i = 0; i < count; ++i) {
      const bool extender = (parts[i].flags & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER) != 0;
      for (int n = extender ? repeats : 1; n > 0; --n) {
        chain.push_back(&parts[i]);
        full += impl_->em(parts[i].full_advance);
      }
    }
    if (!chain.empty() && full - least * static_cast<double>(chain.size() - 1) >= extentEm) break;
  }
  if (chain.size() < 2) return best;
  const double spare = (full - extentEm) / static_cast<double>(chain.size() - 1);
  Grown built;
  double rise = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const Extent one = extent(chain[i]->glyph);
    if (i) {
      const double most = impl_->em(std::min(chain[i - 1]->end_connector_length, chain[i]->start_connector_length));
      rise -= std::clamp(spare, least, std::max(least, most));
    }
    built.pieces.push_back({chain[i]->glyph, rise + one.descent});
    built.advance = std::max(built.advance, one.advance);
    rise += impl_->em(chain[i]->full_advance);
  }
  built.height = rise;
  return built;
}

}  // namespace sepx::ui
