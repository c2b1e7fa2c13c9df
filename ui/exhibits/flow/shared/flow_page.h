// SPDX-License-Identifier: Apache-2.0
// A page of the Flow exhibit: a view of one model and one list of initial points. Declares what the exhibit's panel and
// commands need to know about a page beyond ui/views/page.h. Frame thread; long work in jobs, on lanes that begin with
// "flow.".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/declarations.h"
#include "ui/views/page.h"

namespace sepx::ui {

/// Properties of a page beyond the model. Shared rows and commands use them to decide whether they apply to the page.
struct FlowTraits {
  bool points = true;  ///< the points and their list: add, delete, select, place many, the points' part of the panel
  bool third = false;  ///< its points have a third coordinate, a; the page and its kindOf() tell where they end
  bool attention = false;  ///< the coordinate a has a meaning on it
  bool plane = false;      ///< the sets and basins of the plane are drawn on it
  bool backward = false;   ///< the flow is drawn backwards from its points
  bool cloud = false;      ///< a Gaussian cloud of initial points is drawn or counted
  bool anyField = false;   ///< supports textbook fields as well as the canonical model
  bool paths = true;       ///< the exhibit computes the plane's paths of its points; false: the page does what it needs
  bool panelLast = false;  ///< its part of the panel is below the points, not above them
};

/// The referents live as long as the exhibit. The plane page changes results, play and hover; the other pages read
/// them.
struct FlowShared {
  const FlowState& state;
  FlowResults& results;  ///< of the plane; its paths are kept up to date for every page that lists the points
  FlowPlay& play;        ///< of the plane
  std::optional<render::Point>& hover;  ///< the point of the plane under the pointer, data coordinates
  const std::vector<FieldPointer>& fields;
  /// The traits of the page that a document shows.
  std::function<FlowTraits(const Document&)> traits{};
};

using FlowPageFrame = FrameOf<FlowShared>;

/// Digest of the shared data that pages show besides the document: where the points of the plane end.
inline std::uint64_t contentDigest(const FlowShared& shared) {
  return shared.results.pathsRevision();
}

/// What the exhibit requests from a page beyond ui/views/page.h. An empty function: the page does not support it.
struct FlowMoves {
  PageAction<FlowPageFrame> play{}, reset{};  ///< of the commands `play.toggle` and `view.reset`
  std::function<void(const FlowPageFrame&, ExhibitContext&, double factor)> zoom{};
  /// The place of a point that is added by a key or a button: under the pointer, or in the middle of the view.
  std::function<FlowPoint(const FlowPageFrame&)> placeForPoint{};
  /// The kind of limit of a point; empty: as on the plane.
  std::function<markov::LimitKind(std::size_t point)> kindOf{};
  /// The point whose menu was requested since the last call.
  std::function<std::optional<int>()> takeMenu{};
  /// The plot below which a small transport bar is shown when a native inspector shows the parameters; empty: no bar.
  std::optional<render::Rect> transportPlot{};
};

/// Its panel() is shown below the chain's p and q.
class FlowPage : public Page<FlowShared> {
 public:
  const FlowTraits& traits() const { return traits_; }
  virtual FlowMoves moves(const Document&) { return {}; }
  /// Releases the page's own objects on the GPU. Called by destructors, so it must not allocate memory.
  virtual void releaseGpu() {}

 protected:
  explicit FlowPage(PageLabel label, FlowTraits traits = {}) : Page(std::move(label)), traits_(traits) {}

 private:
  const FlowTraits traits_;
};

/// For Property::applies and ReadOut::applies: true on every page with the trait, for a document that satisfies `also`.
/// `live` must outlive the registry.
inline Condition onPagesWith(const FlowShared& live, bool FlowTraits::*trait, Condition also = {}) {
  return both([&live, trait](const Document& document) { return !live.traits || live.traits(document).*trait; },
              std::move(also));
}

/// For Property::applies and ReadOut::applies: true on the given pages only, for a document that satisfies `also`.
inline std::function<bool(const Document&)> onPages(std::vector<std::string> pages,
                                                    std::function<bool(const Document&)> also = {}) {
  return onPages("flow.page", "plane", std::move(pages), std::move(also));
}

}  // namespace sepx::ui
