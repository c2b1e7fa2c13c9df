// SPDX-License-Identifier: Apache-2.0
// Lane names of a pane: behind the own name an @ and the pane's number; pane 1 has them plain.
#include "ui/exhibit/job_lanes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"

namespace sepx::ui {
namespace {

bool isActive(const JobStatus& job) {
  return job.state == JobState::Queued || job.state == JobState::Running;
}

}  // namespace

std::string JobLanes::laneOf(std::string_view own) const {
  return pane_ == 1 ? std::string(own) : fmt::format("{}@{}", own, pane_);
}

void JobLanes::start(std::string_view lane, std::string name, Jobs::Work work) const {
  if (pane_ > 1) name = fmt::format(fmt::runtime(tr("{} (pane {})")), name, pane_);
  jobs_->start(laneOf(lane), std::move(name), std::move(work));
}

void JobLanes::cancel(std::string_view lane) const {
  jobs_->cancel(laneOf(lane));
}

std::vector<JobStatus> JobLanes::list() const {
  std::vector<JobStatus> own;
  for (JobStatus& job : jobs_->list()) {
    const std::size_t at = job.lane.rfind('@');
    const std::string_view number = at == std::string::npos ? "1" : std::string_view(job.lane).substr(at + 1);
    if (number != std::to_string(pane_)) continue;
    if (at != std::string::npos) job.lane.resize(at);
    own.push_back(std::move(job));
  }
  return own;
}

bool JobLanes::idle() const {
  if (jobs_->idle()) return true;
  const std::vector<JobStatus> own = list();
  return std::none_of(own.begin(), own.end(), isActive);
}

}  // namespace sepx::ui
