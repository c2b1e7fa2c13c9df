// SPDX-License-Identifier: Apache-2.0
// The commands that there are now, each with what it does: the same list for menus, keys, scripts and the sheet of
// keys. Every part of the window adds its own. Frame thread.
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

  /// `act`: answers a Result<void> or nothing.
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
  /// Commands that the host cannot serve do not exist.
  void remove(const std::vector<std::string>& keys);
  void keepOnly(const std::vector<std::string>& keys);
  /// A command whose chord an earlier one has that is possible now loses its own: no list names a key that means
  /// something else.
  void giveWay();

  /// As they stand in menus.
  std::vector<Workbench::Command> list() const;
  /// Usage when there is no such command, CheckFailed when it is not possible now, without acting.
  Result<Action> find(std::string_view key) const;
  /// The command that a key means; empty: none that is possible now, or a text field that is edited takes the key.
  std::string meaning(const KeyPressed& press, bool textActive) const;

 private:
  std::vector<std::pair<Workbench::Command, Action>> entries_;
};

}  // namespace sepx::ui
