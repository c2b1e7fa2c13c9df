// SPDX-License-Identifier: Apache-2.0
// Lane names of a pane: its own name, @ and the pane number. Pane 1 uses the plain name.
#include "ui/page/job_lanes.h"

#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

JobHandle JobLanes::start(std::string_view lane, std::string name, Jobs::Work work) const {
  if (pane_ == 1) return jobs_->start(lane, std::move(name), std::move(work));
  if (!name.empty()) name = trFormat("{} (pane {})", name, pane_);
  return jobs_->start(fmt::format("{}@{}", lane, pane_), std::move(name), std::move(work));
}

}  // namespace sepx::ui
