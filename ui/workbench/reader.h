// SPDX-License-Identifier: Apache-2.0
// Reads pictures by keyboard and for assistive technology. Tab moves from view to view, and from the last one to the
// fields beside the picture. Arrow keys move from cell to cell, Enter clicks there, Escape ends reading. The cell that
// is read is shown as if the pointer were on it. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/canvas/input.h"
#include "ui/workbench/panes.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

class Reader {
 public:
  explicit Reader(Panes& panes) : panes_(panes) {}

  /// What can be read in a pane, elements that the user placed first. Boxes and places in points of the window.
  std::vector<ReadableView> views(int pane);
  /// Position in the window, points, of data in a view: "training.curves.loss", in pane 2 "training@2.curves.loss"; in
  /// the active pane also "curves.loss". Empty optional where there is no such view, or no such place in it.
  std::optional<render::Point> place(std::string_view view, render::Point data);

  /// Whether there is a view that Tab (with Shift: back) would go to.
  bool takesTab(bool back) { return nextView(back).has_value(); }
  /// Something is read by keyboard.
  bool reads() const { return reading_.has_value(); }
  /// True: the key was used for reading, which continues or ends.
  bool key(const KeyPressed& press);
  /// True: the key was Tab, and reading begins at the next view.
  bool begin(const KeyPressed& press);
  /// Reads a cell of the active pane. False: there is none.
  bool read(const ReadingPlace& place);
  /// Ends reading, because the pointer is used again or another page is shown.
  void end();
  /// The cell that is read, or else the selected element of those that the user placed. Empty optional: neither.
  std::optional<ReadingPlace> reading();

 private:
  bool walk(const KeyPressed& press);
  std::optional<ReadingPlace> nextView(bool back);
  void show();
  void press();

  Panes& panes_;
  std::optional<ReadingPlace> reading_;
  std::optional<render::Point> shown_;  ///< simulated position of the pointer, points of the window
};

}  // namespace sepx::ui
