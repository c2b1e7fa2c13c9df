// SPDX-License-Identifier: Apache-2.0
// Type: every character of the interface and the lessons is in every face of the font; glyphs are rasterised for the
// scale and placed on whole pixels.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "engine/core/utf8.h"
#include "engine/render/font.h"
#include "tests/folders.h"
#include "ui/properties/formula_font.h"
#include "ui/properties/language.h"
#include "ui/properties/panel_text.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Removes // comments, unless a quote precedes them on the line.
std::string withoutComments(const std::string& source) {
  std::istringstream lines(source);
  std::string line, kept;
  while (std::getline(lines, line)) {
    const std::size_t at = line.find("//");
    const bool comment = at != std::string::npos && line.substr(0, at).find('"') == std::string::npos;
    kept += (comment ? line.substr(0, at) : line) + '\n';
  }
  return kept;
}

/// Characters from here on are East Asian: they come with their language and its font (test_language.cpp).
constexpr char32_t kFirstEastAsian = 0x2e80;

/// Characters beyond ASCII that can appear in every language, each with a file that contains it.
std::map<char32_t, std::string> charactersInUse() {
  std::map<char32_t, std::string> found;
  for (const char* folder : {"ui", "app", "assets/lessons"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(tests::sourceFolder()) / folder)) {
      const std::string extension = entry.path().extension().string(), name = entry.path().filename().string();
      const bool source = extension == ".cpp" || extension == ".h";
      if (!source && extension != ".md") continue;
      if (name.rfind("formula", 0) == 0) continue;  // typesets mathematics from outlines, without the atlas
      const std::string text = source ? withoutComments(read(entry.path())) : read(entry.path());
      for (const char32_t c : decodeUtf8(text))
        if (c >= 0x80 && c < kFirstEastAsian) found.emplace(c, entry.path().string());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Every character in use is in every face of the font", "[type]") {
  const auto used = charactersInUse();
  REQUIRE(used.size() > 20);
  REQUIRE(used.count(U'π') == 1);
  ImguiContext context;
  context.prepare(*findTheme("dark"), 1);
  for (const auto& [c, file] : used) {
    INFO("U+" << std::hex << static_cast<unsigned>(c) << " of " << file);
    CHECK(inFontAtlas(c));
    for (const TextStyle style : {TextStyle::Body, TextStyle::Small, TextStyle::Title, TextStyle::Lesson,
                                  TextStyle::Strong, TextStyle::LessonStrong, TextStyle::LessonSlanted}) {
      CHECK(textFont(style)->FindGlyphNoFallback(static_cast<ImWchar>(c)) != nullptr);
    }
  }
}

TEST_CASE("Greek letters, subscripts and mathematical signs are in the font", "[type]") {
  ImguiContext context;
  context.prepare(*findTheme("light"), 1);
  for (const char32_t c : std::u32string(U"αβγδεηθκλμπρστφχψωΓΔΘΛΠΣΦΨΩ₀₁₂₃₄₅₆₇₈₉²³∂∇∑√∞≈≠≤≥±×·→←↔∈ℝ")) {
    INFO("U+" << std::hex << static_cast<unsigned>(c));
    CHECK(textFont(TextStyle::Body)->FindGlyphNoFallback(static_cast<ImWchar>(c)) != nullptr);
  }
}

TEST_CASE("Letters of symbols are italic in panels and share the baseline of the text", "[type]") {
  ImguiContext context;
  context.prepare(*findTheme("dark"), 1);
  for (const TextStyle style : {TextStyle::Body, TextStyle::Lesson}) {
    const ImFont& font = *textFont(style);
    for (const char32_t letter : std::u32string(U"ABWYZaekqwxzαβθσπ")) {
      INFO("U+" << std::hex << static_cast<unsigned>(letter));
      const ImFontGlyph* const glyph = font.FindGlyphNoFallback(static_cast<ImWchar>(panelLetter(letter)));
      REQUIRE(glyph);
      CHECK(glyph->Visible);
      CHECK(glyph->AdvanceX > 0.2f * font.FontSize * 0.5f);
      // A letter without a descender ends at the baseline.
      if (letter == U'W' || letter == U'A') CHECK(glyph->Y1 == Approx(font.Ascent).margin(1.01));
    }
  }
  const ImFontGlyph& slanted = *textFont(TextStyle::Body)->FindGlyphNoFallback(static_cast<ImWchar>(panelLetter(U'W')));
  ImGui::GetIO().DisplaySize = ImVec2(1280, 720);
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  int found = 0;
  for (int frame = 0; frame < 3; ++frame) {  // a window is hidden until its size is known
    ImGui::NewFrame();
    ImGui::Begin("text");
    panelText("the matrix W_qk", 300);
    CHECK(typesetLineWidth("W_qk") < imguiWidth("W_qk"));  // no underscore, and smaller subscripts
    ImGui::End();
    ImGui::Render();
    for (int i = 0; i < ImGui::GetDrawData()->CmdListsCount; ++i)
      for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[i]->VtxBuffer)
        found += vertex.uv.x == slanted.U0 && vertex.uv.y == slanted.V0 ? 1 : 0;
  }
  CHECK(found > 0);
}

