// SPDX-License-Identifier: Apache-2.0
// The strip above the pages of an exhibit: tabs and short texts. It is part of the picture and not drawn with ImGui, so
// that every pane has it. A small pane has a shorter one or none. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

/// A button on the strip: it runs a command, sets a property, or calls a function of its own.
struct StripButton {
  std::string key;    ///< name of the control for scripts: "weights.page-wall"
  std::string value;  ///< new value of the property `key`; empty: `key` is a command
  std::string label;
  render::Rect box;
  bool on = false, enabled = true;
  float size = 0;                              ///< of its text
  std::function<void(ExhibitContext&)> act{};  ///< what a press does instead; empty: see `value`
};

struct StripText {
  render::Point at;
  std::string text;
  render::Color color;
  float size = 0;
  bool bold = false;
};

struct Strip {
  double height = 0;
  std::vector<StripButton> buttons;
  std::vector<StripText> texts;
  /// The button at a point of the page, if it is enabled; null: there is none.
  const StripButton* at(render::Point point) const;
};

/// Lays out texts and buttons from the left and from the right along one line of a strip.
class StripLine {
 public:
  StripLine(Strip& strip, double top, double height, double left, double right)
      : strip_(strip), top_(top), height_(height), left_(left), right_(right) {}

  double room() const { return right_ - left_; }
  double right() const { return right_; }
  void skip(double points) { left_ += points; }
  void skipRight(double points) { right_ -= points; }

  void text(const std::string& words, float size, render::Color color, bool bold = false);
  void textRight(const std::string& words, float size, render::Color color);
  void button(StripButton button, float size, double padding, bool fromRight = false);
  /// Tabs at the right end, in smaller type if there is little room. If they still do not fit: the selected tab and its
  /// neighbours, with "‹ 2" and "3 ›" for the hidden tabs.
  void tabs(const std::vector<StripButton>& tabs, const Theme& theme);

 private:
  Strip& strip_;
  double top_, height_, left_, right_;
};

/// The height of one line.
double stripRow(const Theme& theme);

/// A title at the left if it has room, and tabs at the right; a small picture has no strip.
Strip titleStrip(const std::string& title, const std::vector<StripButton>& tabs, double width, double height,
                 const Theme& theme);

void addStrip(std::vector<render::Item>& items, const Strip& strip, double width, const Theme& theme,
              std::optional<render::Point> pointer);
/// A button inside a picture, with a border. If it is `on`, as the main button of a page is, it has an accent
/// background. A label that does not fit is cut.
void addButton(std::vector<render::Item>& items, const StripButton& button, const Theme& theme,
               std::optional<render::Point> pointer);
/// All buttons and texts of a row inside a picture.
void addButtons(std::vector<render::Item>& items, const Strip& row, const Theme& theme,
                std::optional<render::Point> pointer);
/// Cache key: everything that addStrip() depends on.
std::vector<std::uint64_t> stripKey(const Strip& strip, double width, const Theme& theme,
                                    std::optional<render::Point> pointer);
/// Reports the boxes of the buttons to the map of ImGui controls, for scripts and screen readers.
void reportStrip(const Strip& strip, const ExhibitContext& context);

}  // namespace sepx::ui
