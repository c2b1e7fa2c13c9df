// SPDX-License-Identifier: Apache-2.0
// Chooses the steps of a long run that are read first, so that its curves are shown before its millions of numbers are
// read: for everything that the schedule measures, evenly spaced steps at which it is measured. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/train/run_config.h"

namespace sepx::ui {

inline constexpr std::size_t kOverviewSteps = 500;  ///< about two pixels of the width of a chart per step

/// Ascending steps without duplicates, up to `last`.
std::vector<std::int64_t> overviewSteps(const train::Schedule& schedule, std::int64_t last);

}  // namespace sepx::ui
