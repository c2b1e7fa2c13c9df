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
  std::optional<render::Rect> slider;  ///< at its right: where the plane is
  render::Rect gizmo;
  render::Rect notes;      ///< where what is known of the selected point is written
  bool notesBelow = true;  ///< at the lower left of it, else at its top
  bool legend = true, readOut = true;
  bool rows = true;                        ///< the legend has all its rows, else its title alone
  std::optional<render::Rect> legendRoom;  ///< of a figure's: beside the picture or below it
};
/// `legend`: whether there is one. In a figure it has its place in figureLayout().
SpaceLayout layoutSpace(const PageArea& area, const SpaceState& space, bool legend = true);

/// Something that can be taken hold of in the three-dimensional picture.
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
  const std::vector<markov::SectionLine>& energyTrace;  ///< of the selected point in the section
  const SpaceHandle* hot = nullptr;                     ///< under the pointer or held
  const Theme& theme() const { return page.theme; }
  /// The point that stands out as the selected one; in a figure it is drawn as the others are.
  int marked() const { return page.figure ? -1 : flow.selected; }
  const SpacePoint* selected() const {
    const auto i = static_cast<std::size_t>(flow.selected);
    return flow.selected >= 0 && i < results.points() ? &results.point(i) : nullptr;
  }
};

inline render::Point3 point3(const markov::Place3& at) {
  return {at[0], at[1], at[2]};
}
markov::Place3 placeOf(const FlowPoint& point);
/// Own colour of a point, else that of the kind of its limit.
render::Color pointColor(const SpaceFrame& frame, std::size_t point);

/// Later ones are drawn above.
std::vector<SpaceHandle> spaceHandles(const SpaceFrame& frame);

render::Scene3 spaceScene(const SpaceFrame& frame);
/// Lines of the box, unlit, for the scene.
void addBox(render::Scene3& scene, const SpaceFrame& frame);
/// Ticks and names on the outer edges of the box.
std::vector<render::Item> spaceAxisItems(const SpaceFrame& frame);
/// Letters of the axis handle and names of points.
std::vector<render::Item> spaceNameItems(const SpaceFrame& frame);
std::vector<render::Item> gizmoItems(const SpaceFrame& frame);
/// The end of a gizmo's axis under a place of the page: axis, and whether it is the upper end.
std::optional<std::pair<int, bool>> gizmoAt(const SpaceFrame& frame, render::Point at);
/// The layout of a figure with its legend beside the picture or, on a narrow page, below it.
SpaceLayout figureLayout(const SpaceFrame& frame);
/// Where the legend is; nothing where there is none.
std::optional<render::Rect> spaceLegendBox(const SpaceFrame& frame);
/// The shares of its room that put its upper left corner at a place of the page.
render::Point spaceLegendShares(const SpaceFrame& frame, render::Point corner);
std::vector<render::Item> spaceLegendItems(const SpaceFrame& frame);
std::vector<render::Item> spaceReadOutItems(const SpaceFrame& frame);

/// The section in its inset: pixels, traces, points, the slider. `camera`: how data coordinates lie on the page.
std::vector<render::Item> insetItems(const SpaceFrame& frame, const Camera& camera);
/// Section coordinates of the inset.
Camera insetCamera(const SpaceFrame& frame);
/// Points of the section's inset: where each initial point stands when it is seen along the axis across.
std::vector<SpaceHandle> insetHandles(const SpaceFrame& frame);
/// A place of the slider as a coordinate across the plane, and back.
double sliderValue(const SpaceFrame& frame, double pageY);
double sliderPlace(const SpaceFrame& frame, double at);

}  // namespace sepx::ui
