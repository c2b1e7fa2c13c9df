// SPDX-License-Identifier: Apache-2.0
// W_qk of the chosen layer and head, one pane a run: colours with 0 in the middle, the step that the matrix is of, the
// scores there, and the entry under the pointer. Frame thread.
#pragma once

#include <vector>

#include "ui/race/race_page.h"

namespace sepx::ui {

class FormPanes {
 public:
  /// Panes as large as they can be in `box`.
  void place(const RaceFrame& frame, const render::Rect& box);
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into, const LayerKey& key);

 private:
  struct Pane {
    render::Rect box, picture;
  };
  std::vector<render::Item> items(const RaceFrame& frame) const;
  std::vector<render::Item> tip(const RaceFrame& frame) const;

  std::vector<Pane> panes_;
  render::Rect box_;
  PageLayers layers_;
};

}  // namespace sepx::ui
