// SPDX-License-Identifier: Apache-2.0
// A page of the Flow exhibit: a view of one model and one list of initial points. What the exhibit's column and its
// commands need to know of a page beyond ui/page/page.h. Frame thread; long work in jobs, on lanes that begin with
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

/// What a page is about, beyond the model: by it, rows and commands that pages share know whether they belong to one.
struct FlowTraits {
  bool points = true;  ///< the points and their list: add, delete, select, place many, the points' part of the panel
  bool third = false;  ///< its points have a third coordinate, a: where they end is told by kindOf() and by itself
  bool attention = false;  ///< a of a point means something
  bool plane = false;      ///< the sets and basins of the plane are drawn on it
  bool backward = false;   ///< the flow is drawn backwards from its points
  bool cloud = false;      ///< a Gaussian cloud of starts is drawn or counted
  bool anyField = false;   ///< of a textbook field as well as of the canonical model
  bool paths = true;       ///< the plane's paths are followed for its points; false: it sees to it
  bool panelLast = false;  ///< its part of the column stands below the points, not above them
};

/// The referents live as long as the exhibit. The plane works on results, play and place; the others read them.
struct FlowShared {
  const FlowState& state;
  FlowResults& results;  ///< of the plane; its paths are kept up to date for every page that lists the points
  FlowPlay& play;        ///< of the plane
  std::optional<render::Point>& hover;  ///< data of the plane, under the pointer
  const std::vector<FieldPointer>& fields;
  /// Of the page that a document shows.
  std::function<FlowTraits(const Document&)> traits{};
};

using FlowPageFrame = FrameOf<FlowShared>;

/// What pages show of them beside the document: where the points of the plane end.
inline std::uint64_t madeOf(const FlowShared& shared) {
  return shared.results.pathsRevision();
}

/// What the exhibit asks of a page beyond ui/views/page.h. An empty function: there is nothing of the kind.
struct FlowMoves {
  PageAction<FlowPageFrame> play{}, reset{};  ///< of the commands `play.toggle` and `view.reset`
  std::function<void(const FlowPageFrame&, ExhibitContext&, double factor)> zoom{};
  /// Where a point that is added by a key or a button goes: the middle of what is in sight, or under the pointer.
  std::function<FlowPoint(const FlowPageFrame&)> placeForPoint{};
  /// Where a point ends; empty: as on the plane.
  std::function<markov::LimitKind(std::size_t point)> kindOf{};
  /// The point whose menu was asked for since the last call.
  std::function<std::optional<int>()> takeMenu{};
  /// The plot below which a small transport stands when a native inspector shows the parameters; nothing: none.
  std::optional<render::Rect> transportPlot{};
};

/// Its panel() stands below the chain's p and q.
class FlowPage : public Page<FlowShared> {
 public:
  const FlowTraits& traits() const { return traits_; }
  virtual FlowMoves moves(const Document&) { return {}; }
  /// What the page alone keeps on the device. Called by destructors, so that it asks for no memory.
  virtual void releaseGpu() {}

 protected:
  explicit FlowPage(PageLabel label, FlowTraits traits = {}) : Page(std::move(label)), traits_(traits) {}

 private:
  const FlowTraits traits_;
};

/// For Property::applies and ReadOut::applies of what belongs to every page with a trait, and to a document that passes
/// `also`. `live` outlives the registry.
inline Condition onPagesWith(const FlowShared& live, bool FlowTraits::*trait, Condition also = {}) {
  return both([&live, trait](const Document& document) { return !live.traits || live.traits(document).*trait; },
              std::move(also));
}

/// For Property::applies and ReadOut::applies of what belongs to some pages only, and to a document that passes `also`.
inline std::function<bool(const Document&)> onPages(std::vector<std::string> pages,
                                                    std::function<bool(const Document&)> also = {}) {
  return onPages("flow.page", "plane", std::move(pages), std::move(also));
}

}  // namespace sepx::ui
