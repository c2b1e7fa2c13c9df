// SPDX-License-Identifier: Apache-2.0
// Exports figures one after the other while the window stays in use, and copies to the clipboard. Frame thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ui/workbench/commands.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

class Figures {
 public:
  /// `workbench`: the source of the figures.
  Figures(Workbench& workbench, WindowState& window) : workbench_(workbench), window_(window) {}

  /// See Workbench::exportFigure(). In simulated time the figure is complete when this returns, and ImGui has no
  /// current context then.
  Result<void> start(FigureRequest request);
  /// Call once per frame.
  void step();
  bool idle() const { return makers_.empty(); }
  /// True while a figure that ended still has running jobs. The end of the last job wakes the host, and the next step()
  /// destroys the figure.
  bool hasEndingFigures() const { return !endedMakers_.empty(); }
  std::vector<JobStatus> jobs() const;
  void cancelAll();
  /// Cancels all figures and waits until they are destroyed, because they may hold resources of the device.
  void endAll();
  /// False if no figure has this lane in jobs().
  bool cancel(std::string_view lane);

  /// Adds commands that copy to the clipboard, and those for the figure that was written last.
  void addCommands(Commands& to);

 private:
  void ended(const FigureMaker& maker);
  void retire(std::unique_ptr<FigureMaker> maker);
  Result<void> copy(Result<Clip> clip, const std::string& confirmation);

  Workbench& workbench_;
  WindowState& window_;
  std::string written_;  ///< the file that was written last; empty: none
  std::vector<std::unique_ptr<FigureMaker>> makers_;
  std::vector<std::unique_ptr<FigureMaker>> endedMakers_;  ///< ended; kept until their jobs end, so that no frame waits
};

}  // namespace sepx::ui
