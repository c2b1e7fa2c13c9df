// SPDX-License-Identifier: Apache-2.0
// Readability from the last row: in the projector theme on a stage of 1920x1080 no text (of pictures or of ImGui) is
// smaller than 28 pixels, no line of a picture is thinner than 2 pixels, and text has a contrast of at least 7:1.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>
#include <catch2/catch.hpp>

#include "app/data_files.h"
#include "app/lesson_tour.h"
#include "engine/render/scene.h"
#include "tests/ui/page/words_readable.h"
#include "ui/canvas/theme.h"

using namespace sepx;

namespace {

constexpr gpu::Extent kStage{1920, 1080};
constexpr float kScale = 2;  // used on a stage of this width, whatever the monitor reports (workbench_frame.cpp)
constexpr double kLeastText = 28, kLeastLine = 2, kRounding = 1e-3, kLeastContrast = 7;
constexpr double kScript = 0.73;  // ui/properties/symbols.h: subscripts and superscripts are smaller than their text

/// One or two mathematical letters (U+1D400 to U+1D7FF): a script, or a symbol name, which is larger anyway.
bool isScript(const std::string& text) {
  return text.size() <= 8 && text.size() % 4 == 0 && text.starts_with("\xF0\x9D");
}

/// Texts and lines of the visible pictures that are too small, by layer.
std::set<std::string> tooSmall(const ui::Workbench& workbench) {
  std::set<std::string> all;
  for (const render::PlacedScene& placed : workbench.scenes()) {
    for (const render::Layer& layer : placed.scene->layers) {
      double before = 0;  // size of the text before a script
      for (const render::Item& item : layer.items) {
        if (const auto* const label = std::get_if<render::Label>(&item)) {
          const double size = label->size;
          const bool index = isScript(label->text) || std::abs(size - kScript * before) < kRounding * before;
          const double least = index ? kScript * kLeastText : kLeastText;
          if (!index) before = size;
          if (!label->text.empty() && kScale * label->size < least - kRounding)
            all.insert(layer.name + ": \"" + label->text + "\" " + std::to_string(kScale * label->size));
        } else if (const auto* const line = std::get_if<render::Polyline>(&item)) {
          if (line->stroke.color.a > 0 && kScale * line->stroke.width < kLeastLine - kRounding)
            all.insert(layer.name + ": a line of " + std::to_string(kScale * line->stroke.width));
        }
      }
    }
  }
  return all;
}

/// A glyph of ImGui's atlas, found by its texture coordinates.
struct Glyph {
  const ImFont* font = nullptr;
  const ImFontGlyph* glyph = nullptr;
};
using Corner = std::pair<float, float>;

std::map<Corner, Glyph> glyphsOfAtlas() {
  std::map<Corner, Glyph> all;
  for (const ImFont* const font : ImGui::GetIO().Fonts->Fonts)
    for (const ImFontGlyph& glyph : font->Glyphs)
      if (glyph.Visible) all[{glyph.U0, glyph.V0}] = {font, &glyph};
  return all;
}

/// The smaller contrast of a glyph with the surface and the background of the theme; one of the two is under it.
double contrastOf(ImU32 color, const ui::Theme& theme) {
  const ImVec4 rgba = ImGui::ColorConvertU32ToFloat4(color);
  const auto over = [&](const render::Color& ground) {
    const auto mix = [&](float own, float under) { return rgba.w * own + (1 - rgba.w) * under; };
    return render::Color{mix(rgba.x, ground.r), mix(rgba.y, ground.g), mix(rgba.z, ground.b), 1};
  };
  return std::min(ui::contrast(over(theme.surface), theme.surface),
                  ui::contrast(over(theme.background), theme.background));
}

/// Texts of ImGui that are too small or too faint; `looked` counts the glyphs.
std::set<std::string> faultsOfInterface(const ui::Theme& theme, std::size_t& looked) {
  std::set<std::string> all;
  const auto glyphs = glyphsOfAtlas();
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int list = 0; list < data.CmdListsCount; ++list) {
    const ImDrawList& drawn = *data.CmdLists[list];
    // A glyph is a quad; its first corner has the texture coordinates of the glyph.
    for (int i = 0; i + 5 < drawn.IdxBuffer.Size; ++i) {
      const ImDrawVert &first = drawn.VtxBuffer[drawn.IdxBuffer[i]], &third = drawn.VtxBuffer[drawn.IdxBuffer[i + 2]];
      const auto found = glyphs.find({first.uv.x, first.uv.y});
      if (found == glyphs.end() || third.uv.x != found->second.glyph->U1 || third.uv.y != found->second.glyph->V1)
        continue;
      ++looked;
      const ImFontGlyph& glyph = *found->second.glyph;
      const double enlarged = (third.pos.y - first.pos.y) / (glyph.Y1 - glyph.Y0);
      const double size = kScale * found->second.font->FontSize * enlarged;
      const std::string what = "U+" + std::to_string(glyph.Codepoint) + " in list " + std::to_string(list);
      if (size < kScript * kLeastText - 0.5) all.insert(what + ": " + std::to_string(size) + " pixels");
      if (const double contrast = contrastOf(first.col, theme); contrast < kLeastContrast)
        all.insert(what + ": " + std::to_string(contrast) + ":1");
    }
  }
  return all;
}

void checkLesson(const std::string& path) {
  CAPTURE(path);
  app::Options options;
  options.size = kStage;
  options.theme = "projector";
  options.threads = 1;
  auto tour = app::LessonTour::begin(options, path, true);
  INFO((tour ? std::string() : tour.error().message));
  REQUIRE(tour);
  std::size_t glyphs = 0;
  for (;;) {
    const auto more = (*tour)->next();
    INFO((more ? std::string() : more.error().message));
    REQUIRE(more);
    if (!*more) break;
    CAPTURE((*tour)->step());
    const ui::Workbench& stage = (*tour)->shown().workbench();
    for (const std::string& one : tooSmall(stage))
      CHECK(one == "");
    for (const render::PlacedScene& placed : stage.scenes())
      CHECK(ui::contrastFaults(*placed.scene, *ui::findTheme("projector")) == "");
    for (const std::string& one : faultsOfInterface(*ui::findTheme("projector"), glyphs))
      CHECK(one == "");
  }
  CHECK(glyphs > 100 * (*tour)->lesson().steps.size());  // at least the text of the lesson
}

}  // namespace

TEST_CASE("Text sizes and lines of the projector theme are large enough for a stage", "[projector]") {
  const ui::Theme& theme = *ui::findTheme("projector");
  for (const float size : {theme.smallSize, theme.textSize, theme.lessonSize, theme.titleSize})
    CHECK(kScale * size >= kLeastText);
  CHECK(kScale * theme.lineWidth >= kLeastLine);
  CHECK(kScale * theme.strongLine >= kLeastLine);
  for (const render::Color& ground : {theme.background, theme.surface, theme.surfaceRaised, theme.plotBackground}) {
    CHECK(ui::contrast(theme.text, ground) >= kLeastContrast);
    CHECK(ui::contrast(theme.textMuted, ground) >= kLeastContrast);
  }
}

TEST_CASE("No step of the opening lesson has small text or thin lines on a stage", "[projector]") {
  const auto lesson = app::openingLesson();
  REQUIRE(lesson);
  checkLesson(*lesson);
}

TEST_CASE("No step of any lesson has small text or thin lines on a stage", "[.][long][projector]") {
  for (const app::LessonFile& lesson : app::lessons())
    checkLesson(lesson.path);
}
