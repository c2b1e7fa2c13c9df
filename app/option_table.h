// SPDX-License-Identifier: Apache-2.0
// The commands and options of a program as plain data, read from the object that parses them (CLI::App). Manual pages
// (man_page.h), shell completion (completion.h) and the tests that compare them with --help and docs use this table, so
// that an option is described only once. Plain data; the CLI::App belongs to the main thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace CLI {
class App;
}

namespace sepx::app {

struct OptionRow {
  std::vector<std::string> names;    ///< "-h", "--help"; of a positional argument its word in usage: "CHECKPOINT"
  std::string value;                 ///< placeholder of the value: "WxH", "full|sym|skew"; empty: a flag
  std::string help;                  ///< as --help shows it
  std::vector<std::string> choices;  ///< the allowed values, if there are few: "full", "sym", "skew"
  bool positional = false, required = false, repeats = false;

  /// The value is a path: completion offers files.
  bool isPath() const;
};

struct CommandTable {
  std::string name, description, footer;
  std::vector<OptionRow> options;  ///< in the order of --help, without options that --help hides
  std::vector<CommandTable> commands;

  const CommandTable* find(const std::string& command) const;  ///< null when there is none
  /// "sepx flow [OPTIONS]", "sepx heatmap [OPTIONS] CHECKPOINT". `program`: empty, or the program of this command.
  std::string synopsis(const std::string& program) const;
};

CommandTable optionTable(const CLI::App& app);

/// Output of `PROGRAM [VERB] --print-page KIND`. KIND is man, bash, zsh, fish, or verbs (their names, one per line); a
/// VERB has a manual page only. Usage with one sentence for another KIND or VERB.
Result<std::string> printedPage(const CLI::App& app, const std::vector<std::string>& verb, const std::string& kind);

}  // namespace sepx::app
