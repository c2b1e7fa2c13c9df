// SPDX-License-Identifier: Apache-2.0
// The parameters of the page of a new run: every field of its config, the preset, what of the page is open. At start,
// on the frame thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/train/run_config.h"
#include "ui/properties/declarations.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// `here`: where they apply. `live` outlives the registry.
void declareOwn(PropertyRegistry& registry, const RaceShared& live, const Condition& here);

/// The config of a file of `assets`; of "" the defaults.
Result<train::RunConfig> readPreset(const std::string& assets, const std::string& name);
/// The person's own text that a document has as data; empty: none.
std::string textIn(const Document& document);

}  // namespace sepx::ui
