// SPDX-License-Identifier: Apache-2.0
// The pictures of the page of (p,q) as items: pure functions of what is known. Also what lies under the pointer, so
// that what is said and what is drawn are the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/exhibits/flow/chain/chain_state.h"

namespace sepx::ui {

/// Leading of the words beside the plots where they have least room, sizes of their type.
inline constexpr double kTightest = 1.25;

struct ChainLayout {
  render::Rect square;                 ///< p to the right, q up
  std::optional<render::Rect> bar;     ///< colour bar
  std::optional<render::Rect> curve;   ///< the plot alone; axes and legend stand around it
  std::optional<render::Rect> legend;  ///< above the curve
  std::optional<render::Rect> along;   ///< with axes
  std::optional<render::Rect> words;
  std::optional<render::Rect> note;  ///< where what has no room is told
  Camera squareCamera() const { return {{{0, 0}, {1, 1}}, square}; }
};

ChainLayout chainLayout(const render::Rect& area, const Theme& theme, bool path);

/// What the items are made of.
struct ChainView {
  const ChainState& state;
  const ChainResults& results;
  ChainLayout layout;
  const Theme& theme;
  bool compact = false;
};

/// Colour map, contour lines, the line p + q = 1, axes, colour bar.
std::vector<render::Item> squareItems(const ChainView& view);
/// Lines of equal value on the grid of pixel centres, in data coordinates of the square; NaN points break them.
/// `acrossLine`: also through cells that p + q = 1 divides.
std::vector<render::Point> contourOf(const std::vector<float>& values, int size, double level, bool acrossLine);
/// The path with its ends and the head, and the document's place.
std::vector<render::Item> placeItems(const ChainView& view);
/// P(I_min) against sigma with counts and the marker at the present sigma.
std::vector<render::Item> curveItems(const ChainView& view);
std::vector<render::Item> sigmaItems(const ChainView& view);
/// Four quantities along the path.
std::vector<render::Item> alongItems(const ChainView& view);
std::vector<render::Item> alongHeadItems(const ChainView& view);
/// What is known at the document's place, and what does not vary over the square.
std::vector<render::Item> wordItems(const ChainView& view);
/// Which parts of the page have no room.
std::vector<render::Item> noteItems(const ChainView& view);
/// Everything at one place, in words.
std::vector<std::string> readingWords(const ChainReading& reading);
std::vector<std::string> curveWords(const ChainView& view, double sigma);

/// The axes of the curve: log10 of sigma, probability.
Camera curveCamera(const ChainLayout& layout);
/// Sigma under a place of the page, rounded to two digits.
double sigmaAtPage(const ChainLayout& layout, double x);
/// t along the path under a place of the page; nothing beside the plots.
std::optional<double> pathPlaceAt(const ChainView& view, render::Point page);

/// "12.3", "4.1·10⁻⁷": for tips and tables.
std::string chainNumber(double value, int digits = 4);

}  // namespace sepx::ui
