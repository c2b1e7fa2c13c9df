// SPDX-License-Identifier: Apache-2.0
// The parameters that a page about one model measures: those of the chosen run at the step shown, or, where runs ship
// without their weights or none is open, those of a model that ships with them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

struct ShownModel {
  std::optional<ModelRequest> run;  ///< all parameters
  std::string folder;               ///< without a run: of a model that ships
  std::string name;                 ///< of the run
  bool operator==(const ShownModel& other) const { return run == other.run && folder == other.folder; }
};

/// Frame thread, once a frame; tells a run that trains here that its parameters are wanted. `before`: what was asked
/// for last, null: nothing. Nothing, with the sentence that stands in its place, where there is no model.
std::optional<ShownModel> shownModel(const ReversalShared& shared, const std::shared_ptr<RunData>& data,
                                     const ShownModel* before, std::string& sentence);
/// Any thread; step -1 of a model that ships. With one sentence: Usage of a run on other data than pairs, BadInput
/// where it cannot be read.
Result<WholeModel> readShown(const ShownModel& shown);
/// "MDM, RoPE, step 1,240", "Small MDM, which ships with the program".
std::string titleOf(const ShownModel& shown, const WholeModel& model);

}  // namespace sepx::ui
