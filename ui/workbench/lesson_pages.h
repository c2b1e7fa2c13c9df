// SPDX-License-Identifier: Apache-2.0
// Exports a lesson as an HTML page. A separate workbench plays the steps in simulated time. Each step becomes a
// section, with a picture where it shows something new. Speaker's notes are left out. Frame thread.
#pragma once

#include <memory>
#include <string>

#include "ui/workbench/figure.h"
#include "ui/workbench/web_page.h"

namespace sepx::ui {

class LessonPage {
 public:
  /// Exports the lesson that is open in `of`; take() returns Usage where there is none.
  LessonPage(const Workbench& of, gpu::Context* context, FigureRequest request);
  ~LessonPage();
  /// From now on step() waits for jobs as long as it needs.
  void waitForJobs();
  /// Does the next part of the work. True when the export has ended.
  bool step();
  /// Requests the end of its jobs and runs without waiting for them. step() does nothing from then on.
  void cancel();
  /// After cancel(), like FigureMaker::jobsEnded(); in addition none of its runs trains any more, and their folder is
  /// removed.
  bool jobsEnded() const;
  double share() const;
  /// After the end: the page, or an error that names the step.
  Result<WebPage> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
