// SPDX-License-Identifier: Apache-2.0
// The picture of (e, w, a): state and results become a three-dimensional scene, its axes, legend, read-out, gizmo and
// the inset with the section. Pure functions of a frame; no ImGui, no document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene3.h"
#include "ui/canvas/axes.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/space/space_results.h"
#include "ui/exhibits/flow/space/space_state.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

/// Where things are on the page.
struct SpaceLayout {
  render::Rect plot;                   ///< the three-dimensional picture
  std::optional<render::Rect> inset;   ///< the section itself, without its axes
  std::optional<render::Rect> slider;  ///< to the right of it: sets the plane
  render::Rect gizmo;
  render::Rect notes;      ///< room for the text about the selected point
  bool notesBelow = true;  ///< the text is at the lower left of `notes`, else at the top
  bool legend = true, readOut = true;
  bool rows = true;                        ///< the legend has all its rows, else its title alone
  std::optional<render::Rect> legendRoom;  ///< of a figure: beside or below the picture
};

/// Something that can be dragged in the three-dimensional picture.
struct SpaceHandle {
  enum class Kind { Point, Axis, Slice, Clip } kind = Kind::Point;
  int index = 0;  ///< of the point, or of the axis
  render::Point at;
  render::Point3 data;
  double depth = 0;
};

struct SpaceFrame {
  const FlowState& flow;
  const SpaceState& space;
  const SpaceResults& results;
  PageArea page;
  const SpaceLayout& layout;
  const OrbitView& view;
  MeshPointer slicePlane;                               ///< of space.section; null where there is none
  std::optional<double> headTime;                       ///< of the moving heads
  const std::vector<markov::SectionLine>& energyTrace;  ///< trace of the selected point's energy
  const SpaceHandle* hot = nullptr;                     ///< the handle under the pointer, or held
  const Theme& theme() const { return page.theme; }
  /// The point that is highlighted as selected; -1: none. In a figure it is drawn like the others.
  int marked() const { return page.figure ? -1 : flow.selected; }
  const SpacePoint* selected() const {
    const auto i = static_cast<std::size_t>(flow.selected);
    return flow.selected >= 0 && i < results.points() ? &results.point(i) : nullptr;
  }
};

inline render::Point3 point3(const markov::Place3& at) {
  return {at[0], at[1], at[2]};
}
/// Own colour of a point, else that of the kind of its limit.
render::Color pointColor(const SpaceFrame& frame, std::size_t point);

render::Scene3 spaceScene(const SpaceFrame& frame);

}  // namespace sepx::ui
