// SPDX-License-Identifier: Apache-2.0
// A user with separate folders and one session file, and the studio that runs in them: how it is started and killed,
// its recovery file for unsaved work, and the runs of the library.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/hosts/desktop.h"

namespace sepx::tests {

struct Person {
  std::string home;
  std::string session = home + "/race.sepx";
  std::string runs = home + "/data/separatrix/runs";

  /// Empties the folders first. `name`: the name of the home folder.
  explicit Person(const std::string& name = "person-home") : home(freshFolder(name)) {}

  void write(const std::string& text) const;  ///< the session file
  std::map<std::string, std::optional<std::string>> environment() const;
  /// The command of the studio, with or without the session file.
  std::vector<std::string> command(bool withFile) const;
  /// The content of the recovery file; null if there is none.
  nlohmann::json kept() const;
  int keptPoints() const;   ///< points of the chain in the recovery file; -1 if there is none
  int savedPoints() const;  ///< points in the session file; -1 if it cannot be read

  /// Number of runs of the library that a program trains now.
  std::size_t aliveRuns() const;
  /// The smallest step of all runs; -1 if there are none.
  std::int64_t leastStep() const;
};

/// kill -9, and waits for the end.
void killNow(Process& studio);
/// Moves the window to the corner and gives it the keyboard focus without a click, which would start the runs of a
/// card.
void focusWindow(const std::string& window);
/// Answers the offer of unsaved work with Return, which opens it.
void acceptOffer(const Process& studio);
/// Opens the palette, types the words and chooses the first line.
void takePalette(const Process& studio, const std::string& words);

}  // namespace sepx::tests
