// SPDX-License-Identifier: Apache-2.0
// Names what a point of the window is on, and finds the point of a name: so that a pointer in one window is shown at
// the same thing in another of different size. On a plane it is the data, on a view its box, elsewhere the window.
// Frame thread; valid from the first frame.
#pragma once

#include <optional>

#include "ui/workbench/panes.h"
#include "ui/workbench/presented.h"
#include "ui/workbench/reader.h"

namespace sepx::ui {

class PicturePlaces {
 public:
  PicturePlaces(WindowState& window, Panes& panes, Reader& reader) : window_(window), panes_(panes), reader_(reader) {}

  /// Nothing outside of the window.
  std::optional<PicturePlace> placeOf(render::Point at) const;
  /// Points of the window; nothing where the window does not show it.
  std::optional<render::Point> pointOf(const PicturePlace& place) const;

 private:
  WindowState& window_;
  Panes& panes_;
  Reader& reader_;
};

}  // namespace sepx::ui
