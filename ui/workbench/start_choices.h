// SPDX-License-Identifier: Apache-2.0
// Decides what the start page lists, when it closes, and what a choice on it does. While it is shown no pane has a
// place, so that nothing is computed behind it, and the user's document is not changed. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/workbench/files.h"
#include "ui/workbench/start_page.h"

namespace sepx::ui {

class StartChoices {
 public:
  StartChoices(WindowState& window, Panes& panes, Files& files) : window_(window), panes_(panes), files_(files) {}

  bool shown() const { return page_.shown(); }
  void show();
  /// To call before the frame is laid out: closes the page if the document was changed by other means, so that the
  /// change is visible. Rebuilds the page if the language has changed.
  void follow();
  /// True: the page used the key.
  bool key(const KeyPressed& press) { return !gesture_ && page_.key(press); }
  /// Updates its picture, which takes the place of the panes; null: there is no room for one.
  const render::PlacedScene* update(bool parametersShown);
  /// False once the page is closed.
  bool draw();
  /// Area of the page's picture after a press on it has opened the state that it showed. Until the button is released,
  /// pane 1 is shown there, so that nothing moves under the pointer.
  std::optional<render::Rect> heldPicture() const;
  bool gesturePending() const { return gesture_ && !gesture_->begun; }
  /// To call once pane 1 has its place (after Panes::scenes()): gives it the view of the page's picture, and returns
  /// where the button was pressed, points of the window.
  std::optional<render::Point> resumeGesture();
  /// To call when the button is released: closes the page, and gives the pane the window and its usual view.
  void endGesture();
  /// Adds the command view.start.
  void addCommands(Commands& to);
  /// Closes the page and shows an exhibit. An untouched window begins with the example state of the exhibit, so that
  /// there is something to drag.
  Result<void> enterExhibit(const std::string& key);

  bool animating() const { return page_.animating(); }
  bool complete() const { return page_.complete() && !page_.animating(); }
  void releaseGpu() { page_.releaseGpu(); }

 private:
  std::vector<StartEntry> entries();
  bool mayReplace(const StartEntry& entry);
  void choose(const StartEntry& entry);
  void takeOver(render::Point pressed);

  WindowState& window_;
  Panes& panes_;
  Files& files_;
  StartPage page_;
  render::PlacedScene picture_;
  std::uint64_t revision_ = 0;  ///< of the document when the page was shown
  std::uint64_t language_ = 0;  ///< languageRevision() of the entries that are shown
  std::string warnedChoice_;    ///< the last choice that would have discarded unsaved work
  struct Gesture {
    render::Point pressed;
    render::Rect plot, window;  ///< of the page's picture: its place in the window, points, and its data range
    bool begun = false;         ///< the pane has received the press
  };
  std::optional<Gesture> gesture_;
};

}  // namespace sepx::ui
