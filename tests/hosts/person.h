// SPDX-License-Identifier: Apache-2.0
// A person with folders of their own and one session file, and the studio that runs in them: how it is started and
// killed, what it keeps aside of work that was not saved, and the runs of the library.
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

  /// The folders are emptied first. `name`: of the home.
  explicit Person(const std::string& name = "person-home") : home(freshFolder(name)) {}

  void write(const std::string& text) const;  ///< the session file
  std::map<std::string, std::optional<std::string>> environment() const;
  /// Of the studio; with the session file or without.
  std::vector<std::string> command(bool withFile) const;
  /// What the studio keeps aside; null when it keeps nothing.
  nlohmann::json kept() const;
  int keptPoints() const;   ///< points of the chain in it; -1 when there is none
  int savedPoints() const;  ///< in the session file; -1 when it cannot be read

  /// Runs of the library in which a program trains now.
  std::size_t aliveRuns() const;
  /// The step of the run that is the least far; -1 where there is none.
  std::int64_t leastStep() const;
};

/// kill -9, and waits for the end.
void killNow(Process& studio);
/// Moves it to the corner and gives it the keyboard, without a click, which would begin the runs of a card.
void focusWindow(const std::string& window);
/// Answers the offer of unsaved work with Return: open it.
void acceptOffer(const Process& studio);
/// Opens the palette, types the words and takes the first line.
void takePalette(const Process& studio, const std::string& words);

}  // namespace sepx::tests
