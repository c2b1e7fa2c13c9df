// SPDX-License-Identifier: Apache-2.0
// Small shapes that several pictures use, in page coordinates. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

/// A box with rounded corners and a border.
void addBox(std::vector<render::Item>& items, const render::Rect& box, double radius, render::Color fill,
            render::Color border);
/// The outline of such a box.
std::vector<render::Point> roundedRect(const render::Rect& box, double radius);
/// A line of text on the page.
render::Label textAt(render::Point at, std::string text, float size, render::Color color,
                     render::AlignX alignX = render::AlignX::Left, render::AlignY alignY = render::AlignY::Middle);
/// `color` with its alpha multiplied.
render::Color faded(render::Color color, float alpha);
/// Width of a line of text with its symbols typeset (symbol_labels.h), points.
double textWidth(std::string_view utf8, double size);
/// A part of a polyline inside a box, cut at its border. `values` holds one value per point (time, fade), interpolated
/// at the cuts. Points that are not finite break the line.
struct ClippedLine {
  std::vector<render::Point> points;
  std::vector<double> values;
};
std::vector<ClippedLine> clipLine(const std::vector<render::Point>& points, const std::vector<double>& values,
                                  const render::Rect& box);

/// Indices of the points that a simplified line keeps so that it stays within `tolerance` (points of the page) of all
/// points and its fade changes by no visible amount. The first and the last point are always kept. `page`: positions on
/// the page.
std::vector<std::size_t> simplifiedPoints(const std::vector<render::Point>& page, const std::vector<double>& fade,
                                          double tolerance);

}  // namespace sepx::ui
