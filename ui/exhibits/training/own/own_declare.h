// SPDX-License-Identifier: Apache-2.0
// Declares the parameters of the page New run: every field of the config, the preset, and which parts of the page are
// open. At program start, on the frame thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/train/run_config.h"
#include "ui/properties/declarations.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// `here`: the condition under which they apply. `live` outlives the registry.
void declareOwn(PropertyRegistry& registry, const RaceShared& live, const Condition& here);

/// Reads a preset from the folder `assets`. An empty `name`: the defaults.
Result<train::RunConfig> readPreset(const std::string& assets, const std::string& name);
/// The path of the user's own text if the document has it as data; empty: none.
std::string textIn(const Document& document);

}  // namespace sepx::ui
