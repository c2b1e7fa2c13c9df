// SPDX-License-Identifier: Apache-2.0
// The card that explains a read-out or parameter: title and symbol, the formula, the formula with the current numbers
// (live while a point is dragged), the value with every digit, the number of the equation, the errata of the paper
// about it, and the help. It depends on declarations (registry.h), not on exhibits. Frame thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

/// The card as plain text for screen readers and the clipboard. Usage when the registry has no such key.
Result<std::string> explanationText(const PropertyRegistry& registry, const Document& document, std::string_view key);

class ExplainCard {
 public:
  struct Content;
  /// The input of one frame.
  struct Frame {
    const PropertyRegistry& registry;  ///< of the pane whose key was opened
    const Document& document;
    render::Rect area;                   ///< the picture, points: the card stays inside
    std::optional<render::Point> avoid;  ///< the selected point, points: not covered
    bool held = false;                   ///< a button is down: the card keeps its place
    const Theme& theme;
    ControlMap& controls;
  };

  /// `copy`: puts a text on the clipboard; empty: no button. `showErrata`: opens the sheet at an id.
  ExplainCard(std::function<void(const std::string&)> copy, std::function<void(const std::string&)> showErrata);

  /// `key`: without a pane, as declared with an index ("flow.points[0].loss"). Usage when there is no such key.
  Result<void> open(const PropertyRegistry& registry, std::string_view key, int pane = 1);
  bool isOpen() const { return !key_.empty(); }
  const std::string& key() const { return key_; }
  int pane() const { return pane_; }
  /// False when it was not open.
  bool close();

  /// Draws the card if it is open. True: draw another frame soon, because glyphs are not yet in the atlas or the size
  /// of the card changed.
  bool draw(const Frame& frame);

 private:
  void place(const Frame& frame);
  void drawValue(const Frame& frame, const Content& content);
  void drawErrata(const Frame& frame, const Content& content);

  std::function<void(const std::string&)> copy_, showErrata_;
  std::string key_;
  int pane_ = 1;
  int corner_ = -1;                      ///< of `area`: 0 top left, 1 top right, 2 bottom right, 3 bottom left
  render::Point size_;                   ///< of the last frame
  std::optional<std::string> copied_{};  ///< what was copied last, to say so
};

}  // namespace sepx::ui
