// SPDX-License-Identifier: Apache-2.0
// What of a page a figure shows: all of it, or some of its views as panels with letters, charts whole or the part of
// them that a person zoomed to. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::ui {

/// How a person set a chart: no part of the document.
struct ChartPart {
  std::optional<render::Rect> window;     ///< on the scales of the axes, log10 where logarithmic; absent: all of it
  bool turnedX = false, turnedY = false;  ///< the axis is logarithmic where the page has it linear, or the other way
  bool operator==(const ChartPart&) const = default;
};

/// Charts by the names of their views.
using ChartParts = std::vector<std::pair<std::string, ChartPart>>;

struct FigureChoice {
  std::vector<std::string> views;  ///< names, or their ends: "training.curves.loss", "loss"; empty: the page as it is
  ChartParts parts;
  bool legend = true;
  std::size_t firstLetter = 0;  ///< of its first panel: 0 is (a)
  double below = 0;             ///< least room below its panels: those of panes beside each other end alike
  bool operator==(const FigureChoice&) const = default;
};

/// A view that can stand in a figure by itself.
struct FigurePanel {
  std::string name;                 ///< "training.curves.loss"
  std::string label;                ///< its title, or what its axis shows; translated
  std::optional<render::Rect> box;  ///< where it stands as a panel, page coordinates; absent: it does not
};

/// "(a)" of 0; the 27th is "(aa)".
inline std::string panelLetter(std::size_t index) {
  std::string letters;
  for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
  return "(" + letters + ")";
}

/// Whether a person means the view `name` by `asked`: all of the name, or what stands behind one of its points.
inline bool meansView(const std::string& asked, const std::string& name) {
  return name == asked || (!asked.empty() && name.ends_with("." + asked));
}

}  // namespace sepx::ui
