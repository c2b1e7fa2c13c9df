// SPDX-License-Identifier: Apache-2.0
// Reading pictures by keyboard, and for assistive programs: Tab goes from view to view and from the last one on to the
// fields beside the picture, arrow keys from cell to cell, Enter clicks there, Escape ends it. What is read is shown as
// what is under the pointer is. Frame thread.
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

  /// What can be read of a pane, boxes and places in points of the window: what a person placed first.
  std::vector<ReadableView> views(int pane);
  /// The place in the window of coordinates of a view: "training.curves.loss", in pane 2 "training@2.curves.loss"; of
  /// the active pane also "curves.loss". Nothing where there is no such view, or no such place in it.
  std::optional<render::Point> place(std::string_view view, render::Point data);

  /// Whether there is a view that Tab (with Shift: back) would go to.
  bool takesTab(bool back) { return nextView(back).has_value(); }
  /// Something is read by keyboard.
  bool reads() const { return reading_.has_value(); }
  /// True: the key was for reading, which goes on or ends.
  bool key(const KeyPressed& press);
  /// True: it was Tab, and begins to read.
  bool begin(const KeyPressed& press);
  /// Reads a cell of the active pane. False: there is none.
  bool read(const ReadingPlace& place);
  /// The pointer is used again, or the page is another one.
  void end();
  /// What is read; of what a person placed, the selected element. Nothing: nothing is, or it has gone.
  std::optional<ReadingPlace> reading();

 private:
  bool walk(const KeyPressed& press);
  std::optional<ReadingPlace> nextView(bool back);
  void show();
  void press();

  Panes& panes_;
  std::optional<ReadingPlace> reading_;
  std::optional<render::Point> shown_;  ///< where the pointer seems to be, points of the window
};

}  // namespace sepx::ui
