// SPDX-License-Identifier: Apache-2.0
// A path in a plane with a halo: a line through places of it, translucent discs along it whose radius is what the line
// leaves out, and a marker where it stands now. For the projection of a run, whose residual is the halo. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

struct HaloPath {
  std::span<const double> x, y;    ///< data, of one length
  std::span<const double> radius;  ///< data, as long
  std::size_t until = 0;           ///< how many have passed; the rest of the line is pale
  render::Color color;
  render::Color casing = {};  ///< of an edge along the line, so that it is read on every ground; transparent: none
  float shade = 0.14f;        ///< alpha of a disc
  std::string name = {};      ///< beside the marker; empty: none
};
/// In page coordinates. A disc is an ellipse where the axes have different units. `taken`: boxes that the name keeps
/// clear of where it can; its own is added. Null: it stands right of the marker.
void addHaloPath(std::vector<render::Item>& items, const Camera& camera, const HaloPath& path, const Theme& theme,
                 std::vector<render::Rect>* taken = nullptr);

}  // namespace sepx::ui
