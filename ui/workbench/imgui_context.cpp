// SPDX-License-Identifier: Apache-2.0
// Fonts and style of the interface.
#include "ui/workbench/imgui_context.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <new>
#include <vector>

#include <imgui/imgui_freetype.h>

#include "engine/core/file.h"
#include "engine/core/log.h"
#include "engine/render/font.h"
#include "ui/properties/control_size.h"
#include "ui/properties/language.h"
#include "ui/workbench/imgui_input.h"

namespace sepx::ui {
namespace {

// Latin, Latin-1, Greek, punctuation, sub- and superscripts, arrows, mathematics, shapes: the characters of labels and
// lessons. Many narrow ranges keep the atlas small, so that the program starts quickly.
constexpr ImWchar kRanges[] = {0x0020, 0x007E, 0x00A0, 0x017F, 0x0302, 0x0303, 0x0391, 0x03C9, 0x03D1, 0x03D6,
                               0x2010, 0x2026, 0x2030, 0x203A, 0x2070, 0x209C, 0x2102, 0x2102, 0x210B, 0x210B,
                               0x2112, 0x2112, 0x211D, 0x211D, 0x2190, 0x2199, 0x21D0, 0x21D4, 0x2200, 0x220F,
                               0x2211, 0x221E, 0x2223, 0x222B, 0x2248, 0x2248, 0x2260, 0x2265, 0x226A, 0x226B,
                               0x2295, 0x22A5, 0x22C5, 0x22EF, 0x2423, 0x2423, 0x24D8, 0x24D8, 0x2500, 0x2502,
                               0x25A0, 0x25CF, 0x2605, 0x2606, 0x2713, 0x2717, 0};

// The characters for the name of the program in large letters.
constexpr ImWchar kDisplayRanges[] = {0x0020, 0x007E, 0};

struct Face {
  float Theme::*size;
  bool bold, slanted = false;
  float enlarged = 1;
  const ImWchar* ranges = kRanges;
};
constexpr std::array<Face, 8> kFaces{{{&Theme::textSize, false},
                                      {&Theme::smallSize, false},
                                      {&Theme::titleSize, true},
                                      {&Theme::lessonSize, false},
                                      {&Theme::textSize, true},
                                      {&Theme::lessonSize, true},
                                      {&Theme::lessonSize, false, true},
                                      {&Theme::titleSize, true, false, 1.9f, kDisplayRanges}}};

/// Em size in points, at scale 1.
float emOf(const Face& face, const Theme& theme) {
  return theme.*face.size * face.enlarged;
}

/// Largest number of texels of an atlas: 256 MiB on the device. A theme with large type, at a large scale, with
/// thousands of Chinese characters would need several times as many.
constexpr double kMostTexels = 1 << 26;
/// Image side in pixels that every device supports: Vulkan requires it.
constexpr int kLeastAtlasSide = 4096;
/// Wide enough for kMostTexels; the width that ImGui chooses itself is at most half of it.
constexpr int kWideAtlas = 8192;
/// Total area, in square em, of the glyphs of kRanges and of kDisplayRanges, in Open Sans and DejaVu Sans.
constexpr double kLatinArea = 245, kDisplayArea = 30;
/// Side, in em, of a square with the average area of a glyph of Noto Sans CJK.
constexpr double kCharacterSide = 0.95;
/// Ratio of all rows of the atlas to those that glyphs fill.
constexpr double kPacked = 1.1;

/// The characters of a language beyond kRanges, as ranges of one character each. One list per process, because every
/// atlas keeps a pointer to it until it is built. Frame thread.
std::vector<ImWchar>& languageRanges() {
  static std::vector<ImWchar> ranges;
  return ranges;
}

/// Estimated number of texels of the atlas if its fonts are rasterised at this scale.
double texelsOf(const Theme& theme, float rasterScale) {
  const double characters = static_cast<double>(languageRanges().size() / 2);
  double texels = 0;
  for (const Face& face : kFaces) {
    const double em = double{emOf(face, theme)} * rasterScale, side = kCharacterSide * em + 1;
    texels += em * em * (face.ranges == kRanges ? kLatinArea : kDisplayArea);
    if (face.ranges == kRanges) texels += characters * side * side;
  }
  return kPacked * texels;
}

/// `pixelsPerPoint`, or less if the atlas would be too large.
float rasterScaleFor(const Theme& theme, float pixelsPerPoint, int mostSide) {
  const double most = std::min(kMostTexels, double{1} * mostSide * mostSide);
  float scale = pixelsPerPoint;
  for (double texels = texelsOf(theme, scale); texels > most; texels = texelsOf(theme, scale))
    scale *= static_cast<float>(0.99 * std::sqrt(most / texels));
  return scale;
}

/// Dear ImGui does not check for a failed allocation, so the allocator throws std::bad_alloc if there is no memory.
ImGuiContext* makeContext() {
  const auto allocate = [](std::size_t size, void*) {
    void* const made = std::malloc(size);
    if (made == nullptr && size > 0) throw std::bad_alloc();
    return made;
  };
  ImGui::SetAllocatorFunctions(allocate, [](void* made, void*) { std::free(made); });
  return ImGui::CreateContext();
}

/// The content of a large font file, read once for all faces and kept. One copy per process, like the installed
/// typefaces: each window has a context of its own. Frame thread.
const std::string& bytesOf(const std::string& path) {
  static std::map<std::string, std::string> kept;
  const auto [entry, fresh] = kept.try_emplace(path);
  if (fresh) entry->second = readFile(path).value_or(std::string());
  return entry->second;
}

/// Merges the characters of a language into the previous face.
void addLanguage(ImFontAtlas& atlas, const render::FontFile& file, ImFontConfig config, float pixels) {
  const std::string& bytes = bytesOf(file.path);
  if (languageRanges().size() < 2 || bytes.empty()) return;
  config.FontDataOwnedByAtlas = false;
  // The atlas does not write to the data that it is given.
  atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()), pixels, &config,
                             languageRanges().data());
}

