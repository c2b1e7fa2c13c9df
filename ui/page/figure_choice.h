// SPDX-License-Identifier: Apache-2.0
// The parts of a page that a figure shows: the whole page, or some of its views as panels with letters, and charts
// either whole or as the user zoomed them. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::ui {

/// How the user adjusted a chart. Not part of the document.
struct ChartPart {
  std::optional<render::Rect> window;     ///< part shown, on the axis scales (log10 if logarithmic); absent: all
  bool turnedX = false, turnedY = false;  ///< the axis is logarithmic where the page has it linear, or vice versa
  bool operator==(const ChartPart&) const = default;
};

/// Charts by the names of their views.
using ChartParts = std::vector<std::pair<std::string, ChartPart>>;

struct FigureChoice {
  std::vector<std::string> views;  ///< names, or their ends: "training.curves.loss", "loss"; empty: the page as it is
  ChartParts parts;
  bool legend = true;
  std::size_t firstLetter = 0;  ///< of its first panel: 0 is (a)
  double below = 0;             ///< least room below its panels, so that those of adjacent panes end at the same height
  bool operator==(const FigureChoice&) const = default;
};

/// A view that can be a panel of a figure.
struct FigurePanel {
  std::string name;                 ///< "training.curves.loss"
  std::string label;                ///< its title, or what its axis shows; translated
  std::optional<render::Rect> box;  ///< its box as a panel, page coordinates; absent: it is not one
};

/// "(a)" for 0; "(aa)" for 26.
inline std::string panelLetter(std::size_t index) {
  std::string letters;
  for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
  return "(" + letters + ")";
}

/// Whether `asked` means the view `name`: it is the whole name, or the part after one of its dots.
inline bool matchesView(const std::string& asked, const std::string& name) {
  return name == asked || (!asked.empty() && name.ends_with("." + asked));
}

}  // namespace sepx::ui
