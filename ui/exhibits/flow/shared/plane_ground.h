// SPDX-License-Identifier: Apache-2.0
// The plane of (e,w) as the ground of another page: basins by the closed form, grid, critical sets, separatrix, the
// initial points as handles, and the plane's own gestures on them. Window and points are those of the plane page. Frame
// thread; the picture of the basins is a job.
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

/// Zooms a plane whose camera is this about the pointer (page), or its middle.
void zoomPlane(const FlowState& state, const Camera& camera, const std::optional<render::Point>& pointer,
               ExhibitContext& context, double factor);
/// Under the pointer, or in the middle of the plane.
FlowPoint placeIn(const Camera& camera, const std::optional<render::Point>& pointer);

class PlaneGround {
 public:
  /// `lane`: of its job, "flow.bias.ground".
  explicit PlaneGround(std::string lane) : basins_(std::move(lane)) {}

  /// A new document. The window is the plane's own where a person has chosen one, else what fit() says.
  void follow(const Document& document, const FlowState& state);
  /// Without basins and exact sets: the paths are of a model that has others.
  void setBare(bool bare) { bare_ = bare; }
  /// The paths that a person should see; nothing: the plane's home. Not while a point is held: nothing moves away from
  /// under the hand.
  void fit(const std::optional<render::Rect>& box);
  /// What is near `start` among `places`, with room around it, in round numbers and with equal units on both axes.
  static render::Rect around(render::Point start, const std::vector<render::Point>& places);
  /// In a box with axes. Pure.
  static FlowLayout layoutIn(const ViewPlace& place, bool compact);

  Cursor input(const FlowLayout& layout, ExhibitContext& context, const InputEvent& event);
  void update(const FlowLayout& layout, ExhibitContext& context);
  bool held() const { return input_.held() >= 0; }
  bool complete() const { return basins_.complete(); }

  FlowFrame flowFrame(const FlowResults& results, const ViewPlace& place, const FlowLayout& layout) const;
  Camera camera(const FlowLayout& layout) const { return {state_.view, layout.plot}; }
  /// A view over the plane, made of `of`, the window and the chain.
  using DrawPlane = std::function<std::vector<render::Item>(const FlowFrame& plane)>;
  View view(const FlowPageFrame& frame, std::string name, std::uint64_t of, DrawPlane draw, bool clipped = true) const;
  /// Basins, grid, critical sets and separatrix at the bottom, handles and axes above them. `start`: the point that the
  /// page is about.
  std::vector<View> below(const FlowPageFrame& frame) const;
  std::vector<View> above(const FlowPageFrame& frame, int start) const;
  /// The window that the page begins with.
  static void reset(ExhibitContext& context) { context.editor.replace(withoutView(context.editor.document())); }
  void zoom(const FlowLayout& layout, ExhibitContext& context, double factor) const {
    zoomPlane(state_, camera(layout), input_.pointer(layout), context, factor);
  }
  FlowPoint placeForPoint(const FlowLayout& layout) const { return placeIn(camera(layout), input_.pointer(layout)); }
  static std::vector<std::pair<std::string, std::string>> gestures();
  /// Digest of what its views are made of beside the document.
  std::uint64_t madeOf() const { return Digest().add(state_.view, bare_, basins_.revision()).value(); }

 private:
  struct Request {
    double p = 0, q = 0;
    render::Rect view;
    int width = 0, height = 0;
    bool operator==(const Request&) const = default;
  };

  FlowState state_;  ///< the document's, with this page's window
  std::optional<render::Rect> fitted_;
  render::Rect home_;  ///< the window that the document says
  bool bare_ = false;
  bool chosen_ = false;  ///< a person has panned or zoomed
  FlowInput input_;
  Lane<Request, BasinMapPointer> basins_;
};

/// The point that the page is about: the selected one, else the first; nothing when there is none.
std::optional<std::size_t> startPoint(const FlowState& state);

}  // namespace sepx::ui
