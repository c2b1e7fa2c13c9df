// SPDX-License-Identifier: Apache-2.0
// Texts for the state, steps, times and names of runs. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/train/snapshot.h"

namespace sepx::ui {

/// "running", translated; an unknown word is returned unchanged. `state`: as from train::toString().
std::string stateWords(std::string_view state);
/// For a run whose data are not ready: that they are being prepared, or how much of them has been read.
std::string preparingWords(const train::Snapshot& live);
/// "3 min 10 s", for estimates.
std::string durationWords(double seconds);
/// The name of a run as a folder name that is valid on every file system. Numbers keep their decimal point and sign, so
/// that the folders of (−0.50, 0.99) and (0.50, 0.99) differ.
std::string runFolderName(const std::string& name);
/// If the folder is named after `name`, `name` with the number of the folder: "Start (−0.50, 0.99) 2" for
/// "Start-minus-0.50-0.99-2". Otherwise the name of the folder.
std::string runTitle(const std::string& name, const std::string& folderName);
/// "1,240"
std::string stepText(std::int64_t step);

}  // namespace sepx::ui
