// SPDX-License-Identifier: Apache-2.0
// The cards over the picture: the card that explains a number, with its key, its pane and its permitted area, and the
// sheet of errata. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/workbench/commands.h"
#include "ui/workbench/errata_sheet.h"
#include "ui/workbench/explain_card.h"
#include "ui/workbench/panes.h"

namespace sepx::ui {

class Cards {
 public:
  Cards(WindowState& window, Panes& panes);

  /// See Workbench.
  Result<void> explain(std::string_view key);
  Result<std::string> explanation(std::string_view key);
  /// The commands about cards; `numbersShown`: there is a number to explain.
  void addCommands(Commands& to, bool numbersShown);
  /// `numbersShown`: there is a number to explain, and the card is drawn too. `held`: a gesture is in progress, so the
  /// card keeps its place.
  void draw(bool numbersShown, bool held);
  /// Closes the sheet of errata, otherwise the card; Esc calls it. False if neither was open.
  bool dismiss() { return errata_.close() || card_.close(); }

 private:
  std::optional<render::Point> selectedPlace(int pane);
  render::Rect belowTabs(int pane);
  std::string keyToExplain();
  std::vector<std::string> keysToExplain();
  Result<void> turn(int step);

  WindowState& window_;
  Panes& panes_;
  ErrataSheet errata_;
  ExplainCard card_;
};

}  // namespace sepx::ui
