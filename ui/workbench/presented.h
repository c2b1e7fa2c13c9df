// SPDX-License-Identifier: Apache-2.0
// What a window shows, as a value that another window of any size can show too. The stage uses it to follow the studio.
// Positions of the pointer are relative to what they are on, because the two windows lay out a page differently. Plain
// data; copies share the document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/document/document.h"
#include "ui/runs/live_run.h"

namespace sepx::ui {

/// A place in a window.
struct PicturePlace {
  int pane = 0;        ///< from 1; 0: the window as a whole
  std::string view{};  ///< name of a view of the pane (readable.h); empty: the pane's picture
  /// Fraction of the view's box or of the window, 0 to 1 from the top left; in a pane's picture, data coordinates.
  double x = 0, y = 0;
  bool operator==(const PicturePlace&) const = default;
};

/// A place of the laser stroke, with its time in seconds of CLOCK_MONOTONIC, which all processes share.
struct LaserPoint {
  PicturePlace at;
  double seconds = 0;
  bool operator==(const LaserPoint&) const = default;
};
inline constexpr double kLaserSeconds = 1.6;  ///< time until a point of the stroke has faded
inline constexpr std::size_t kMostLaserPoints = 256;

struct Presented {
  Document document;
  std::uint64_t seed = 0;
  std::string lesson{};                                        ///< file of the open lesson; empty: none
  std::size_t step = 0;                                        ///< of the lesson, from 0
  std::vector<std::pair<std::size_t, std::size_t>> answers{};  ///< question of the step, and the choice that was made
  bool startPage = false;
  bool playing = false;  ///< the active pane is playing
  std::optional<PicturePlace> pointer{};
  bool blank = false;                                           ///< the window is black
  bool numbers = false;                                         ///< the most important numbers, in large type
  bool code = false;                                            ///< the state as a QR code (state_sheet.h)
  std::optional<std::pair<PicturePlace, PicturePlace>> zoom{};  ///< opposite corners of the region that is enlarged
  std::vector<LaserPoint> laser{};                              ///< the oldest first
  std::string language{};                                       ///< language of texts; empty: that of the window
  std::vector<LiveRun> live{};                                  ///< reports of visible runs that train here

  /// Whether the pictures are equal. Cheap where the documents share all their data.
  bool operator==(const Presented& other) const {
    return (document.sharesAll(other.document) || document == other.document) && seed == other.seed &&
           lesson == other.lesson && step == other.step && answers == other.answers && startPage == other.startPage &&
           playing == other.playing && pointer == other.pointer && blank == other.blank && numbers == other.numbers &&
           code == other.code && zoom == other.zoom && laser == other.laser && language == other.language &&
           live == other.live;
  }
};

}  // namespace sepx::ui
