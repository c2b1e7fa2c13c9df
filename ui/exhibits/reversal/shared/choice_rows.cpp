// SPDX-License-Identifier: Apache-2.0
// See choice_rows.h.
#include "ui/exhibits/reversal/shared/choice_rows.h"

#include "ui/canvas/shapes.h"

namespace sepx::ui {

namespace {

constexpr double kButtonPadding = 6, kBetweenButtons = 3, kAfterName = 4;  // points
constexpr double kButtonInset = 2;                                         // of a button in its row

}  // namespace

ChoiceRows::ChoiceRows(const render::Rect& area, const Theme& theme)
    : area_(area), theme_(theme), top_(area.min.y - stripRow(theme)) {
  nextRow();
}

void ChoiceRows::nextRow() {
  top_ += stripRow(theme_);
  line_.emplace(strip_, top_, stripRow(theme_), area_.min.x + theme_.space, area_.max.x - theme_.space);
}

void ChoiceRows::add(const std::string& key, const std::string& name, const std::vector<ValueChoice>& choices) {
  const auto widthOf = [&](const ValueChoice& choice) {
    return textWidth(choice.label, theme_.smallSize) + 2 * kButtonPadding;
  };
  double width = name.empty() ? 0 : textWidth(name, theme_.smallSize) + kAfterName;
  for (const ValueChoice& choice : choices)
    width += widthOf(choice) + kBetweenButtons;
  if (!strip_.buttons.empty() && line_->room() < width) nextRow();
  if (!name.empty()) {
    line_->text(name, theme_.smallSize, theme_.textMuted);
    line_->skip(kAfterName);
  }
  for (const ValueChoice& choice : choices) {
    if (line_->room() < widthOf(choice)) nextRow();
    line_->button({.key = key, .value = choice.value, .label = choice.label, .on = choice.on}, theme_.smallSize,
                  kButtonPadding);
    line_->skip(kBetweenButtons);
  }
  line_->skip(2 * theme_.space);
}

double rowsHeight(const Strip& strip, double top) {
  return strip.buttons.empty() ? 0 : strip.buttons.back().box.max.y + kButtonInset - top;
}

}  // namespace sepx::ui
