// SPDX-License-Identifier: Apache-2.0
// Figures that leave the program while the window goes on, one after the other, and what goes to the clipboard. Frame
// thread.
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
  /// `workbench`: of which the figures are made.
  Figures(Workbench& workbench, WindowState& window) : workbench_(workbench), window_(window) {}

  /// As Workbench::exportFigure. In simulated time it is made before this returns, and ImGui has no current context.
  Result<void> start(FigureRequest request);
  /// Once a frame.
  void step();
  bool idle() const { return makers_.empty(); }
  /// A figure that ended has jobs that have not: the end of the last one wakes the host for the step() that lets it go.
  bool leaving() const { return !leaving_.empty(); }
  std::vector<JobStatus> jobs() const;
  void cancelAll();
  /// The same, and waits until nothing of them is left: they may hold resources of the device.
  void endAll();
  /// False where no figure is made on this lane of jobs().
  bool cancel(std::string_view lane);

  /// Copies to the clipboard, and what can be done with the figure that was written last.
  void addCommands(Commands& to);

 private:
  void ended(const FigureMaker& maker);
  void leave(std::unique_ptr<FigureMaker> maker);
  Result<void> copy(Result<Clip> clip, const std::string& said);

  Workbench& workbench_;
  WindowState& window_;
  std::string written_;  ///< the file that was written last; empty: none
  std::vector<std::unique_ptr<FigureMaker>> makers_;
  std::vector<std::unique_ptr<FigureMaker>> leaving_;  ///< ended; kept until their jobs have, so that no frame waits
};

}  // namespace sepx::ui
