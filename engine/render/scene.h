// SPDX-License-Identifier: Apache-2.0
// A picture as plain data. An exhibit makes it in a pure function, renderers (Vulkan, SVG) only read it, and tests
// compare it. Lengths that belong to the page (widths, sizes, plot, pixel positions) are in points: pixels at scale 1,
// origin top left, y down. Positions in data coordinates are mapped linearly from `window` to `plot`, y up. Contains no
// handle of any graphics API.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::render {

enum class Space { Data, Page };  ///< of coordinates: those of the axes, or points of the page

/// A picture of numbers: `values` row-major, row 0 at the TOP, pixel centres inside `extent`.
struct Heatmap {
  Rect extent;                                       ///< in coordinates of `space`
  int width = 0, height = 0;                         ///< pixels
  std::shared_ptr<const std::vector<float>> values;  ///< [height, width]; a non-finite value is drawn transparent
  ColorMap map = ColorMap::Viridis;                  ///< from values to colours
  float low = 0, high = 1;                           ///< limits of the colour scale
  float opacity = 1;                                 ///< 0 to 1
  bool smooth = true;                                ///< bilinear between pixels
  Space space = Space::Data;                         ///< of `extent`
};

/// A picture of categories: one label per pixel. `palette[label]` is its colour; a hatch makes it readable without
/// colour.
struct LabelMap {
  Rect extent;                                              ///< in coordinates of `space`
  int width = 0, height = 0;                                ///< pixels
  std::shared_ptr<const std::vector<std::uint8_t>> labels;  ///< [height, width], row 0 at the top
  std::vector<Color> palette;                               ///< by label
  std::vector<std::uint8_t>
      hatch;  ///< per label: 0 none, 1 diagonal, 2 counter-diagonal, 3 dots; may be shorter than palette
  Space space = Space::Data;  ///< of `extent`
};

struct Stroke {             ///< how a line looks
  Color color;              ///< of the whole line; `fade` of a Polyline multiplies its alpha
  float width = 1.5f;       ///< points
  Dash dash = Dash::Solid;  ///< solid, dashed or dotted
};

struct Polyline {             ///< a line through points
  std::vector<Point> points;  ///< a point with a NaN coordinate breaks the line
  Stroke stroke;              ///< colour, width and dashes
  std::vector<float> fade;    ///< alpha factor per point, empty = 1 everywhere
  Space space = Space::Data;  ///< of `points`
};

/// Filled polygon, convex.
struct Fill {
  std::vector<Point> points;  ///< the corners in order
  Color color;                ///< of the whole area
  Space space = Space::Page;  ///< of `points`
};

struct Marker {                 ///< a symbol at a point
  Point at;                     ///< its centre
  Shape shape = Shape::Circle;  ///< outline
  float size = 8;               ///< diameter, points
  Color fill;                   ///< colour inside
  Color edge;                   ///< colour of the outline
  float edgeWidth = 1.5f;       ///< points; 0: no outline
  Space space = Space::Data;    ///< of `at`
};

struct Label {                     ///< a text at a point
  Point at;                        ///< position; `alignX` and `alignY` say which part of the text is there
  std::string text;                ///< UTF-8, one line; Greek letters and sub/superscript digits come from the font
  float size = 13;                 ///< points
  Color color;                     ///< of the letters
  AlignX alignX = AlignX::Left;    ///< part of its width that is at `at`
  AlignY alignY = AlignY::Middle;  ///< part of its height that is at `at`
  bool vertical = false;           ///< rotated by 90 degrees, reading upwards
  bool bold = false;               ///< the heavier face of the font
  std::optional<Color> backdrop;   ///< a rounded box behind the text
  Space space = Space::Page;       ///< of `at`
  Point offset;                    ///< points, added after the mapping
};

struct Scene3;

/// A three-dimensional picture (scene3.h) in its own plot. Identified by the pointer `scene`, whose content must not
/// change. Renderers draw it again when the pointer, the place or the size changes.
struct Solid {
  std::shared_ptr<const Scene3> scene;  ///< shapes, eye and plot
};

using Item = std::variant<Heatmap, LabelMap, Polyline, Fill, Marker, Label, Solid>;  ///< an element of a layer

/// Items drawn in order. A layer that did not change keeps its revision, and renderers may reuse their result for it.
struct Layer {
  std::string name;              ///< "loss", "axes", "paths": stable, for tests and for groups in SVG
  std::uint64_t revision = 0;    ///< changes whenever items change
  bool still = true;             ///< expected to be unchanged for many frames: may be cached in an image
  bool clip = true;              ///< clipped to `plot`
  std::vector<Item> items;       ///< bottom first
  std::optional<Rect> within{};  ///< clipped to this instead of `plot`, page coordinates
};

struct Scene {
  double width = 0, height = 0;  ///< page size, points
  Rect plot;                     ///< where data is drawn, page coordinates
  Rect window;                   ///< range of the data that fills the plot
  Color background;              ///< of the whole page
  std::vector<Layer> layers;     ///< bottom first
};

/// A scene at its place in the window (points).
struct PlacedScene {
  const Scene* scene = nullptr;  ///< must outlive this
  Point origin;                  ///< upper left corner of its page, points of the window
};

/// Data to page coordinates (y flips) and back.
Point toPage(const Scene& scene, Point data);
Point toData(const Scene& scene, Point page);

}  // namespace sepx::render
