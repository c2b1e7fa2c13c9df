// SPDX-License-Identifier: Apache-2.0
// The sheet of everything that is known to be wrong in the papers (errata.h), grouped by paper, with a filter. Esc
// closes. Frame thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

class ErrataSheet {
 public:
  /// `id`: where the sheet is scrolled to; empty: its beginning.
  void open(std::string_view id = {});
  bool isOpen() const { return open_; }
  /// False when it was not open.
  bool close();
  /// `window`: points. True: draw another frame soon.
  bool draw(render::Point window, const Theme& theme, ControlMap& controls);

 private:
  bool open_ = false;
  std::string filter_;
  std::string target_;  ///< id to scroll to in the next frame
};

}  // namespace sepx::ui