/// Adds a font of `em` pixels; characters that the first file lacks are taken from the next. The font reader scales
/// ascender plus descender to the requested height.
void addFace(ImFontAtlas& atlas, const Face& face, float em) {
  const auto& files = render::fontFiles(face.bold);
  if (!files) {
    atlas.AddFontDefault();  // the small built-in one: Latin only
    return;
  }
  for (const render::FontFile& file : *files) {
    if (file.family == render::kSymbolFamily) continue;  // ImGui's characters have 16 bits
    ImFontConfig config;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (face.slanted) config.FontBuilderFlags |= ImGuiFreeTypeBuilderFlags_Oblique;
    config.FontNo = file.index;
    config.MergeMode = &file != files->data();
    const float pixels = em * static_cast<float>(file.height);
    if (!file.large) {
      atlas.AddFontFromFileTTF(file.path.c_str(), pixels, &config, face.ranges);
    } else if (face.ranges == kRanges) {
      addLanguage(atlas, file, config, pixels);
    }
  }
}

/// Sets the line height to that of pictures, whatever the font file says: the lines of Open Sans leave room for two
/// accents.
void setLine(ImFont& font, float em) {
  const float ascent = std::round(em * static_cast<float>(render::kAscent)), down = ascent - std::round(font.Ascent);
  for (ImFontGlyph& glyph : font.Glyphs) {
    glyph.Y0 += down;
    glyph.Y1 += down;
  }
  font.Ascent = ascent;
  font.FontSize = std::round(em * static_cast<float>(render::kAscent + render::kDescent));
  font.Descent = ascent - font.FontSize;
}

ImVec4 mix(render::Color a, render::Color b, float share, float alpha = 1) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share, alpha};
}

}  // namespace

ImVec4 toImVec4(render::Color color) {
  return {color.r, color.g, color.b, color.a};
}
ImU32 toImU32(render::Color color) {
  return ImGui::ColorConvertFloat4ToU32(toImVec4(color));
}

bool inFontAtlas(char32_t codePoint) {
  const auto isIn = [codePoint](const ImWchar* range) {
    for (; *range; range += 2)
      if (codePoint >= range[0] && codePoint <= range[1]) return true;
    return false;
  };
  return isIn(kRanges) || (!languageRanges().empty() && isIn(languageRanges().data()));
}

