// SPDX-License-Identifier: Apache-2.0
// The job that reads files. A job that was cancelled never says that it has read.
#include "ui/workbench/opening.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"

namespace sepx::ui {
namespace {

constexpr const char* kOpeningLane = "files.open";

}  // namespace

struct Opening::Work {
  std::vector<Result<Opened>> files;
  std::atomic<bool> read{false};  ///< `files` belongs to the frame thread
};

void Opening::start(std::vector<std::string> paths, const std::string& rules) {
  name_ = std::filesystem::path(paths.front()).filename().string();
  work_ = std::make_shared<Work>();
  jobs_.start(kOpeningLane, fmt::format(fmt::runtime(tr("opening {}")), name_),
              [work = work_, paths = std::move(paths), rules](JobContext& job) -> Result<void> {
                for (std::size_t i = 0; i < paths.size(); ++i) {
                  const auto cancelled = [&](double share) {
                    job.progress((static_cast<double>(i) + share) / static_cast<double>(paths.size()));
                    return job.cancelled();
                  };
                  work->files.push_back(readAnything(paths[i], rules, cancelled));
                  if (job.cancelled()) return {};
                }
                work->read.store(true, std::memory_order_release);
                job.published();
                return {};
              });
}

bool Opening::cancel() {
  if (name_.empty()) return false;
  jobs_.cancel(kOpeningLane);
  work_.reset();
  name_.clear();
  return true;
}

bool Opening::refresh() {
  if (!work_) return false;
  if (work_->read.load(std::memory_order_acquire)) return true;
  // The job may have been cancelled by its name, in the list of jobs.
  const auto all = jobs_.list();
  const auto own = std::find_if(all.begin(), all.end(), [](const JobStatus& job) { return job.lane == kOpeningLane; });
  if (own != all.end() && own->state == JobState::Cancelled) cancel();
  return false;
}

const std::vector<Result<Opened>>& Opening::files() const {
  return work_->files;
}

std::vector<Result<Opened>> Opening::take() {
  name_.clear();
  return std::move(std::exchange(work_, nullptr)->files);
}

}  // namespace sepx::ui
