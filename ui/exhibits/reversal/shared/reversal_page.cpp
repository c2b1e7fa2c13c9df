// SPDX-License-Identifier: Apache-2.0
// See reversal_page.h.
#include "ui/exhibits/reversal/shared/reversal_page.h"

namespace sepx::ui {

namespace {

bool hasModel(const RacingRun& racing, const ReversalShared& shared) {
  if (!racing.run) return false;
  if (shared.live && racing.run->reported() && racing.run->trains()) return true;
  const std::vector<std::int64_t>& saved = racing.run->savedSteps();
  return !saved.empty() && saved.front() <= shared.step;
}

}  // namespace

int shownIndex(const ReversalShared& shared) {
  const int count = static_cast<int>(shared.runs.size()), chosen = shared.state.run;
  if (chosen >= 0 && chosen < count) return chosen;
  for (int i = 0; i < count; ++i)
    if (hasModel(shared.runs[static_cast<std::size_t>(i)], shared)) return i;
  return count > 0 ? 0 : -1;
}

const RacingRun* shownRun(const ReversalShared& shared) {
  const int index = shownIndex(shared);
  return index < 0 ? nullptr : &shared.runs[static_cast<std::size_t>(index)];
}

}  // namespace sepx::ui
