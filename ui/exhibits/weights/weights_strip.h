// SPDX-License-Identifier: Apache-2.0
// The strip above every page of the Weights exhibit: model and family, tabs of the pages, stack, layer and head, the
// parts of the matrix, the scores (pale where a random matrix would score the same). It is drawn, not ImGui, so that it
// is there in every pane; a small pane has a shorter one. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/weights/page_kit.h"
#include "ui/exhibits/weights/weights_page.h"

namespace sepx::ui {

/// Something on the strip that can be pressed: a command, or a property and its new value.
struct StripButton {
  std::string key;    ///< of the control, as scripts name it: "weights.page-wall"
  std::string value;  ///< of the property `key`, for parts; empty: `key` is a command
  std::string label;
  render::Rect box;
  bool on = false, enabled = true;
  float size = 0;  ///< of its text
};

struct StripText {
  render::Point at;
  std::string text;
  render::Color color;
  float size = 0;
  bool bold = false;
};

struct WeightsStrip {
  double height = 0;
  std::vector<StripButton> buttons;
  std::vector<StripText> texts;
  render::Rect scores;  ///< where the scores are written
  const StripButton* at(render::Point point) const;
};

/// `pages`: those there are, in the order of the tabs.
WeightsStrip layoutStrip(const WeightsShared& shared, const std::vector<WeightsPageKind>& pages, double width,
                         double height, const Theme& theme);
void addStrip(std::vector<render::Item>& items, const WeightsStrip& strip, double width, const Theme& theme,
              std::optional<render::Point> pointer);
/// "Wall", translated.
std::string pageName(WeightsPageKind page);

}  // namespace sepx::ui
