// SPDX-License-Identifier: Apache-2.0
// The experiments of the Training exhibit. One table; a new experiment is one row in experiments.cpp. Constant data.
#pragma once

#include <span>

#include "ui/race/experiment.h"

namespace sepx::ui {

/// In the order of the cards. The last one, "own", has no configs.
std::span<const Experiment> experiments();
/// The properties of the races of the Training exhibit.
const RaceKind& trainingRaces();

}  // namespace sepx::ui
