// SPDX-License-Identifier: Apache-2.0
// The state of a run, its steps, its time and its name for people. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/train/snapshot.h"

namespace sepx::ui {

/// "running", translated; a word that is none stays as it is. `state`: as train::toString() has it.
std::string stateWords(std::string_view state);
/// Of a run whose data are not there yet: that they are prepared, or how far they are read.
std::string preparingWords(const train::Snapshot& live);
/// "3 min 10 s", for estimates.
std::string durationWords(double seconds);
/// A name of a run as a folder on every file system has it. Numbers keep their point and their sign, so that the
/// folders of (−0.50, 0.99) and (0.50, 0.99) are told apart.
std::string runFolderName(const std::string& name);
/// The name as its config has it where the folder is called after it, with the number that the folder has beside others
/// of that name: "Start (−0.50, 0.99) 2" for "Start-minus-0.50-0.99-2". Else the folder's.
std::string runTitle(const std::string& name, const std::string& folderName);
/// "1,240"
std::string stepText(std::int64_t step);

}  // namespace sepx::ui
