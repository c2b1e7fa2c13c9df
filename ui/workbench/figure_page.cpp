// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/figure_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/render/font.h"

namespace sepx::ui {

namespace {

constexpr float kVectorPixels = 2;     // a unit, at which the pictures inside a vector figure are computed
constexpr double kMostCaption = 0.45;  // of the page
constexpr double kLeading = 1.4;       // line to line, in text sizes

double inset(const Theme& theme) {
  return 1.5 * theme.space;
}

double linesHeight(std::size_t lines, const Theme& theme) {
  return lines == 0 ? 0 : kLeading * theme.smallSize * static_cast<double>(lines) + 1.5 * theme.space;
}

std::string letter(std::size_t pane) {
  return std::string(1, static_cast<char>('a' + pane));
}

/// "+", "%": nothing that a line may begin or end with.
bool isSign(const std::string& word) {
  return word.size() == 1 && word.find_first_of("+-=<>%") == 0;
}

/// What stays together: "p + q < 1", "55.8 %".
std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  bool glued = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const bool sign = isSign(word);
    const bool glues = sign && word != "%";
    if (!words.empty() && (glued || sign)) {
      words.back() += " " + word;
    } else {
      words.push_back(std::move(word));
    }
    glued = glues;
  }
  return words;
}

std::vector<std::string> wrapped(const std::string& text, double width, const Theme& theme) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& word : wordsOf(text)) {
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && render::measure(longer, theme.smallSize).width > width) {
      lines.push_back(std::move(line));
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

/// "(a, c)": the panes that have this caption.
std::string lettersOf(const std::vector<std::string>& captions, const std::string& caption) {
  std::string letters;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    if (captions[i] == caption) letters += (letters.empty() ? "" : ", ") + letter(i);
  }
  return "(" + letters + ")";
}

/// All captions as one text, each once behind the letters of its panes.
std::string joined(const std::vector<std::string>& captions) {
  if (captions.empty()) return {};
  if (captions.size() == 1) return captions.front();
  std::string all;
  for (auto one = captions.begin(); one != captions.end(); ++one) {
    if (one->empty() || std::find(captions.begin(), one, *one) != one) continue;  // said already
    all += fmt::format("{}{} {}", all.empty() ? "" : " ", lettersOf(captions, *one), *one);
  }
  return all;
}

/// What stands before the first full stop that ends a sentence: the parameters of the picture.
std::string firstSentence(const std::string& caption) {
  const auto end = caption.find(". ");
  return end == std::string::npos ? caption : caption.substr(0, end + 1);
}

}  // namespace

FigurePage figurePage(const FigureRequest& request, const Theme& theme, bool raster) {
  FigurePage page;
  const double perPoint = request.textSize > 0 ? theme.textSize / request.textSize : 1;
  const double wanted = raster ? request.scale / perPoint : kVectorPixels;
  page.pixelsPerUnit = static_cast<float>(wanted);
  const auto pixels = [&](double points) {
    return static_cast<std::uint32_t>(std::max(1L, std::lround(points * perPoint * wanted)));
  };
  page.pixels = {pixels(request.width), pixels(request.height)};
  page.width = page.pixels.width / static_cast<double>(page.pixelsPerUnit);
  page.height = page.pixels.height / static_cast<double>(page.pixelsPerUnit);
  return page;
}

std::vector<std::string> captionLines(const std::vector<std::string>& captions, const FigurePage& page,
                                      const Theme& theme) {
  const double width = std::max(40.0, page.width - 2 * inset(theme));
  const auto fits = [&](const std::vector<std::string>& lines) {
    return lines.size() <= 1 || linesHeight(lines.size(), theme) <= kMostCaption * page.height;
  };
  std::vector<std::string> lines = wrapped(joined(captions), width, theme);
  if (fits(lines)) return lines;
  std::vector<std::string> shorter;
  for (const std::string& caption : captions)
    shorter.push_back(firstSentence(caption));
  lines = wrapped(joined(shorter), width, theme);
  if (fits(lines)) return lines;
  while (!fits(lines))
    lines.pop_back();
  lines.back() += " …";
  return lines;
}

std::uint32_t captionPixels(std::size_t lines, const FigurePage& page, const Theme& theme) {
  const double most = kMostCaption * page.pixels.height;
  return static_cast<std::uint32_t>(std::ceil(std::min(most, linesHeight(lines, theme) * page.pixelsPerUnit)));
}

render::Scene captionScene(const std::vector<std::string>& lines, const FigurePage& page, const Theme& theme) {
  render::Scene scene;
  scene.width = page.width;
  scene.height = captionPixels(lines.size(), page, theme) / static_cast<double>(page.pixelsPerUnit);
  scene.plot = {{0, 0}, {scene.width, scene.height}};
  scene.window = {{0, 0}, {1, 1}};
  scene.background = theme.plotBackground;
  render::Layer layer{"caption", 1, true, false, {}};
  double y = 0;
  for (const std::string& line : lines) {
    render::Label label;
    label.at = {inset(theme), y + kLeading * theme.smallSize / 2};
    label.text = line;
    label.size = theme.smallSize;
    label.color = theme.text;
    layer.items.emplace_back(std::move(label));
    y += kLeading * theme.smallSize;
  }
  scene.layers.push_back(std::move(layer));
  return scene;
}

render::Scene letterScene(const std::vector<render::PlacedScene>& panes, const FigurePage& page, const Theme& theme) {
  render::Scene scene;
  scene.width = page.width;
  scene.height = page.height;
  scene.plot = {{0, 0}, {scene.width, scene.height}};
  scene.window = {{0, 0}, {1, 1}};
  scene.background = {0, 0, 0, 0};
  render::Layer layer{"letters", 1, false, false, {}};
  for (std::size_t i = 0; i < panes.size(); ++i) {
    render::Label label;
    label.at = {panes[i].origin.x + theme.space / 2, panes[i].origin.y + theme.space / 2};
    label.text = letter(i);
    label.size = theme.textSize;
    label.color = theme.text;
    label.bold = true;
    label.alignY = render::AlignY::Top;
    layer.items.emplace_back(std::move(label));
  }
  scene.layers.push_back(std::move(layer));
  return scene;
}

}  // namespace sepx::ui
