// SPDX-License-Identifier: Apache-2.0
// What a lecturer does to the second screen from the first: freeze, blank, zoom into a region, laser, large numbers.
// While a stage is open their keys come before all others of the window. Knows neither the stage nor its process; the
// host reads the state and sends it. Frame thread.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/input.h"
#include "ui/canvas/theme.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/presented.h"

namespace sepx::ui {

class Presenter {
 public:
  /// `request`: asks the host to open or to close the stage. `step`: the lesson one step on or back.
  struct Ways {
    std::function<void(HostRequest)> request;
    std::function<std::optional<PicturePlace>(render::Point)> place;  ///< of a point of the window
  };
  explicit Presenter(Ways ways) : ways_(std::move(ways)) {}

  /// The host has a stage open, or no longer.
  void setActive(bool active);
  bool active() const { return active_; }
  bool frozen() const { return kept_.has_value(); }
  bool blank() const { return blank_; }
  bool numbers() const { return numbers_; }
  bool laser() const { return laser_; }
  bool zoomed() const { return zoom_.has_value() || choosing_; }

  void addCommands(Commands& to);
  /// Takes the drag that chooses a region away from the picture; follows the pointer for the stroke. Events in pixels.
  void before(std::vector<InputEvent>& events, float pixelsPerPoint);
  /// What the stage shows of what the window shows now: while it is frozen, what it showed then.
  Presented presented(Presented now);
  /// The stroke still fades: draw again.
  bool moving() const;
  /// ImGui, over the picture: the stroke, the region that is chosen, and a line that says what the audience sees.
  /// `pointOf`: where in the window a place is.
  void draw(render::Point window, const Theme& theme,
            const std::function<std::optional<render::Point>(const PicturePlace&)>& pointOf) const;

 private:
  void freeze();
  void toggleZoom();
  bool takesZoom(const InputEvent& event, float pixelsPerPoint);

  Ways ways_;
  bool active_ = false, blank_ = false, numbers_ = false, laser_ = false;
  bool choosing_ = false;                           ///< the next drag chooses the region
  bool freezes_ = false;                            ///< what comes next is kept
  std::optional<render::Point> corner_, opposite_;  ///< of the drag, points of the window
  std::optional<std::pair<PicturePlace, PicturePlace>> zoom_;
  std::optional<Presented> kept_;
  std::deque<LaserPoint> stroke_;
};

/// Seconds of CLOCK_MONOTONIC.
double monotonicSeconds();
/// Draws a stroke that fades: points of the window with their time.
void drawLaser(const std::vector<std::pair<render::Point, double>>& stroke, const Theme& theme);

}  // namespace sepx::ui
