// SPDX-License-Identifier: Apache-2.0
// The commands that exist now, each with its action: the same list for menus, keys, scripts and the sheet of keys.
// Every part of the window adds its own. Frame thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ui/canvas/input.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

class Commands {
 public:
  using Action = std::function<Result<void>()>;

  /// `act`: returns Result<void> or void.
  template <class Act>
  void add(Workbench::Command command, Act act) {
    if constexpr (std::is_void_v<std::invoke_result_t<Act>>) {
      entries_.emplace_back(std::move(command), [act = std::move(act)]() -> Result<void> {
        act();
        return {};
      });
    } else {
      entries_.emplace_back(std::move(command), std::move(act));
    }
  }
  /// Removes commands, such as those that the host cannot serve.
  void remove(const std::vector<std::string>& keys);
  void keepOnly(const std::vector<std::string>& keys);
  /// Clears the shortcut of each command whose chord an earlier enabled command already has, so that no list names a
  /// key that means something else.
  void clearShadowedShortcuts();

  /// In the order of the menus.
  std::vector<Workbench::Command> list() const;
  /// Finds an action without running it. Usage if there is no such command, CheckFailed if it is not available now.
  Result<Action> find(std::string_view key) const;
  /// The command that a key press triggers. Empty if none is available for it, or if the text field being edited takes
  /// the key.
  std::string meaning(const KeyPressed& press, bool textActive) const;

 private:
  std::vector<std::pair<Workbench::Command, Action>> entries_;
};

}  // namespace sepx::ui
