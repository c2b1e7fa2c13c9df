// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/figure_page.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/symbol_labels.h"

namespace sepx::ui {

namespace {

constexpr double kMostCaption = 0.45;  // of the page
constexpr double kLeading = 1.4;       // line to line, in text sizes

double inset(const Theme& theme) {
  return 1.5 * theme.space;
}

double linesHeight(std::size_t lines, const Theme& theme) {
  return lines == 0 ? 0 : kLeading * theme.smallSize * static_cast<double>(lines) + 1.5 * theme.space;
}

/// True for signs such as "+" and "%", at which a line must not be broken.
bool isSign(const std::string& word) {
  return word.size() == 1 && word.find_first_of("+-=<>%") == 0;
}

/// Wraps text so that "p + q < 1" and "55.8 %" stay together: no-break spaces surround a sign, and precede "%".
std::vector<std::string> captionWrapped(const std::string& text, double width, const Theme& theme) {
  constexpr const char* kNoBreak = "\u00a0";
  std::string glued;
  bool stays = true;  // the next word stays with the previous one
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool sign = isSign(word);
    if (!glued.empty()) glued += stays || sign ? kNoBreak : " ";
    glued += word;
    stays = sign && word != "%";
  }
  std::vector<std::string> lines = wrapped(glued, theme.smallSize, width);
  for (std::string& line : lines)
    for (std::size_t at = line.find(kNoBreak); at != std::string::npos; at = line.find(kNoBreak, at))
      line.replace(at, 2, " ");
  return lines;
}

/// The letters of all panes that have this text: "(a), (c)".
std::string lettersOf(const std::vector<PaneCaption>& captions, const std::string& text) {
  std::string letters;
  for (const PaneCaption& one : captions)
    if (one.text == text) letters += (letters.empty() ? "" : ", ") + one.letters;
  return letters;
}

/// The first sentence of a caption, which names the parameters of the picture.
std::string firstSentence(const std::string& caption) {
  const auto end = caption.find(". ");
  return end == std::string::npos ? caption : caption.substr(0, end + 1);
}

}  // namespace

std::string captionText(const std::vector<PaneCaption>& captions) {
  std::string all;
  const auto add = [&all](const std::string& text) {
    if (!text.empty()) all += (all.empty() ? "" : " ") + text;
  };
  for (auto one = captions.begin(); one != captions.end(); ++one) {
    add(one->panels);
    const bool said =
        std::any_of(captions.begin(), one, [&](const PaneCaption& other) { return other.text == one->text; });
    if (one->text.empty() || said) continue;
    const bool letters = captions.size() > 1 && one->panels.empty();
    add(letters ? lettersOf(captions, one->text) + " " + one->text : one->text);
  }
  return all;
}

FigurePage figurePage(const FigureRequest& request, const Theme& theme, bool raster, double vectorPixels) {
  FigurePage page;
  const double perPoint = request.textSize > 0 ? theme.textSize / request.textSize : 1;
  const double wanted = raster ? request.scale / perPoint : vectorPixels;
  page.pixelsPerUnit = static_cast<float>(wanted);
  const auto pixels = [&](double points) {
    return static_cast<std::uint32_t>(std::max(1L, std::lround(points * perPoint * wanted)));
  };
  page.pixels = {pixels(request.width), pixels(request.height)};
  page.width = page.pixels.width / static_cast<double>(page.pixelsPerUnit);
  page.height = page.pixels.height / static_cast<double>(page.pixelsPerUnit);
  return page;
}

std::vector<std::string> captionLines(const std::vector<PaneCaption>& captions, const FigurePage& page,
                                      const Theme& theme) {
  const double width = std::max(40.0, page.width - 2 * inset(theme));
  const auto fits = [&](const std::vector<std::string>& lines) {
    return lines.size() <= 1 || linesHeight(lines.size(), theme) <= kMostCaption * page.height;
  };
  std::vector<std::string> lines = captionWrapped(captionText(captions), width, theme);
  if (fits(lines)) return lines;
  std::vector<PaneCaption> shorter = captions;
  for (PaneCaption& caption : shorter)
    caption.text = firstSentence(caption.text);
  lines = captionWrapped(captionText(shorter), width, theme);
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

namespace {

render::Scene pageScene(const FigurePage& page, double height, render::Color background) {
  render::Scene scene;
  scene.width = page.width;
  scene.height = height;
  scene.plot = {{0, 0}, {scene.width, scene.height}};
  scene.window = {{0, 0}, {1, 1}};
  scene.background = background;
  return scene;
}

}  // namespace

render::Scene captionScene(const std::vector<std::string>& lines, const FigurePage& page, const Theme& theme) {
  render::Scene scene = pageScene(
      page, captionPixels(lines.size(), page, theme) / static_cast<double>(page.pixelsPerUnit), theme.plotBackground);
  render::Layer layer{"caption", 1, true, false, {}};
  double y = 0;
  for (const std::string& line : lines) {
    layer.items.emplace_back(
        textAt({inset(theme), y + kLeading * theme.smallSize / 2}, line, theme.smallSize, theme.text));
    y += kLeading * theme.smallSize;
  }
  typesetSymbols(layer.items);
  scene.layers.push_back(std::move(layer));
  return scene;
}

render::Scene letterScene(const std::vector<render::Point>& corners, const FigurePage& page, const Theme& theme) {
  render::Scene scene = pageScene(page, page.height, {0, 0, 0, 0});
  render::Layer layer{"letters", 1, false, false, {}};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    render::Label label =
        textAt(corners[i], panelLetter(i), theme.textSize, theme.text, render::AlignX::Left, render::AlignY::Top);
    label.bold = true;
    layer.items.emplace_back(std::move(label));
  }
  scene.layers.push_back(std::move(layer));
  return scene;
}

}  // namespace sepx::ui
