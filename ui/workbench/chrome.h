// SPDX-License-Identifier: Apache-2.0
// The controls around the picture in hosts without a toolkit of their own: the status line with the running work and
// the list of jobs, the message bar with the list of earlier messages and a button that copies their details, the sheet
// of keys and the guide. It only calls public functions of Workbench. Frame thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/guide_sheet.h"
#include "ui/workbench/layout.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

class Chrome {
 public:
  /// `copy`: puts the details of a message on the clipboard; empty: there is no clipboard.
  explicit Chrome(Workbench& workbench, std::function<void(const std::string&)> copy = {})
      : workbench_(workbench), copy_(std::move(copy)), guide_(workbench) {}

  /// Height of the message bar at this width, points; 0 if no message is shown.
  double messageHeight(double width, const Theme& theme) const;
  /// True if the message bar lies over the picture and closes with the next press or key outside of it.
  bool messageIsTransient() const;
  /// Call for a press or a key outside of the message bar.
  void pressed();
  void drawMessage(const render::Rect& bar, const Theme& theme, ControlMap& controls);
  void drawStatus(const render::Rect& line, const Theme& theme, ControlMap& controls);
  void drawHelp(render::Point window, const Theme& theme, ControlMap& controls);
  /// True: draw another frame soon.
  bool drawGuide(render::Point window, const Theme& theme, ControlMap& controls) {
    return guide_.draw(window, theme, controls);
  }
  /// Draws the pointer of a lesson at `at` (points), so that an audience sees what changes the picture.
  void drawPointer(render::Point at, const Theme& theme) const;

  void toggleHelp() { helpOpen_ = !helpOpen_; }
  void toggleGuide() { guide_.toggle(); }
  bool guideOpen() const { return guide_.isOpen(); }
  /// Closes what is open, the sheet before the message. False when there was nothing to close.
  bool dismiss();
  /// Closes the message bar. The messages stay in the list.
  void dismissMessages() { dismissed_ = workbench_.messages().size(); }

 private:
  void drawHistory(const Theme& theme, ControlMap& controls) const;
  float drawRunning(float x, float pad, const Theme& theme, ControlMap& controls);
  void drawJobs(const Theme& theme, ControlMap& controls);
  void drawJob(const JobStatus& job, const Theme& theme, ControlMap& controls);
  std::string details(std::size_t first) const;

  Workbench& workbench_;
  std::function<void(const std::string&)> copy_;
  std::size_t dismissed_ = 0;  // messages before this one are no longer shown
  bool helpOpen_ = false;
  GuideSheet guide_;
};

}  // namespace sepx::ui
