// SPDX-License-Identifier: Apache-2.0
// Lays out and draws strips.
#include "ui/views/strip.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/properties/control_size.h"
#include "ui/properties/language.h"
#include "ui/properties/widgets.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

void addTexts(std::vector<render::Item>& items, const Strip& strip) {
  for (const StripText& text : strip.texts) {
    render::Label label = textAt(text.at, text.text, text.size, text.color);
    label.bold = text.bold;
    items.push_back(std::move(label));
  }
}

double tabsWidth(const std::vector<StripButton>& tabs, float size, double padding) {
  double width = 0;
  for (const StripButton& tab : tabs)
    width += controlWidth(textWidth(tab.label, size), padding) + 2;
  return width;
}

/// The tabs from `first` to before `last`. At either side, a button for the hidden tabs there says how many they are
/// and leads to the nearest one.
std::vector<StripButton> tabsBetween(const std::vector<StripButton>& tabs, std::size_t first, std::size_t last) {
  std::vector<StripButton> shown(tabs.begin() + static_cast<std::ptrdiff_t>(first),
                                 tabs.begin() + static_cast<std::ptrdiff_t>(last));
  const auto towards = [&](std::size_t nearest, std::string label) {
    StripButton more = tabs[nearest];
    more.label = std::move(label);
    return more;
  };
  if (first > 0) shown.insert(shown.begin(), towards(first - 1, "‹ " + std::to_string(first)));
  if (last < tabs.size()) shown.push_back(towards(last, std::to_string(tabs.size() - last) + " ›"));
  return shown;
}

/// All tabs, or the selected one with its neighbours that fit; none if not even the selected one has room.
std::vector<StripButton> tabsThatFit(const std::vector<StripButton>& tabs, float size, double padding, double room) {
  if (tabsWidth(tabs, size, padding) <= room) return tabs;
  const auto on = std::find_if(tabs.begin(), tabs.end(), [](const StripButton& tab) { return tab.on; });
  if (on == tabs.end()) return {};
  auto first = static_cast<std::size_t>(on - tabs.begin()), last = first + 1;
  const auto fits = [&](std::size_t from, std::size_t to) {
    return tabsWidth(tabsBetween(tabs, from, to), size, padding) <= room;
  };
  if (!fits(first, last)) return {};
  for (bool grown = true; grown;) {
    grown = false;
    if (last < tabs.size() && fits(first, last + 1)) ++last, grown = true;
    if (first > 0 && fits(first - 1, last)) --first, grown = true;
  }
  return tabsBetween(tabs, first, last);
}

render::Color mixed(render::Color a, render::Color b, float share) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share, a.a};
}

}  // namespace

double stripRow(const Theme& theme) {
  return std::max(kLeastControl + 2, 1.75 * theme.textSize);
}

void StripLine::text(const std::string& words, float size, render::Color color, bool bold) {
  strip_.texts.push_back({{left_, top_ + height_ / 2}, words, color, size, bold});
  left_ += textWidth(words, size) * (bold ? 1.14 : 1);
}

void StripLine::textRight(const std::string& words, float size, render::Color color) {
  right_ -= textWidth(words, size);
  strip_.texts.push_back({{right_, top_ + height_ / 2}, words, color, size, false});
}

void StripLine::button(StripButton button, float size, double padding, bool fromRight) {
  const double width = controlWidth(textWidth(button.label, size), padding);
  const double margin = std::clamp((height_ - kLeastControl) / 2, 0.0, 2.0);
  if (fromRight) right_ -= width;
  const double x = fromRight ? right_ : left_;
  button.box = {{x, top_ + margin}, {x + width, top_ + height_ - margin}};
  button.size = size;
  if (!fromRight) left_ += width;
  strip_.buttons.push_back(std::move(button));
}

void StripLine::tabs(const std::vector<StripButton>& tabs, const Theme& theme) {
  constexpr double kPadding = 8, kTightPadding = 4, kRoomy = 0.7;
  float size = theme.textSize;
  double padding = kPadding;
  if (tabsWidth(tabs, size, padding) > kRoomy * room()) {
    size = theme.smallSize;
    padding = kTightPadding;
  }
  const std::vector<StripButton> shown = tabsThatFit(tabs, size, padding, room());
  for (auto tab = shown.rbegin(); tab != shown.rend(); ++tab) {
    button(*tab, size, padding, true);
    skipRight(2);
  }
}

