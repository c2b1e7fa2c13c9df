// SPDX-License-Identifier: Apache-2.0
// Functions with which a verb declares its options. Texts are N_("…") and are translated here. `type` is what --help
// shows for the value. One thread.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sepx::app::cli {

CLI::Option* addOption(CLI::App& command, const char* name, std::string& into, const char* help, const char* type);
CLI::Option* addOption(CLI::App& command, const char* name, std::vector<std::string>& into, const char* help,
                       const char* type);
void addFlag(CLI::App& command, const char* name, bool& into, const char* help);
/// --json
void addJsonFlag(CLI::App& command, bool& into);

}  // namespace sepx::app::cli
