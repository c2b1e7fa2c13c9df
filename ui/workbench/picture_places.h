// SPDX-License-Identifier: Apache-2.0
// Converts between points of the window and places that do not depend on its size, so that the pointer of one window is
// shown at the same thing in another one. A place in a plot is given by its data coordinates, in a view relative to its
// box, elsewhere relative to the window. Frame thread; valid from the first frame.
#pragma once

#include <optional>

#include "ui/workbench/panes.h"
#include "ui/workbench/presented.h"
#include "ui/workbench/reader.h"

namespace sepx::ui {

class PicturePlaces {
 public:
  PicturePlaces(WindowState& window, Panes& panes, Reader& reader) : window_(window), panes_(panes), reader_(reader) {}

  /// Empty optional outside the window.
  std::optional<PicturePlace> placeOf(render::Point at) const;
  /// Points of the window; empty optional where the window does not show the place.
  std::optional<render::Point> pointOf(const PicturePlace& place) const;

 private:
  WindowState& window_;
  Panes& panes_;
  Reader& reader_;
};

}  // namespace sepx::ui
