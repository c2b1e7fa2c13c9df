// SPDX-License-Identifier: Apache-2.0
// Lines, boxes and sentences for pages and charts. Pure.
#include "ui/canvas/page_draw.h"

#include <algorithm>
#include <iterator>

#include "ui/canvas/cut_texts.h"
#include "ui/properties/line_breaks.h"
#include "ui/properties/tr.h"
#include "ui/properties/translated_sentence.h"

namespace sepx::ui {

std::string filled(std::string text, const std::string& mark, const std::string& value) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? text : text.replace(at, mark.size(), value);
}

std::string sentenceCase(std::string text) {
  if (text.empty()) return text;
  text = translatedSentence(text);
  // Names of files and models keep their case, for example a/b.json, vocab.json, gpt2-124m.
  const std::string word = text.substr(0, text.find(' '));
  const bool name = word.find_first_of("/_0123456789") != std::string::npos ||
                    word.substr(0, word.size() - 1).find('.') != std::string::npos;
  if (!name && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  const char last = text.back();
  if (text.ends_with("…")) return text;
  const bool wide = text.ends_with("。") || text.ends_with("！") || text.ends_with("？");
  if (!wide && last != '.' && last != '!' && last != '?') text += tr(".");
  return text;
}

void append(std::vector<render::Item>& items, std::vector<render::Item> more) {
  items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

render::Polyline pageLine(render::Point a, render::Point b, render::Color color, float width, render::Dash dash) {
  return {{a, b}, {color, width, dash}, {}, render::Space::Page};
}

render::Fill pageFill(const render::Rect& box, render::Color color) {
  return {{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}}, color, render::Space::Page};
}

render::Polyline pageFrameLine(const render::Rect& box, render::Color color, float width) {
  return {{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}, box.min},
          {color, width, render::Dash::Solid},
          {},
          render::Space::Page};
}

render::Rect tipBox(render::Point at, double width, double height, const render::Rect& area) {
  constexpr double kTipOffset = 14, kEdge = 2;  // points
  double x = at.x + kTipOffset, y = at.y + kTipOffset;
  if (x + width > area.max.x - kEdge) x = at.x - kTipOffset - width;
  if (y + height > area.max.y - kEdge) y = at.y - kTipOffset - height;
  x = std::clamp(x, area.min.x + kEdge, std::max(area.min.x + kEdge, area.max.x - kEdge - width));
  y = std::clamp(y, area.min.y + kEdge, std::max(area.min.y + kEdge, area.max.y - kEdge - height));
  return {{x, y}, {x + width, y + height}};
}

void addTip(std::vector<render::Item>& items, render::Point at, const std::vector<std::string>& lines,
            const render::Rect& area, const Theme& theme) {
  if (lines.empty()) return;
  const double size = theme.smallSize, leading = 1.45 * size, pad = theme.space;
  double width = 0;
  for (const std::string& line : lines)
    width = std::max(width, textWidth(line, size));
  width += 2 * pad;
  const double height = leading * static_cast<double>(lines.size()) + 1.2 * pad;
  const render::Rect box = tipBox(at, width, height, area);
  addBox(items, box, theme.radius, theme.surfaceRaised, theme.border);
  for (std::size_t i = 0; i < lines.size(); ++i)
    items.emplace_back(textAt({box.min.x + pad, box.min.y + 0.6 * pad + leading * (static_cast<double>(i) + 0.5)},
                              lines[i], theme.smallSize, i == 0 ? theme.text : theme.textMuted));
}

namespace {

/// Number of bytes of a word (a path, a name) that fit on one line: up to the last / or _ that fits, otherwise up to
/// the last character that fits; at least one character. 0 for a word of one character.
std::size_t roomFor(const std::string& word, double size, double width) {
  const auto begins = [&word](std::size_t at) { return (static_cast<unsigned char>(word[at]) & 0xC0) != 0x80; };
  std::size_t fits = 0, best = 0;
  for (std::size_t end = 1; end < word.size(); ++end) {
    if (!begins(end)) continue;
    if (fits > 0 && textWidth(word.substr(0, end), size) > width) break;
    fits = end;
    if (word[end - 1] == '/' || word[end - 1] == '_') best = end;
  }
  return best > 0 ? best : fits;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t from = text.find_first_not_of(' ', begin);
    if (from == std::string::npos) break;
    const std::size_t end = pieceEnd(text, from);
    std::string word = text.substr(from, end - from);
    const std::string longer = line.empty() ? word : line + text.substr(begin, from - begin) + word;
    begin = end;
    if (!line.empty() && textWidth(longer, size) > width) {
      lines.push_back(line);
      line.clear();
    }
    if (line.empty()) {
      while (textWidth(word, size) > width) {
        const std::size_t room = roomFor(word, size, width);
        if (room == 0) break;
        lines.push_back(word.substr(0, room));
        word.erase(0, room);
      }
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string elided(const std::string& text, double size, double width) {
  if (textWidth(text, size) <= width) return text;
  if (textWidth("…", size) > width) return {};
  std::size_t low = 0, high = text.size();
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (textWidth(text.substr(0, middle) + "…", size) <= width)
      low = middle;
    else
      high = middle - 1;
  }
  while (low > 0 && (static_cast<unsigned char>(text[low]) & 0xC0) == 0x80)
    --low;  // not inside a character
  std::string shown = text.substr(0, low) + "…";
  CutTexts::note(shown, text);
  return shown;
}

double addSentence(std::vector<render::Item>& items, const render::Rect& area, const std::string& text,
                   const Theme& theme) {
  float size = theme.textSize;
  double leading = 1.5 * size;
  std::vector<std::string> lines =
      wrapped(text, size, std::clamp(area.width() - 4 * theme.space, 80.0, 46.0 * theme.textSize));
  if (leading * static_cast<double>(lines.size()) > area.height()) {
    size = theme.smallSize;
    leading = 1.3 * size;
    const double width = std::max(1.0, area.width() - theme.space);
    lines = wrapped(text, size, width);
    const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(area.height() / leading)));
    if (lines.size() > most) {
      lines.resize(most);
      lines.back() = elided(lines.back() + "…", size, width);
      CutTexts::note(lines.back(), text);
    }
  }
  const double height = leading * static_cast<double>(lines.size());
  double y = area.min.y + std::max(0.0, (area.height() - height) / 2) + leading / 2;
  for (const std::string& line : lines) {
    items.emplace_back(textAt({area.min.x + area.width() / 2, y}, line, size, theme.textMuted, render::AlignX::Center));
    y += leading;
  }
  return height;
}

}  // namespace sepx::ui
