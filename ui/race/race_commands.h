// SPDX-License-Identifier: Apache-2.0
// The commands about single runs of a race: save a checkpoint now, branch from a saved step, edit a copy, compare two
// runs or two steps in the exhibit Weights; their parameters and read-outs. Frame thread.
#pragma once

#include <string_view>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

/// Called by declareRaceShared(). `live` outlives the registry.
void declareRaceCommands(PropertyRegistry& registry, const RaceShared& live);
/// `shared` outlives the commands.
std::vector<ExhibitCommand> raceCommands(const RaceShared& shared);
/// Adds the controls and buttons of the commands to the column.
void raceCommandPanel(const RaceShared& shared, ExhibitContext& context, PagePanel& panel);
/// "Branch from step 500": names the saved step nearest to the slider.
std::string branchLabel(const RaceShared& shared);

}  // namespace sepx::ui
