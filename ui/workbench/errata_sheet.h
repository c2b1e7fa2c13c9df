// SPDX-License-Identifier: Apache-2.0
// The sheet of errata and remarks on the papers (errata.h), grouped by paper and filtered by text and by kind. Esc
// closes it. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/errata.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

class ErrataSheet {
 public:
  /// `id`: the item to scroll to; empty: the beginning.
  void open(std::string_view id = {});
  bool isOpen() const { return open_; }
  /// False when it was not open.
  bool close();
  /// `window`: points. True: draw another frame soon.
  bool draw(render::Point window, const Theme& theme, ControlMap& controls);

 private:
  /// Draws the check boxes that choose a kind. At most one is checked; with none, all kinds are shown.
  void drawKinds(ControlMap& controls);
  /// False while glyphs are not yet in the atlas.
  bool drawList(const Theme& theme, ControlMap& controls);

  bool open_ = false;
  std::string filter_;
  std::optional<ErratumKind> kind_;  ///< only this one is shown; empty: all
  std::string target_;               ///< id to scroll to in the next frame
};

}  // namespace sepx::ui
