// SPDX-License-Identifier: Apache-2.0
// State and results become items of a picture: each view is drawn by a pure function of a FlowFrame. Page coordinates
// are local to the exhibit's area. No ImGui, no document.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/critical_sets.h"
#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// Where the energy's profile on e = 0 is drawn over the plot: its box, the picture in it, and which (w, E) that shows.
struct ProfilePlace {
  render::Rect box, inner, window;
};

/// Where things are on the page, points.
struct FlowLayout {
  double width = 0, height = 0;
  render::Rect plot;
  std::optional<render::Rect> colorBar;
  std::optional<render::Rect> square;     ///< the unit square of (p, q)
  std::optional<render::Rect> squareBox;  ///< the box around it
  bool compact = false;                   ///< a small picture: short texts, a folded legend
  bool tiny = false;                      ///< no room for more than the title of the legend
  bool legend = true;
  bool legendOpen = true;                    ///< every row, or the basins alone
  std::optional<render::Rect> legendColumn;  ///< the room beside the plot that it stands in
  std::optional<render::Rect> legendBelow;   ///< the room below the plot that a figure's stands in, in columns
  std::optional<render::Rect> legendBox;     ///< where it is, once its rows are known
  std::optional<ProfilePlace> profile;       ///< and what goes where it is not
  std::optional<render::Rect> timeBar;       ///< below the plot
  std::optional<ColorLimits> limits;         ///< what the colour bar shows
  bool byPowers = false;                     ///< its scale runs over powers of ten
};

/// All a scene is made of.
struct FlowFrame {
  const FlowState& state;
  const FlowResults& results;
  const Theme& theme;
  FlowLayout layout;
  std::optional<render::Point> pointer;  ///< page, when it is over the plot
  std::optional<double> headTime;        ///< the flow's own time of the moving heads
  double flash = 0;                      ///< of the line p + q = 1, 1 to 0
  int held = -1;                         ///< the point that is being dragged
  bool figure = false;                   ///< for a file: no advice, no pointer
  TimeSpan span = {};                    ///< of the heads
  std::optional<int> dropped;            ///< the point that was moved by hand and let go since the last frame
  bool audience = false;                 ///< for a room: no advice

  /// Which points' paths, limits and handles are drawn: with many of them the selected one has layers of its own, so
  /// that the others stay in the renderer's image while it moves.
  enum class Part { All, Selected, Others } part = Part::All;
  bool draws(std::size_t point) const {
    return part == Part::All || (part == Part::Selected) == (static_cast<int>(point) == state.selected);
  }

  /// The point that stands out as the selected one; in a figure it is drawn as the others are.
  int marked() const { return figure ? -1 : state.selected; }

  Camera camera() const { return {state.view, layout.plot}; }
};

/// Of the loss under the basins: on a light ground the grey of low losses would be mud under their colours.
inline float lossOpacity(const Theme& theme) {
  return theme.dark ? 0.6f : 0.35f;
}

}  // namespace sepx::ui
