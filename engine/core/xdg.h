// SPDX-License-Identifier: Apache-2.0
// The folders of the user's files by the XDG base directory specification, each with the subfolder of this program:
// $XDG_CONFIG_HOME, $XDG_STATE_HOME, $XDG_CACHE_HOME and $XDG_DATA_HOME, or the defaults under $HOME. Only returns
// paths and creates nothing. Any thread.
#pragma once

#include <string>

namespace sepx {

std::string configFolder();  ///< settings: ~/.config/separatrix
std::string stateFolder();   ///< recent files, unsaved work: ~/.local/state/separatrix
std::string cacheFolder();   ///< data that can be recreated: ~/.cache/separatrix
std::string dataFolder();    ///< runs: ~/.local/share/separatrix

}  // namespace sepx
