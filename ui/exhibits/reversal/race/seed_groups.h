// SPDX-License-Identifier: Apache-2.0
// Runs of a race that differ only in their seed, and their curves as a mean with the range over the seeds. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ui/exhibits/reversal/shared/reversal_page.h"

namespace sepx::ui {

struct SeedGroup {
  std::string name;               ///< of the runs, without the seed
  std::vector<std::size_t> runs;  ///< indices in ReversalShared::runs
};
/// In the order of the first run of each group. Runs without a config are left out.
std::vector<SeedGroup> seedGroups(const ReversalShared& shared);

/// All steps of any of the series. The numbers of a step are those of the series that have this step.
struct SeedBand {
  std::vector<double> steps, mean, low, high;
};
SeedBand seedBand(const std::vector<const RunSeries*>& series);

}  // namespace sepx::ui
