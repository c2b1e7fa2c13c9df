// SPDX-License-Identifier: Apache-2.0
// Converts items to page geometry, in double precision and without any graphics API: mapping, clipping of huge or
// invalid coordinates, thinning of polylines to the visible detail, dashes, and the start of a label's baseline. Both
// renderers use it, so they agree on geometry. No result is NaN or far outside the bounds. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::render {

/// Maps data (or page) coordinates to page coordinates. The difference is computed first, so that a deep zoom keeps its
/// digits.
struct PageMap {
  Point from, to;  ///< a point before and after the mapping
  double scaleX = 1, scaleY = 1;
  static PageMap of(const Scene& scene, Space space);  ///< of the coordinates of `space` in this scene
  Point operator()(Point at) const { return {(at.x - from.x) * scaleX + to.x, (at.y - from.y) * scaleY + to.y}; }
};

/// Not NaN and not so far (1e100 points) that arithmetic on it overflows.
bool usable(Point at);
Rect grown(const Rect& rect, double by);
/// Common part; nullopt when there is none.
std::optional<Rect> intersection(const Rect& a, const Rect& b);
/// The area in which a layer may draw: its own rectangle, the plot, or the page.
Rect layerBounds(const Scene& scene, const Layer& layer);

struct StrokePoint {  ///< one point of a line on the page
  Point at;           ///< page
  double along = 0;   ///< page length from the beginning of the item, for dashes
  float alpha = 1;    ///< fade
};

/// Connected pieces of polylines: piece i is points[ends[i-1] .. ends[i]).
struct Runs {
  std::vector<StrokePoint> points;
  std::vector<std::size_t> ends;
  void clear();  ///< removes all but keeps the memory
};

/// Appends the visible pieces of a polyline: mapped to the page, broken at unusable points, clipped to `bounds` grown
/// by what the stroke covers, thinned so that no dropped point is further than `tolerance` from the line. A run of one
/// point is a dot.
void appendRuns(const PageMap& map, const Polyline& line, const Rect& bounds, double tolerance, Runs& runs);

/// Period and drawn part, points; `on` is 0 for dots (circles of the stroke's width). Period 0: solid.
struct DashPattern {
  double on = 0, period = 0;
};
DashPattern dashPattern(const Stroke& stroke);

/// The part of a convex polygon inside `bounds`, page coordinates; empty when nothing is left or a point is not usable.
std::vector<Point> clipConvex(const PageMap& map, const std::vector<Point>& points, const Rect& bounds);

/// The visible part of an image: `page` is the visible rectangle, `texels` the part of the image that fills it (row 0
/// at the top).
struct ImagePart {
  Rect page, texels;
};
std::optional<ImagePart> visiblePart(const PageMap& map, const Rect& extent, int width, int height, const Rect& bounds);

/// Pen and box of a label, page coordinates. A vertical label runs upwards: the pen moves along -y, the ascent points
/// to -x.
struct LabelPlace {
  Point pen;  ///< start of the baseline
  Rect box;   ///< of the text
};
std::optional<LabelPlace> placeLabel(const PageMap& map, const Label& label);
/// Box of the backdrop around a label's box, and the radius of its corners.
Rect backdropBox(const Label& label, const Rect& box);
double backdropRadius(const Label& label);

}  // namespace sepx::render
