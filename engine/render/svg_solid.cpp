// SPDX-License-Identifier: Apache-2.0
#include "engine/render/svg_solid.h"

#include <cmath>

#include "engine/render/svg_text.h"
#include "engine/render/tessellate.h"

namespace sepx::render::svg {
namespace {

constexpr double kMeet = 0.25;  // points by which opaque pieces of one line overlap

Point beyond(Point from, Point to, double by) {
  const double size = std::hypot(to.x - from.x, to.y - from.y);
  return size > 0 ? Point{to.x + by * (to.x - from.x) / size, to.y + by * (to.y - from.y) / size} : to;
}

}  // namespace

std::string element(const Painting& painting, const Painted& painted) {
  std::string path;
  const Point* points = painting.points.data() + painted.first;
  const bool line = painted.kind == Painted::Kind::Line;
  const DashPattern dash = dashPattern({painted.color, painted.nominal, painted.dash});
  const bool meets = line && painted.dash != Dash::Dotted && painted.color.a >= 1 && painted.count > 1;
  for (std::size_t i = 0; i < painted.count; ++i) {
    Point at = points[i];
    if (meets && i == 0 && !painted.begins) at = beyond(points[1], points[0], kMeet);
    if (meets && i + 1 == painted.count && !painted.ends) at = beyond(points[i - 1], points[i], kMeet);
    path += (i == 0 ? "M" : "L") + num(at.x) + " " + num(at.y);
  }
  if (painted.count == 1) path += "h0";
  if (!line) return "<path d=\"" + path + "Z\"" + paint("fill", painted.color) + "/>\n";
  std::string text = "<path d=\"" + path + "\" fill=\"none\"" + paint("stroke", painted.color) + " stroke-width=\"" +
                     num(painted.width) + "\"";
  if (dash.period > 0) {
    text += " stroke-dasharray=\"" + num(dash.on) + " " + num(dash.period - dash.on) + "\" stroke-dashoffset=\"" +
            num(std::fmod(painted.along + dash.period - (meets && !painted.begins ? kMeet : 0), dash.period)) + "\"";
  }
  const bool round = painted.dash == Dash::Dotted || painted.count == 1;
  return text + " shape-rendering=\"auto\"" + (round ? " stroke-linecap=\"round\"/>\n" : "/>\n");
}

}  // namespace sepx::render::svg
