// SPDX-License-Identifier: Apache-2.0
// See cut_texts.h.
#include "ui/canvas/cut_texts.h"

#include <algorithm>

#include "ui/canvas/symbol_labels.h"

namespace sepx::ui {

namespace {

thread_local CutTexts* innermost = nullptr;  // per thread: the functions that shorten a text do not know their caller

render::Rect boxOf(const render::Label& label) {
  constexpr double kHeight = 1.2;  // of a line, in units of the type size
  const double width = typesetWidth(label.text, label.size, label.bold), height = kHeight * label.size;
  const double along = label.alignX == render::AlignX::Left ? 0 : label.alignX == render::AlignX::Center ? 0.5 : 1;
  const double down = label.alignY == render::AlignY::Top ? 0 : label.alignY == render::AlignY::Middle ? 0.5 : 0.9;
  const render::Point at{label.at.x + label.offset.x, label.at.y + label.offset.y};
  if (label.vertical)
    return {{at.x - down * height, at.y - (1 - along) * width}, {at.x + (1 - down) * height, at.y + along * width}};
  return {{at.x - along * width, at.y - down * height}, {at.x + (1 - along) * width, at.y + (1 - down) * height}};
}

}  // namespace

CutTexts::CutTexts() : outer_(innermost) {
  innermost = this;
}

CutTexts::~CutTexts() {
  innermost = outer_;
}

void CutTexts::note(const std::string& shown, const std::string& whole) {
  if (shown.empty() || shown == whole) return;
  for (CutTexts* scope = innermost; scope; scope = scope->outer_)
    scope->all_.push_back({shown, whole});
}

std::vector<CutPlace> cutPlaces(const std::vector<render::Item>& items, const std::vector<CutText>& texts) {
  std::vector<CutPlace> places;
  if (texts.empty()) return places;
  auto next = texts.begin();
  for (const render::Item& item : items) {
    const auto* const label = std::get_if<render::Label>(&item);
    if (!label || label->space != render::Space::Page) continue;
    const auto shows = [label](const CutText& one) { return one.shown == label->text; };
    auto found = std::find_if(next, texts.end(), shows);
    if (found == texts.end()) found = std::find_if(texts.begin(), next, shows);
    if (found == texts.end() || !shows(*found)) continue;
    places.push_back({boxOf(*label), found->whole});
    next = found + 1;
  }
  return places;
}

bool containsText(const std::vector<render::Item>& items, const std::string& text) {
  std::string all, wanted = text;
  for (const render::Item& item : items)
    if (const auto* const label = std::get_if<render::Label>(&item)) all += label->text;
  std::erase(all, ' ');
  std::erase(wanted, ' ');
  return all.find(wanted) != std::string::npos;
}

}  // namespace sepx::ui
