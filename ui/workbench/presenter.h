// SPDX-License-Identifier: Apache-2.0
// What a lecturer controls on the second screen from the first: freeze, blank, zoom into a region, laser, large
// numbers. While a stage is open, the keys of these commands take precedence over all others of the window. The class
// knows neither the stage nor its process; the host reads the state and sends it. Frame thread.
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
  /// `request`: requests that the host opens or closes the stage.
  struct Callbacks {
    std::function<void(HostRequest)> request;
    std::function<std::optional<PicturePlace>(render::Point)> place;  ///< the place at a point of the window
  };
  explicit Presenter(Callbacks ways) : callbacks_(std::move(ways)) {}

  /// To call when the host has opened or closed a stage.
  void setActive(bool active);
  bool active() const { return active_; }
  bool frozen() const { return frozenState_.has_value(); }
  bool blank() const { return blank_; }
  bool numbers() const { return numbers_; }
  bool laser() const { return laser_; }
  bool zoomed() const { return zoom_.has_value() || choosing_; }

  void addCommands(Commands& to);
  /// Removes the events of the drag that selects a region, and records the pointer for the stroke. Events in pixels.
  void before(std::vector<InputEvent>& events, float pixelsPerPoint);
  /// What the stage shows while the window shows `now`. A frozen stage shows what it showed when it was frozen.
  Presented presented(Presented now);
  /// The stroke is still fading, so further frames are needed.
  bool moving() const;
  /// Draws with ImGui over the picture: the stroke, the region that is selected, and a line that says what the audience
  /// sees. `pointOf`: position of a place in the window.
  void draw(render::Point window, const Theme& theme,
            const std::function<std::optional<render::Point>(const PicturePlace&)>& pointOf) const;

 private:
  void freeze();
  void toggleZoom();
  bool takesZoom(const InputEvent& event, float pixelsPerPoint);

  Callbacks callbacks_;
  bool active_ = false, blank_ = false, numbers_ = false, laser_ = false;
  bool choosing_ = false;                           ///< the next drag selects the region
  bool freezes_ = false;                            ///< the next presented() keeps what is shown
  std::optional<render::Point> corner_, opposite_;  ///< of the drag, points of the window
  std::optional<std::pair<PicturePlace, PicturePlace>> zoom_;
  std::optional<Presented> frozenState_;
  std::deque<LaserPoint> stroke_;
};

/// Seconds of CLOCK_MONOTONIC.
double monotonicSeconds();
/// Draws a stroke that fades: points of the window with their time.
void drawLaser(const std::vector<std::pair<render::Point, double>>& stroke, const Theme& theme);

}  // namespace sepx::ui
