// SPDX-License-Identifier: Apache-2.0
// The parameters that a page about one model measures: those of the selected run at the step shown. If the shipped runs
// come without weights, or no run is open, those of a shipped model.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

struct ShownModel {
  std::optional<ModelRequest> run;  ///< all parameters
  std::string folder;               ///< of a shipped model; used without a run
  std::string name;                 ///< of the run
  bool operator==(const ShownModel& other) const { return run == other.run && folder == other.folder; }
};

/// Frame thread, once a frame. Requests the parameters of a run that trains here. `before`: the previous request; null:
/// none. Empty if there is no model; `sentence` is then shown in its place.
std::optional<ShownModel> shownModel(const ReversalShared& shared, const std::shared_ptr<RunData>& data,
                                     const ShownModel* before, std::string& sentence);
/// Any thread. The step of a shipped model is -1. With one sentence: Usage for a run on other data than pairs, BadInput
/// if the model cannot be read.
Result<WholeModel> readShown(const ShownModel& shown);
/// "MDM, RoPE, step 1,240", "Small MDM, which ships with the program".
std::string titleOf(const ShownModel& shown, const WholeModel& model);

}  // namespace sepx::ui