float buttonWidth(const char* words) {
  return ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x;
}

ImguiContext::ImguiContext() : context_(makeContext()) {
  makeCurrent();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the document and the settings keep state, not ImGui
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would draw frames for ever
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors | ImGuiBackendFlags_RendererHasVtxOffset;
  io.UserData = &formulas_;
  io.BackendLanguageUserData = &picture_;
  ImguiInput::setKeyMap(io);
}

ImguiContext::~ImguiContext() {
  makeCurrent();
  ImGui::DestroyContext(context_);
}

void ImguiContext::makeCurrent() const {
  ImGui::SetCurrentContext(context_);
}

int ImguiContext::prepare(const Theme& theme, float pixelsPerPoint, int mostSide) {
  mostSide = std::clamp(mostSide, kLeastAtlasSide, kMostAtlasSide);
  std::array<float, kFaces.size()> sizes{};
  for (std::size_t i = 0; i < kFaces.size(); ++i)
    sizes[i] = theme.*kFaces[i].size;
  const std::uint64_t language = languageRevision();
  if (pixelsPerPoint != scale_ || mostSide != mostSide_ || formulas_.needsAtlasUpdate() ||
      picture_.needsAtlasUpdate() || language != language_ ||
      !std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end())) {
    mostSide_ = mostSide;
    buildFonts(theme, pixelsPerPoint);
    scale_ = pixelsPerPoint;
    language_ = language;
    sizes_.assign(sizes.begin(), sizes.end());
    ++generation_;
  }
  if (theme.key != theme_) {
    applyStyle(theme);
    theme_ = theme.key;
  }
  return generation_;
}

void ImguiContext::snapText(ImDrawData* data) const {
  if (scale_ == std::floor(scale_)) return;
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (int i = 0; i < data->CmdListsCount; ++i) {
    for (ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer) {
      // Everything but glyphs is drawn with the white pixel.
      if (vertex.uv.x == white.x && vertex.uv.y == white.y) continue;
      vertex.pos.x = std::round(vertex.pos.x * scale_) / scale_;
      vertex.pos.y = std::round(vertex.pos.y * scale_) / scale_;
    }
  }
}

void ImguiContext::buildAtlas(const Theme& theme, float pixelsPerPoint, float rasterScale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  // Used from half of kMostTexels on, because the number of texels is only an estimate.
  const bool wide = texelsOf(theme, rasterScale) > 0.5 * kMostTexels && mostSide_ >= kWideAtlas;
  atlas.TexDesiredWidth = wide ? kWideAtlas : 0;
  for (const Face& face : kFaces)
    addFace(atlas, face, emOf(face, theme) * rasterScale);
  symbols_ = {};
  for (const TextStyle style : {TextStyle::Body, TextStyle::Lesson})
    symbols_.reserve(atlas, *textFont(style), emOf(kFaces[static_cast<std::size_t>(style)], theme) * rasterScale);
  formulas_.reserve(atlas, pixelsPerPoint);
  picture_.reserve(atlas);
  atlas.Build();
}

void ImguiContext::buildFonts(const Theme& theme, float pixelsPerPoint) {
  constexpr int kTries = 8;
  constexpr float kCoarser = 0.8f;
  ImGuiIO& io = ImGui::GetIO();
  languageRanges().clear();
  for (const char32_t code : languageCharacters()) {
    if (code <= 0xFFFF) languageRanges().insert(languageRanges().end(), 2, static_cast<ImWchar>(code));
  }
  languageRanges().push_back(0);
  float rasterScale = rasterScaleFor(theme, pixelsPerPoint, mostSide_);
  buildAtlas(theme, pixelsPerPoint, rasterScale);
  const auto tooLarge = [&] { return std::max(io.Fonts->TexWidth, io.Fonts->TexHeight) > mostSide_; };
  for (int i = 0; i < kTries && tooLarge(); ++i) {  // the estimate was too small for the typeface that is installed
    rasterScale *= kCoarser;
    buildAtlas(theme, pixelsPerPoint, rasterScale);
  }
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  for (std::size_t i = 0; i < kFaces.size() && render::fontFiles(); ++i)
    setLine(*io.Fonts->Fonts[static_cast<int>(i)], emOf(kFaces[i], theme) * rasterScale);
  symbols_.fill(*io.Fonts);
  formulas_.fill(*io.Fonts);
  picture_.fill(*io.Fonts);
  io.FontGlobalScale = 1.0f / rasterScale;
  spdlog::debug("font atlas {}x{}, {:.2f} pixels a point", width, height, rasterScale);
}