const StripButton* Strip::at(render::Point point) const {
  const auto found = std::find_if(buttons.begin(), buttons.end(), [point](const StripButton& button) {
    return button.enabled && button.box.contains(point);
  });
  return found == buttons.end() ? nullptr : &*found;
}

Strip titleStrip(const std::string& title, const std::vector<StripButton>& tabs, double width, double height,
                 const Theme& theme) {
  Strip strip;
  if (height < 16 * theme.textSize || width < 20 * theme.textSize) return strip;
  strip.height = stripRow(theme) + 2;
  StripLine line(strip, 0, stripRow(theme), theme.space, width - theme.space);
  line.tabs(tabs, theme);
  if (line.room() > textWidth(title, theme.smallSize) + 2 * theme.space)
    line.text(title, theme.smallSize, theme.textMuted);
  return strip;
}

void addStrip(std::vector<render::Item>& items, const Strip& strip, double width, const Theme& theme,
              std::optional<render::Point> pointer) {
  if (strip.height <= 0) return;
  items.push_back(pageFill({{0, 0}, {width, strip.height}}, theme.surface));
  items.push_back(pageLine({0, strip.height}, {width, strip.height}, theme.border));
  const StripButton* const under = pointer ? strip.at(*pointer) : nullptr;
  for (const StripButton& button : strip.buttons) {
    if (button.on)
      addBox(items, button.box, theme.radius, theme.accentMuted, theme.accent);
    else if (&button == under)
      addBox(items, button.box, theme.radius, mixed(theme.surface, theme.surfaceRaised, 0.8f), theme.border);
    const render::Color color = !button.enabled ? faded(theme.textMuted, 0.6f)
                                : button.on     ? theme.text
                                                : theme.textMuted;
    items.push_back(textAt({(button.box.min.x + button.box.max.x) / 2, (button.box.min.y + button.box.max.y) / 2},
                           button.label, button.size, color, render::AlignX::Center));
  }
  addTexts(items, strip);
}

void addButton(std::vector<render::Item>& items, const StripButton& button, const Theme& theme,
               std::optional<render::Point> pointer) {
  const bool over = pointer && button.enabled && button.box.contains(*pointer);
  const render::Color ground = over ? theme.surfaceRaised : button.on ? theme.accentMuted : theme.surface;
  const float size = button.size > 0 ? button.size : theme.smallSize;
  addBox(items, button.box, theme.radius, ground, button.enabled ? theme.border : faded(theme.border, 0.4f));
  items.push_back(textAt({(button.box.min.x + button.box.max.x) / 2, (button.box.min.y + button.box.max.y) / 2},
                         elided(button.label, size, button.box.width() - 4), size,
                         button.enabled ? theme.text : faded(theme.textMuted, 0.6f), render::AlignX::Center));
}

void addButtons(std::vector<render::Item>& items, const Strip& row, const Theme& theme,
                std::optional<render::Point> pointer) {
  for (const StripButton& button : row.buttons)
    addButton(items, button, theme, pointer);
  addTexts(items, row);
}

std::vector<std::uint64_t> stripKey(const Strip& strip, double width, const Theme& theme,
                                    std::optional<render::Point> pointer) {
  LayerKey key{bits(width), bits(std::string_view(theme.key)), bits(static_cast<double>(theme.textSize)),
               languageRevision()};
  const StripButton* const under = pointer ? strip.at(*pointer) : nullptr;
  for (const StripButton& button : strip.buttons)
    key.insert(key.end(), {bits(std::string_view(button.label)), bits(button.box.min.x), bits(button.box.min.y),
                           (button.on ? 1u : 0u) + (button.enabled ? 2u : 0u) + (&button == under ? 4u : 0u)});
  for (const StripText& text : strip.texts)
    key.insert(key.end(), {bits(std::string_view(text.text)), bits(text.at.x), bits(text.at.y),
                           bits(static_cast<double>(text.color.a)), bits(static_cast<double>(text.color.r))});
  return key;
}

void reportStrip(const Strip& strip, const ExhibitContext& context) {
  if (!context.controls) return;
  const auto place = [&context](render::Point point) {
    return ImVec2(static_cast<float>(context.area.min.x + point.x) * context.uiScale,
                  static_cast<float>(context.area.min.y + point.y) * context.uiScale);
  };
  for (const StripButton& button : strip.buttons) {
    const std::string key = button.value.empty() ? button.key : button.key + "#" + button.value;
    context.controls->report(key, place(button.box.min), place(button.box.max));
  }
}

}  // namespace sepx::ui
