// SPDX-License-Identifier: Apache-2.0
// See symbol_labels.h.
#include "ui/canvas/symbol_labels.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/render/font.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/symbols.h"

namespace sepx::ui {

namespace {

bool haveSlanted() {
  static const bool have = [] {
    const auto& files = render::fontFiles();
    return files && std::ranges::any_of(
                        *files, [](const render::FontFile& file) { return file.family == render::kSymbolFamily; });
  }();
  return have;
}

/// A piece of a line and its offset from the start of the line and from the baseline.
struct Piece {
  std::string text;
  double size = 0, along = 0, down = 0;
};

struct SetLine {
  std::vector<Piece> pieces;
  double width = 0;
};

SetLine setLine(std::string_view text, double size, bool bold) {
  SetLine line;
  for (SymbolRun& run : symbolRuns(text)) {
    const bool script = run.script != SymbolRun::Script::None;
    line.width -= run.back * size;
    Piece piece{run.slanted && haveSlanted() ? slantedLetters(run.text) : std::move(run.text),
                script ? kSymbolScript * size : size, line.width};
    if (script) piece.down = run.script == SymbolRun::Script::Below ? kSymbolBelow * size : -kSymbolAbove * size;
    line.width += render::measure(piece.text, piece.size, bold).width;
    line.pieces.push_back(std::move(piece));
  }
  return line;
}

/// Distance from the anchor of a label to its baseline.
double baselineBelow(const render::Label& label) {
  const double size = label.size;
  switch (label.alignY) {
    case render::AlignY::Top:
      return render::kAscent * size;
    case render::AlignY::Middle:
      return render::kCapHeight * size / 2;
    case render::AlignY::Bottom:
      return -render::kDescent * size;
    case render::AlignY::Baseline:
      break;
  }
  return 0;
}

/// The box behind a page label. The renderer would make it as wide as the text before typesetting.
render::Fill backdropOf(const render::Label& label, double start, double width, double baseline) {
  const double along = 0.35 * label.size, across = 0.12 * label.size;
  const render::Point pen{label.at.x + label.offset.x + start, label.at.y + label.offset.y + baseline};
  const render::Rect box{{pen.x - along, pen.y - render::kAscent * label.size - across},
                         {pen.x + width + along, pen.y + render::kDescent * label.size + across}};
  return {roundedRect(box, 0.3 * label.size), *label.backdrop, render::Space::Page};
}

void addSet(std::vector<render::Item>& items, const render::Label& whole) {
  SetLine line = setLine(whole.text, whole.size, whole.bold);
  const double start = whole.alignX == render::AlignX::Left     ? 0
                       : whole.alignX == render::AlignX::Center ? -line.width / 2
                                                                : -line.width;
  const double baseline = baselineBelow(whole);
  if (whole.backdrop) items.emplace_back(backdropOf(whole, start, line.width, baseline));
  for (Piece& piece : line.pieces) {
    render::Label label = whole;
    const double along = start + piece.along, down = baseline + piece.down;
    label.text = std::move(piece.text);
    label.size = static_cast<float>(piece.size);
    label.alignX = render::AlignX::Left;
    label.alignY = render::AlignY::Baseline;
    label.backdrop.reset();
    label.offset.x += whole.vertical ? down : along;
    label.offset.y += whole.vertical ? -along : down;
    items.emplace_back(std::move(label));
  }
}

/// Whether this file typesets the item. The renderer draws the box behind vertical or moving text, so such a label
/// stays as it is.
bool isSet(const render::Item& item) {
  const auto* const label = std::get_if<render::Label>(&item);
  return label && containsSymbols(label->text) &&
         (!label->backdrop || (!label->vertical && label->space == render::Space::Page));
}

}  // namespace

void typesetSymbols(std::vector<render::Item>& items) {
  if (std::none_of(items.begin(), items.end(), isSet)) return;
  std::vector<render::Item> set;
  set.reserve(items.size() + 8);
  for (render::Item& item : items) {
    if (isSet(item)) {
      addSet(set, std::get<render::Label>(item));
    } else {
      set.push_back(std::move(item));
    }
  }
  items = std::move(set);
}

double typesetWidth(std::string_view text, double size, bool bold) {
  return containsSymbols(text) ? setLine(text, size, bold).width : render::measure(text, size, bold).width;
}

std::string symbolName(const std::string& name) {
  return haveSlanted() ? slantedName(name) : name;
}

}  // namespace sepx::ui
