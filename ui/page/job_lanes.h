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
  /// Implicit: a window with one pane has the lanes as they are. `awaited`: a list of the pane's jobs that the page in
  /// view waits for, which the caller empties before each update; null: nobody asks.
  JobLanes(Jobs& jobs, int pane = 1, std::vector<JobHandle>* awaited = nullptr)
      : jobs_(&jobs), pane_(pane), awaited_(awaited) {}
  /// The lanes of another pane, whose jobs are awaited where those of this one are.
  JobLanes inPane(int pane) const { return {*jobs_, pane, awaited_}; }

  /// As Jobs::start for a lane of this pane.
  JobHandle start(std::string_view lane, std::string name, Jobs::Work work) const;
  /// What is in view waits for this job.
  void waitFor(const JobHandle& job) const {
    if (awaited_) awaited_->push_back(job);
  }

 private:
  Jobs* jobs_;
  int pane_;
  std::vector<JobHandle>* awaited_;
};

}  // namespace sepx::ui
