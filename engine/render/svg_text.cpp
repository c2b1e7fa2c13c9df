// SPDX-License-Identifier: Apache-2.0
#include "engine/render/svg_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "engine/core/utf8.h"
#include "engine/render/font.h"
#include "engine/render/font_subset.h"

namespace sepx::render::svg {
std::string num(double value) {
  std::string text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char32_t code : decodeUtf8(text)) {
    switch (code) {
      case U'&':
        out += "&amp;";
        break;
      case U'<':
        out += "&lt;";
        break;
      case U'>':
        out += "&gt;";
        break;
      case U'"':
        out += "&quot;";
        break;
      case U'\t':
      case U'\n':
        appendUtf8(out, code);
        break;
      default:
        appendUtf8(out, code < 0x20 || code == 0xFFFE || code == 0xFFFF ? U'\uFFFD' : code);
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

std::string paint(const char* what, const Color& color, double alpha) {
  const auto part = [](float x) { return static_cast<int>(std::lround(std::clamp(x, 0.0F, 1.0F) * 255)); };
  std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, part(color.r), part(color.g), part(color.b));
  const double opacity = std::max(0.0, color.a * alpha);
  if (opacity < 1) text += fmt::format(" {}-opacity=\"{}\"", what, num(opacity));
  return text;
}

std::string fontFaceRules(const std::set<char32_t>& regular, const std::set<char32_t>& bold) {
  std::string faces;
  for (const bool heavy : {false, true}) {
    const auto& files = fontFiles(heavy);
    const auto face = FontFace::open(heavy);
    if (!files || !face) continue;  // the document still names the families
    std::vector<std::set<char32_t>> of(files->size());
    for (const char32_t code : heavy ? bold : regular)
      of[(*face)->fileOf(code)].insert(code);
    for (std::size_t i = 0; i < files->size(); ++i) {
      if (of[i].empty()) continue;
      const FontFile& file = (*files)[i];
      const Result<std::string> font = fontSubset(file, of[i]);
      if (!font) continue;
      faces += fmt::format("@font-face{{font-family:\"{}\";font-weight:{};src:url(data:font/ttf;base64,{})}}\n",
                           file.family, file.weight, base64(*font));
    }
  }
  return faces;
}

std::string fontFaces(const std::set<char32_t>& regular, const std::set<char32_t>& bold) {
  const std::string rules = fontFaceRules(regular, bold);
  return rules.empty() ? rules : "<style>\n" + rules + "</style>\n";
}

std::string familyNames() {
  std::string names;
  if (const auto& files = fontFiles()) {
    for (const FontFile& file : *files)
      names += escaped(file.family) + ", ";
  }
  return names + "sans-serif";
}

int boldWeight() {
  const auto& files = fontFiles(true);
  return files ? files->front().weight : 700;
}

}  // namespace sepx::render::svg
