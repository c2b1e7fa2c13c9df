// SPDX-License-Identifier: Apache-2.0
// Which steps of a long run are read first, so that its curves are on the screen before its millions of numbers are
// read: of everything that the schedule measures, evenly spaced steps at which it is measured. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/train/run_config.h"

namespace sepx::ui {

inline constexpr std::size_t kOverviewSteps = 500;  ///< about two pixels of a chart's width each

/// Ascending, each once, up to `last`.
std::vector<std::int64_t> overviewSteps(const train::Schedule& schedule, std::int64_t last);

}  // namespace sepx::ui
