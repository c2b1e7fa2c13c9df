// SPDX-License-Identifier: Apache-2.0
#include "app/cli/declare.h"

#include <CLI/CLI.hpp>

#include "app/cli/text.h"

namespace sepx::app::cli {

CLI::Option* addOption(CLI::App& command, const char* name, std::string& into, const char* help, const char* type) {
  return command.add_option(name, into, tr(help))->type_name(type);
}

CLI::Option* addOption(CLI::App& command, const char* name, std::vector<std::string>& into, const char* help,
                       const char* type) {
  return command.add_option(name, into, tr(help))->type_name(type);
}

void addFlag(CLI::App& command, const char* name, bool& into, const char* help) {
  command.add_flag(name, into, tr(help));
}

void addJsonFlag(CLI::App& command, bool& into) {
  addFlag(command, "--json", into, N_("Print one JSON document"));
}

}  // namespace sepx::app::cli
