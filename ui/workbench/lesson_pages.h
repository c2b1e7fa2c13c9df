// SPDX-License-Identifier: Apache-2.0
// A lesson as a page (HTML): a workbench of its own goes through the steps in simulated time, and each step that shows
// something new becomes a section with its picture. Speaker's notes stay out. Frame thread.
#pragma once

#include <memory>
#include <string>

#include "ui/workbench/figure.h"
#include "ui/workbench/web_page.h"

namespace sepx::ui {

class LessonPage {
 public:
  /// Of the lesson that is open in `of`; Usage in outcome() where there is none.
  LessonPage(const Workbench& of, gpu::Context* context, FigureRequest request);
  ~LessonPage();
  /// From now on a step takes as long as it needs.
  void waitForJobs();
  /// True when it ended.
  bool step();
  /// What works for it is told to end, and is not waited for. It makes no step any more.
  void cancel();
  /// Once it was cancelled, as FigureMaker::jobsEnded(): none of its runs trains any more either, and their
  /// folder is removed.
  bool jobsEnded() const;
  double share() const;
  /// Once ended: the page without its recipe's version, or what was wrong, naming the step.
  Result<WebPage> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
