// SPDX-License-Identifier: Apache-2.0
// What the start page lists, when it goes, and what a choice on it means. While it is shown no pane has a place, so
// that nothing is computed behind it; the person's document is not touched. Frame thread.
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
  /// Before the frame is laid out: a document that changed by another way than the page wants to be seen.
  void follow();
  /// True: the key was for the page.
  bool key(const KeyPressed& press) { return !gesture_ && page_.key(press); }
  /// Lets its picture live, in the place of the panes; null: there is no room for one.
  const render::PlacedScene* update(bool parametersShown);
  /// False once it is gone.
  bool draw();
  /// A press on the page's picture opened the state that it showed: until the button is up, pane 1 stands in the place
  /// of that picture, so that nothing moves under the pointer.
  std::optional<render::Rect> heldPicture() const;
  bool gestureWaits() const { return gesture_ && !gesture_->begun; }
  /// Once pane 1 has its place (Panes::scenes() was asked for): makes its view that of the page's picture, and answers
  /// where the button went down, points of the window.
  std::optional<render::Point> resumeGesture();
  /// The button is up: the page closes, the pane gets the window and its usual view.
  void endGesture();
  /// The command view.start.
  void addCommands(Commands& to);
  /// Shows an exhibit instead; an untouched window opens on the state that the page showed: something to drag.
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
  std::string asked_;           ///< what was chosen while it would have cost unsaved work
  struct Gesture {
    render::Point pressed;
    render::Rect plot, window;  ///< of the page's picture: where in the window, points, and which data
    bool begun = false;         ///< the pane has the press
  };
  std::optional<Gesture> gesture_;
};

}  // namespace sepx::ui
