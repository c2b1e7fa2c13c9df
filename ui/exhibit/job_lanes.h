// SPDX-License-Identifier: Apache-2.0
// The lanes of one pane among all jobs of the window. An exhibit calls its lanes by its own names ("flow.paths"); in
// pane k the lane is "flow.paths@k", so that panes do not replace each other's work (the latest job of a lane wins).
// Frame thread, like Jobs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/job.h"

namespace sepx::ui {

class JobLanes {
 public:
  /// Implicit: a window with one pane has the lanes as they are.
  JobLanes(Jobs& jobs, int pane = 1) : jobs_(&jobs), pane_(pane) {}

  /// As Jobs::start, cancel, list and idle, for the lanes of this pane alone and by their own names.
  void start(std::string_view lane, std::string name, Jobs::Work work) const;
  void cancel(std::string_view lane) const;
  std::vector<JobStatus> list() const;
  bool idle() const;

 private:
  std::string laneOf(std::string_view own) const;

  Jobs* jobs_;
  int pane_;
};

}  // namespace sepx::ui
