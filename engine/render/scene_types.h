// SPDX-License-Identifier: Apache-2.0
// The basic types of every picture: points, colours, shapes, alignment of text. Plain data.
#pragma once

namespace sepx::render {

struct Point {  ///< on the page or in data coordinates
  double x = 0.0, y = 0.0;
  bool operator==(const Point&) const = default;
};

/// Axis-aligned rectangle, min <= max in both coordinates.
struct Rect {
  Point min, max;
  double width() const { return max.x - min.x; }
  double height() const { return max.y - min.y; }
  bool contains(Point at) const { return at.x >= min.x && at.x <= max.x && at.y >= min.y && at.y <= max.y; }
  bool operator==(const Rect&) const = default;
};

/// sRGB-encoded, straight alpha, 0 to 1.
struct Color {
  float r = 0, g = 0, b = 0, a = 1;
  bool operator==(const Color&) const = default;
};

enum class ColorMap { Viridis, Cividis, Diverging, Gray };  ///< from numbers to colours

enum class Dash { Solid, Dashed, Dotted };  ///< of a line

/// The edge lies inside the outline. A ring consists only of its edge, without a fill.
enum class Shape { Circle, Square, Diamond, Triangle, Cross, Ring };

enum class AlignX { Left, Center, Right };            ///< which part of a text is at its point
enum class AlignY { Top, Middle, Baseline, Bottom };  ///< which part of a text is at its point

}  // namespace sepx::render
