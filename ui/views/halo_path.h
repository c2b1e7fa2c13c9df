// SPDX-License-Identifier: Apache-2.0
// A path in a plane with a halo: a line through its points, translucent discs along it, and a marker at the current
// point. Used for the projection of a run: the radius of a disc is the residual of the projection. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

struct HaloPath {
  std::span<const double> x, y;    ///< in data coordinates, of equal length
  std::span<const double> radius;  ///< in data units, of the same length
  std::size_t until = 0;           ///< number of points that have passed; the rest of the line is pale
  render::Color color;
  render::Color casing = {};  ///< outline that keeps the line visible on every background; transparent: none
  float shade = 0.14f;        ///< alpha of a disc
  std::string name = {};      ///< beside the marker; empty: none
};
/// Adds the path in page coordinates. A disc is an ellipse if the axes have different units. `taken`: boxes that the
/// name avoids if it can; its own box is added. Null: the name is placed without looking at others.
void addHaloPath(std::vector<render::Item>& items, const Camera& camera, const HaloPath& path, const Theme& theme,
                 std::vector<render::Rect>* taken = nullptr);

}  // namespace sepx::ui
