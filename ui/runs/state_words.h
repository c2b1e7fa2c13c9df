// SPDX-License-Identifier: Apache-2.0
// The state of a run, its steps and its time for people. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/train/snapshot.h"

namespace sepx::ui {

/// "running", translated; a word that is none stays as it is. `state`: as train::word() has it.
std::string stateWords(std::string_view state);
/// Of a run whose data are not there yet: that they are prepared, or how far they are read.
std::string preparingWords(const train::Snapshot& live);
/// "3 min 10 s", for estimates.
std::string durationWords(double seconds);
/// "1,240"
std::string stepText(std::int64_t step);

}  // namespace sepx::ui
