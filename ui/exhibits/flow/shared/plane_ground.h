// SPDX-License-Identifier: Apache-2.0
// The (e,w) plane as the background of another page: basins in closed form, grid, critical sets, separatrix, the
// initial points as handles, and the plane's own gestures. Window and points are shared with the plane page. Frame
// thread; the basin map is computed by a job.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/shared/flow_basin.h"
#include "ui/exhibits/flow/shared/flow_input.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/page/lane.h"
#include "ui/views/digest.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// Zooms a plane with this camera about the pointer (page), or about the middle of the plot.
void zoomPlane(const FlowState& state, const Camera& camera, const std::optional<render::Point>& pointer,
               ExhibitContext& context, double factor);
/// The place of a new point: under the pointer, or in the middle of the plane.
FlowPoint placeIn(const Camera& camera, const std::optional<render::Point>& pointer);

class PlaneGround {
 public:
  /// `lane`: name of the lane of its job, such as "flow.bias.ground".
  explicit PlaneGround(std::string lane) : basins_(std::move(lane)) {}

  /// Called for a new document. The window is the plane's own if the user has chosen one, else the one set by fit().
  void follow(const Document& document, const FlowState& state);
  /// Leaves out basins and exact sets, for paths of a model that has different ones.
  void setBare(bool bare) { bare_ = bare; }
  /// Sets the window that shows the paths; empty: the plane's window. Ignored while a point is held, so that the plane
  /// does not move under the pointer.
  void fit(const std::optional<render::Rect>& box);
  /// The window of the `places` that are near `start`, with a margin, round bounds and equal units on both axes.
  static render::Rect around(render::Point start, const std::vector<render::Point>& places);
  /// The layout in a box that includes the axes. Pure.
  static FlowLayout layoutIn(const ViewPlace& place, bool compact);

  Cursor input(const FlowLayout& layout, ExhibitContext& context, const InputEvent& event);
  void update(const FlowLayout& layout, ExhibitContext& context);
  bool held() const { return input_.held() >= 0; }
  bool complete() const { return basins_.complete(); }

  FlowFrame flowFrame(const FlowResults& results, const ViewPlace& place, const FlowLayout& layout) const;
  Camera camera(const FlowLayout& layout) const { return {state_.view, layout.plot}; }
  /// A view over the plane. It is drawn again when `of`, the window or the chain changes.
  using DrawPlane = std::function<std::vector<render::Item>(const FlowFrame& plane)>;
  View view(const FlowPageFrame& frame, std::string name, std::uint64_t of, DrawPlane draw, bool clipped = true) const;
  /// The views under the page's own: basins, grid, critical sets and separatrix; and those over them: axes and handles.
  /// `start`: index of the point that the page is about, -1 for none.
  std::vector<View> below(const FlowPageFrame& frame) const;
  std::vector<View> above(const FlowPageFrame& frame, int start) const;
  /// Resets to the window that the page begins with.
  static void reset(ExhibitContext& context) { context.editor.replace(withoutView(context.editor.document())); }
  void zoom(const FlowLayout& layout, ExhibitContext& context, double factor) const {
    zoomPlane(state_, camera(layout), input_.pointer(layout), context, factor);
  }
  FlowPoint placeForPoint(const FlowLayout& layout) const { return placeIn(camera(layout), input_.pointer(layout)); }
  static std::vector<std::pair<std::string, std::string>> gestures();
  /// Digest of what its views show besides the document.
  std::uint64_t contentDigest() const { return Digest().add(state_.view, bare_, basins_.revision()).value(); }

 private:
  struct Request {
    double p = 0, q = 0;
    render::Rect view;
    int width = 0, height = 0;
    bool operator==(const Request&) const = default;
  };

  FlowState state_;  ///< the document's, with this page's window
  std::optional<render::Rect> fitted_;
  render::Rect home_;  ///< the window of the document
  bool bare_ = false;
  bool chosen_ = false;  ///< the user has panned or zoomed
  FlowInput input_;
  Lane<Request, BasinMapPointer> basins_;
};

/// The point that the page is about: the selected one, else the first; empty if there is none or the field is not the
/// canonical one.
std::optional<std::size_t> startPoint(const FlowState& state);

}  // namespace sepx::ui
