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
  /// Implicit, because a window with one pane uses the lane names unchanged. `awaited`: list of the pane's jobs that
  /// the visible page waits for; the caller clears it before each update. Null: they are not collected.
  JobLanes(Jobs& jobs, int pane = 1, std::vector<JobHandle>* awaited = nullptr)
      : jobs_(&jobs), pane_(pane), awaited_(awaited) {}
  /// The lanes of another pane, with the same list of awaited jobs.
  JobLanes inPane(int pane) const { return {*jobs_, pane, awaited_}; }

  /// As Jobs::start for a lane of this pane.
  JobHandle start(std::string_view lane, std::string name, Jobs::Work work) const;
  /// Records that the visible page waits for this job.
  void waitFor(const JobHandle& job) const {
    if (awaited_) awaited_->push_back(job);
  }

 private:
  Jobs* jobs_;
  int pane_;
  std::vector<JobHandle>* awaited_;
};

}  // namespace sepx::ui
