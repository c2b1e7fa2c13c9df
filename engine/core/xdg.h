// SPDX-License-Identifier: Apache-2.0
// Where a person's files belong by the XDG base directory specification, with the program's own folder below:
// $XDG_CONFIG_HOME, $XDG_STATE_HOME, $XDG_CACHE_HOME and $XDG_DATA_HOME, else the defaults under $HOME. Only names
// paths, makes nothing. Any thread.
#pragma once

#include <string>

namespace sepx {

std::string configFolder();  ///< settings: ~/.config/separatrix
std::string stateFolder();   ///< recent files, unsaved work: ~/.local/state/separatrix
std::string cacheFolder();   ///< what can be made again: ~/.cache/separatrix
std::string dataFolder();    ///< runs: ~/.local/share/separatrix

}  // namespace sepx
