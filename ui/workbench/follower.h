// SPDX-License-Identifier: Apache-2.0
// What a window that follows another one shows over its picture: the pointer as a halo, the laser stroke, the numbers
// that matter, a quiet sentence; and how far it is zoomed in. Frame thread.
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

/// What part of the window fills it: pixel = factor * (point - from) * scale.
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
  /// There is something to show: the other window has said so, and is not on its start page, which is nobody else's.
  bool any() const { return any_ && !shown_.startPage; }
  const Presented& shown() const { return shown_; }
  void setQuietSentence(std::string sentence) { quiet_ = std::move(sentence); }
  const std::string& quietSentence() const { return quiet_; }

  bool blank() const { return shown_.blank; }
  /// The stroke still fades.
  bool moving() const;
  /// The pointer of the other window as events of this one, in pixels: what is under it shows.
  void addEvents(std::vector<InputEvent>& events);
  Magnified magnified() const;
  /// ImGui, in front of everything and not magnified itself.
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
  std::optional<render::Point> told_;  ///< where the pointer was said to be, pixels
};

/// A number in large type: "limit loss = 0.6663".
using NumberLine = std::string;
inline constexpr std::size_t kMostNumbers = 4;
/// What the step of the lesson speaks of, else what the exhibit would copy; at most kMostNumbers.
std::vector<NumberLine> largeNumbers(Pane& pane, const LessonPlayer& lesson);

}  // namespace sepx::ui