void ImguiContext::applyStyle(const Theme& theme) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(1.5f * theme.space, 1.5f * theme.space);
  // Buttons and fields are at least 24 points high, so that they are easy to click.
  const float line = std::round(theme.textSize * static_cast<float>(render::kAscent + render::kDescent));
  style.FramePadding =
      ImVec2(theme.space, std::max(0.5f * theme.space, (static_cast<float>(kLeastControl) - line) / 2));
  style.SelectableTextAlign = ImVec2(0, 0.5f);
  style.ItemSpacing = ImVec2(theme.space, 0.75f * theme.space);
  style.ItemInnerSpacing = ImVec2(0.75f * theme.space, 0.5f * theme.space);
  style.ScrollbarSize = 1.5f * theme.space;
  style.GrabMinSize = 1.5f * theme.space;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = theme.frameBorder;
  style.PopupBorderSize = 1;
  style.WindowRounding = 0;
  style.FrameRounding = style.GrabRounding = style.PopupRounding = theme.radius;
  style.ChildRounding = style.ScrollbarRounding = theme.radius;
  style.WindowMinSize = ImVec2(1, 1);
  style.DisplaySafeAreaPadding = ImVec2(0, 0);
  style.AntiAliasedLinesUseTex = false;

  const auto set = [&style](ImGuiCol which, ImVec4 color) { style.Colors[which] = color; };
  const ImVec4 frame = mix(theme.surface, theme.text, 0.08f), hovered = mix(theme.surface, theme.text, 0.14f),
               active = mix(theme.surface, theme.text, 0.20f);
  set(ImGuiCol_Text, toImVec4(theme.text));
  set(ImGuiCol_TextDisabled, toImVec4(theme.textMuted));
  set(ImGuiCol_WindowBg, toImVec4(theme.surface));
  set(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0));
  set(ImGuiCol_PopupBg, toImVec4(theme.surfaceRaised));
  set(ImGuiCol_Border, toImVec4(theme.border));
  set(ImGuiCol_Separator, toImVec4(theme.border));
  for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Header})
    set(which, frame);
  for (const ImGuiCol which : {ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered})
    set(which, hovered);
  for (const ImGuiCol which : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
    set(which, active);
  for (const ImGuiCol which : {ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_CheckMark}) {
    set(which, toImVec4(theme.accent));
  }
  set(ImGuiCol_TextSelectedBg, mix(theme.accent, theme.surface, 0.3f, 0.5f));
  set(ImGuiCol_ScrollbarBg, ImVec4(0, 0, 0, 0));
  set(ImGuiCol_ScrollbarGrab, hovered);
  set(ImGuiCol_ScrollbarGrabHovered, active);
  set(ImGuiCol_ScrollbarGrabActive, active);
  set(ImGuiCol_PlotHistogram, toImVec4(theme.accent));
  set(ImGuiCol_NavHighlight, toImVec4(theme.accent));
  set(ImGuiCol_TableHeaderBg, toImVec4(theme.surfaceRaised));
  set(ImGuiCol_TableBorderStrong, toImVec4(theme.border));
  set(ImGuiCol_TableBorderLight, toImVec4(theme.border));
  set(ImGuiCol_TableRowBg, ImVec4(0, 0, 0, 0));
  set(ImGuiCol_TableRowBgAlt, mix(theme.surface, theme.text, 0.03f));
  set(ImGuiCol_TitleBg, toImVec4(theme.surfaceRaised));
  set(ImGuiCol_TitleBgActive, toImVec4(theme.surfaceRaised));
  ImGui::GetStyle() = style;
}

}  // namespace sepx::ui
