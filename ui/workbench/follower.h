// SPDX-License-Identifier: Apache-2.0
// The overlays of a window that follows another one: the pointer as a halo, the laser stroke, the important numbers and
// a quiet sentence; and how far the window is magnified. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/workbench/lesson_player.h"
#include "ui/workbench/picture_places.h"
#include "ui/workbench/presented.h"

namespace sepx::ui {

/// The part of the window that is magnified to fill it: pixel = factor * (point - from) * scale.
struct Magnified {
  render::Point from{};
  double factor = 1;
  bool operator==(const Magnified&) const = default;
  render::Point operator()(render::Point at) const { return {factor * (at.x - from.x), factor * (at.y - from.y)}; }
};

class Follower {
 public:
  Follower(WindowState& window, Panes& panes, LessonPlayer& lesson, PicturePlaces& places)
      : window_(window), panes_(panes), lesson_(lesson), places_(places) {}

  void show(const Presented& presented) {
    shown_ = presented;
    any_ = true;
  }
  /// Whether there is something to show: the other window has sent its state, and does not show its start page, which
  /// is private.
  bool any() const { return any_ && !shown_.startPage; }
  const Presented& shown() const { return shown_; }
  void setQuietSentence(std::string sentence) { quiet_ = std::move(sentence); }
  const std::string& quietSentence() const { return quiet_; }

  bool blank() const { return shown_.blank; }
  /// Whether the laser stroke is still fading.
  bool moving() const;
  /// Adds the pointer of the other window as events of this one, in pixels, so that this window shows what is under it.
  void addEvents(std::vector<InputEvent>& events);
  Magnified magnified() const;
  /// Draws with ImGui in front of everything. The overlays themselves are not magnified.
  void draw(const Theme& theme) const;

 private:
  void drawNumbers(const Theme& theme) const;
  void drawQuiet(const Theme& theme) const;

  WindowState& window_;
  Panes& panes_;
  LessonPlayer& lesson_;
  PicturePlaces& places_;
  Presented shown_;
  bool any_ = false;
  std::string quiet_;
  std::optional<render::Point> sentPointer_;  ///< pointer position in the last event, pixels; empty: it left
};

/// A number in large type: "limit loss = 0.6663".
using NumberLine = std::string;
inline constexpr std::size_t kMostNumbers = 4;
/// The numbers that the current step of the lesson asks for or expects, otherwise those of the selected element,
/// otherwise the main read-outs of the exhibit; at most kMostNumbers.
std::vector<NumberLine> largeNumbers(Pane& pane, const LessonPlayer& lesson);

}  // namespace sepx::ui
