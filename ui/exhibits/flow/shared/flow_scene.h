// SPDX-License-Identifier: Apache-2.0
// The input of the functions that draw the Flow picture: each view is drawn by a pure function of a FlowFrame, which
// refers to state, results and theme. Page coordinates are local to the exhibit's area. No ImGui, no document.
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

/// The place of the energy profile on e = 0 over the plot: its box, the plot in it, and the (w, E) window of that plot.
struct ProfilePlace {
  render::Rect box, inner, window;
};

/// Positions on the page, points.
struct FlowLayout {
  double width = 0, height = 0;
  render::Rect plot;
  std::optional<render::Rect> colorBar;
  std::optional<render::Rect> square;     ///< the unit square of (p, q)
  std::optional<render::Rect> squareBox;  ///< the box around it
  bool compact = false;                   ///< a small picture: short texts, a folded legend
  bool tiny = false;                      ///< no room for more than the title of the legend
  bool legend = true;
  bool legendOpen = true;                    ///< all rows, or the basins alone
  std::optional<render::Rect> legendColumn;  ///< space for the legend beside the plot
  std::optional<render::Rect> legendBelow;   ///< space for the legend of a figure, in columns below the plot
  std::optional<render::Rect> legendBox;     ///< box of the legend, once its rows are known
  std::optional<ProfilePlace> profile;       ///< the energy profile; boxes that are placed later avoid it
  std::optional<render::Rect> timeBar;       ///< below the plot
  std::optional<ColorLimits> limits;         ///< the ends of the colour bar
  bool byPowers = false;                     ///< the scale of the colour bar is logarithmic
};

/// Everything that a scene is made of.
struct FlowFrame {
  const FlowState& state;
  const FlowResults& results;
  const Theme& theme;
  FlowLayout layout;
  std::optional<render::Point> pointer;  ///< page, when it is over the plot
  std::optional<double> headTime;        ///< the flow's own time of the moving heads
  double flash = 0;                      ///< of the line p + q = 1, fades from 1 to 0
  int held = -1;                         ///< the point that is being dragged
  bool figure = false;                   ///< for a file: no hints, no pointer
  TimeSpan span = {};                    ///< the interval of the playback
  std::optional<int> dropped;            ///< the point whose move by the user has ended since the last frame
  bool audience = false;                 ///< for an audience: no hints

  /// The points whose paths, limits and handles are drawn. With many points the selected one has layers of its own, so
  /// that the renderer can reuse its image of the others while that point moves.
  enum class Part { All, Selected, Others } part = Part::All;
  bool draws(std::size_t point) const {
    return part == Part::All || (part == Part::Selected) == (static_cast<int>(point) == state.selected);
  }

  /// The point that is highlighted as the selected one; -1 in a figure, where it is drawn like the others.
  int marked() const { return figure ? -1 : state.selected; }

  Camera camera() const { return {state.view, layout.plot}; }
};

/// The opacity of the loss under the basins. It is lower on a light background, where the grey of low losses would dull
/// their colours.
inline float lossOpacity(const Theme& theme) {
  return theme.dark ? 0.6f : 0.35f;
}

}  // namespace sepx::ui