TEST_CASE("Letters of a formula within a text have the height of the text's letters", "[type]") {
  const Result<FormulaFont>& face = FormulaFont::shared();
  REQUIRE(face);
  const double formulaLetter = face->extent(face->glyph(U'x')).ascent;
  for (const std::string& key : themeKeys()) {
    for (const float scale : {1.0f, 2.0f}) {
      ImguiContext context;
      context.prepare(*findTheme(key), scale);
      for (const TextStyle style : {TextStyle::Body, TextStyle::Strong, TextStyle::Lesson}) {
        const ImFont& font = *textFont(style);
        const ImFontGlyph& letter = *font.FindGlyphNoFallback('x');
        const float size = 20;
        INFO(key << " " << scale);
        const double beside = formulaSizeIn(font, size, *face) * formulaLetter;
        CHECK(beside == Approx(size * (letter.Y1 - letter.Y0) / font.FontSize).epsilon(0.12));
      }
    }
  }
}

TEST_CASE("Type is rasterised for every scale and theme", "[type]") {
  ImguiContext context;
  int generation = 0;
  for (const std::string& key : {std::string("dark"), std::string("projector")}) {
    for (const float scale : {1.0f, 1.5f, 2.0f, 3.0f}) {
      const Theme& theme = *findTheme(key);
      INFO(key << " at " << scale);
      const int now = context.prepare(theme, scale);
      CHECK(now == ++generation);
      CHECK(context.prepare(theme, scale) == now);
      const auto line = [](float em) { return std::round(em * float(render::kAscent + render::kDescent)); };
      CHECK(textFont(TextStyle::Body)->FontSize == Approx(line(theme.textSize * scale)));
      CHECK(textFont(TextStyle::Small)->FontSize == Approx(line(theme.smallSize * scale)));
      // A digit is as wide as in pictures, up to rounding to whole pixels.
      CHECK(textFont(TextStyle::Body)->GetCharAdvance(L'0') ==
            Approx(render::measure("0", double{theme.textSize} * scale).width).margin(1));
      // The line height in points is that of the theme.
      ImGui::GetIO().DisplaySize = ImVec2(1280, 720);
      ImGui::GetIO().DeltaTime = 1.0f / 60;
      for (int frame = 0; frame < 3; ++frame) {  // a window is hidden until its size is known
        ImGui::NewFrame();
        CHECK(ImGui::GetFontSize() == Approx(line(theme.textSize * scale) / scale));
        ImGui::Begin("text");
        ImGui::TextUnformatted("p + q = 1, π, e₁");
        ImGui::End();
        ImGui::Render();
      }
      context.snapText(ImGui::GetDrawData());
      const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
      std::size_t glyphs = 0;
      for (int i = 0; i < ImGui::GetDrawData()->CmdListsCount; ++i) {
        for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[i]->VtxBuffer) {
          if (vertex.uv.x == white.x && vertex.uv.y == white.y) continue;
          const float pixel = vertex.pos.x * scale;
          if (scale != std::floor(scale)) CHECK(std::abs(pixel - std::round(pixel)) < 0.01f);
          ++glyphs;
        }
      }
      CHECK(glyphs > 20);
      // The largest atlas that every device accepts.
      CHECK(ImGui::GetIO().Fonts->TexHeight <= 16384);
      CHECK(ImGui::GetIO().Fonts->TexWidth <= 16384);
    }
  }
}

TEST_CASE("The atlas of a language with many characters does not exceed the largest image of the device", "[type]") {
  constexpr char32_t kFirst = 0x4E00;  // the character for "one", which is also in the catalogue
  if (!render::hasGlyph(kFirst)) {
    WARN("not checked: no typeface with Chinese characters is installed (package fonts-noto-cjk)");
    return;
  }
  struct English {
    ~English() { static_cast<void>(setLanguage(kEnglish)); }
  } english;
  // At 6 pixels per point the catalogue alone is too large; at 3, the characters of a lesson. The pseudo language keeps
  // the characters of other tests.
  struct Case {
    const char* language;
    float scale;
    int added, mostSide;
  };
  for (const auto& [language, scale, added, mostSide] :
       {Case{"zh_CN", 6, 0, 16384}, Case{"pseudo", 3, 2600, 16384}, Case{"pseudo", 3, 2600, 4096}}) {
    INFO(language << " at " << scale << ", sides up to " << mostSide);
    REQUIRE(setLanguage(language));
    std::string more;
    for (int i = 0; i < added; ++i)
      appendUtf8(more, kFirst + static_cast<char32_t>(i));
    addLanguageCharacters(more);
    ImguiContext context;
    const Theme& theme = *findTheme("projector");
    const int generation = context.prepare(theme, scale, mostSide);
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    CHECK(atlas.TexWidth <= mostSide);
    CHECK(atlas.TexHeight <= mostSide);
    CHECK(atlas.TexWidth >= 4096);
    CHECK(context.prepare(theme, scale, mostSide) == generation);
    // Every face has the characters, and the line height in points is that of other scales.
    for (const TextStyle style : {TextStyle::Small, TextStyle::Title, TextStyle::LessonSlanted})
      CHECK(textFont(style)->FindGlyphNoFallback(ImWchar{kFirst}) != nullptr);
    const double line = theme.textSize * (render::kAscent + render::kDescent);
    CHECK(textFont(TextStyle::Body)->FontSize * ImGui::GetIO().FontGlobalScale == Approx(line).epsilon(0.05));
  }
}

TEST_CASE("Themes with the same text sizes share the atlas", "[type]") {
  ImguiContext context;
  const int first = context.prepare(*findTheme("dark"), 1);
  CHECK(context.prepare(*findTheme("light"), 1) == first);
  CHECK(context.prepare(*findTheme("projector"), 1) == first + 1);
}

}  // namespace sepx::ui
