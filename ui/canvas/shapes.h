// SPDX-License-Identifier: Apache-2.0
// Small shapes that several pictures are made of, in page coordinates. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

/// A box with round corners and a border.
void addBox(std::vector<render::Item>& items, const render::Rect& box, double radius, render::Color fill,
            render::Color border);
/// The outline of such a box.
std::vector<render::Point> roundedRect(const render::Rect& box, double radius);
/// A line of text on the page.
render::Label textAt(render::Point at, std::string text, float size, render::Color color,
                     render::AlignX alignX = render::AlignX::Left, render::AlignY alignY = render::AlignY::Middle);
/// `color` with its alpha multiplied.
render::Color faded(render::Color color, float alpha);
/// Width of a line of text with its symbols set (symbol_labels.h), points.
double textWidth(std::string_view utf8, double size);
/// The pieces of a polyline inside `box`, cut at its border; `value` is carried along (time, fade). Points that are not
/// finite break the line.
struct ClippedLine {
  std::vector<render::Point> points;
  std::vector<double> values;
};
std::vector<ClippedLine> clipLine(const std::vector<render::Point>& points, const std::vector<double>& values,
                                  const render::Rect& box);

/// Which points a line needs so that it stays within `tolerance` (points of the page) of all of them and its fade
/// within a level that can be seen; the first and the last are always among them. `page`: positions on the page.
std::vector<std::size_t> seenPoints(const std::vector<render::Point>& page, const std::vector<double>& fade,
                                    double tolerance);

}  // namespace sepx::ui
