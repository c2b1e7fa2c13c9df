// SPDX-License-Identifier: Apache-2.0
// A page of the Flow exhibit: a view of one model and one list of initial points. What the exhibit's column and its
// commands need to know of a page beyond ui/exhibit/page.h. Frame thread; long work in jobs, on lanes that begin with
// "flow.".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibit/page.h"
#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// The referents live as long as the exhibit. The plane works on results, play and place; the others read them.
struct FlowShared {
  const FlowState& state;
  FlowResults& results;  ///< of the plane; its paths are kept up to date for every page that lists the points
  FlowPlay& play;        ///< of the plane
  std::optional<render::Point>& hover;  ///< data of the plane, under the pointer
  const std::vector<FieldPointer>& fields;
};

using FlowPageFrame = FrameOf<FlowShared>;

/// Its panel() stands below the chain's p and q and above the points. `play.toggle`, `view.reset`, `view.zoom-in` and
/// `view.zoom-out` are every page's own.
class FlowPage : public Page<FlowShared> {
 public:
  /// Controls below the points.
  virtual void panelBelow(const FlowPageFrame&, ExhibitContext&, PagePanel&) {}
  /// Of a textbook field as well as of the canonical model.
  virtual bool anyField() const { return false; }
  /// Whether the points and their list belong to this page (add, delete, select, the points' part of the panel).
  virtual bool hasPoints() const { return true; }
  /// Whether its points have a third coordinate, a: then where they end is told by kindOf() and by the page's own part
  /// of the panel.
  virtual bool hasThird() const { return false; }
  /// Where a point ends.
  virtual markov::LimitKind kindOf(std::size_t point, const FlowShared& shared) const {
    return point < shared.results.points() ? shared.results.point(point).kind : markov::LimitKind::Undecided;
  }
  /// Whether the paths of the plane are to be followed for the list of points; false: the page sees to it.
  virtual bool wantsPaths() const { return hasPoints(); }
  /// Where a point that is added by a key or a button goes: the middle of what is in sight, or under the pointer.
  virtual FlowPoint placeForPoint(const FlowPageFrame&) const { return {}; }
  /// The point whose menu was asked for since the last call.
  virtual std::optional<int> takeMenu() { return std::nullopt; }
  /// Whether its picture can be zoomed; the zoom commands are off where it cannot.
  virtual bool zooms() const { return true; }
  /// Whether there is something to play, and whether it plays.
  virtual bool canPlay(const Document&) const { return true; }
  virtual bool playing() const { return animating(); }
  /// The plot below which a small transport stands when a native inspector shows the parameters; nothing: none.
  virtual std::optional<render::Rect> transportPlot() const { return std::nullopt; }
};

/// Controls and read-outs of a panel, in this order; what does not apply to the document is left out.
inline void show(PagePanel& panel, const std::string& prefix, std::initializer_list<const char*> members) {
  for (const char* member : members) {
    panel.control(prefix + member);
    panel.readOut(prefix + member);
  }
}

/// For Property::applies and ReadOut::applies of what belongs to some pages only, and to a document that passes `also`.
inline std::function<bool(const Document&)> onPages(std::vector<std::string> pages,
                                                    std::function<bool(const Document&)> also = {}) {
  return onPages("flow.page", "plane", std::move(pages), std::move(also));
}

}  // namespace sepx::ui
