// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit is a set of pages over one model and one list of initial points: the plane of (e,w), the space of
// (e,w,a), free bias, optimisers, the square of (p,q). The exhibit owns what they share and passes it in; a page owns
// what it alone computes. Frame thread; long work in jobs, on lanes that begin with "flow.".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibit/page_kit.h"

namespace sepx::ui {

enum class FlowPageKind { Plane, Space, Bias, Optimisers, Chain };
/// As `flow.page` writes it: "plane", "space", "bias", "optimisers", "chain".
const char* pageWord(FlowPageKind page);
/// Of its tab, translated.
std::string pageName(FlowPageKind page);

/// What the document says; the plane when it says nothing.
FlowPageKind chosenPage(const Document& document);

/// What all pages read: referents live as long as the exhibit. `results` holds the paths in the plane; they are kept up
/// to date while the plane is in sight.
struct FlowShared {
  const FlowState& state;
  const FlowResults& results;
  const FlowPlay& play;
  const std::vector<FieldPointer>& fields;
};

struct FlowPageFrame : PageArea {
  FlowPageFrame(const FlowShared& all, const Theme& look, const render::Rect& at,
                std::optional<render::Point> under = std::nullopt, bool forFile = false, bool small = false)
      : PageArea{look, at, under, forFile, small}, shared(all) {}
  const FlowShared& shared;
  const FlowState& state() const { return shared.state; }
};

class FlowPage {
 public:
  virtual ~FlowPage() = default;
  virtual FlowPageKind kind() const = 0;
  /// Properties and read-outs of this page alone. `live` outlives the registry.
  virtual void declare(PropertyRegistry& registry, const FlowShared& live) = 0;
  /// A new document; also while another page is in sight.
  virtual void read(const Document&, const PropertyRegistry&, const FlowShared&) {}
  /// Takes over finished results, starts what is stale; only the page in sight is updated.
  virtual void update(const FlowPageFrame& frame, ExhibitContext& context) = 0;
  /// How data coordinates lie on the page; by default data = (page x, -page y).
  virtual Camera camera(const FlowPageFrame& frame) const;
  /// Its layers, bottom first; PageLayers keeps the revision of those that did not change.
  virtual void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) = 0;
  /// Positions are page coordinates, as `frame.area`.
  virtual Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) = 0;
  /// ImGui controls of this page, inside the exhibit's column, below the chain's p and q and above the points.
  virtual void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) = 0;
  virtual bool complete() const = 0;
  virtual bool animating() const { return false; }
  virtual Numbers numbers(const FlowShared&) const { return {}; }
  virtual std::string caption(const FlowShared&) const { return {}; }
  virtual std::string status(const FlowShared&) const { return {}; }
  virtual std::optional<ColorLimits> ownLimits() const { return std::nullopt; }
  /// Commands of this page: in the menus while it is in sight. `play.toggle`, `view.reset`, `view.zoom-in` and
  /// `view.zoom-out` are every page's own.
  virtual std::vector<Exhibit::Command> commands(const FlowShared&, const Document&) const { return {}; }
  /// False: not a command of this page.
  virtual bool run(const FlowPageFrame&, ExhibitContext&, std::string_view) { return false; }
  virtual std::vector<std::pair<std::string, std::string>> gestures() const { return {}; }
  /// Whether the points and their list belong to this page (add, delete, select, the points' part of the panel).
  virtual bool hasPoints() const { return true; }
  /// Where a point that is added by a key or a button goes: the middle of what is in sight, or under the pointer.
  virtual FlowPoint placeForPoint(const FlowPageFrame&) const { return {}; }
  /// Whether its picture can be zoomed; the zoom commands are off where it cannot.
  virtual bool zooms() const { return true; }
  /// How long a play from the beginning takes, seconds at the speed as set; 0: nothing plays.
  virtual double playSeconds() const { return 0; }
  virtual void releaseGpu() {}
};

/// For Property::applies and ReadOut::applies of what belongs to some pages only, and to a document that passes `also`.
std::function<bool(const Document&)> onPages(std::vector<FlowPageKind> pages,
                                             std::function<bool(const Document&)> also = {});

std::unique_ptr<FlowPage> makeSpacePage();
std::unique_ptr<FlowPage> makeBiasPage();
std::unique_ptr<FlowPage> makeOptimiserPage();
std::unique_ptr<FlowPage> makeChainPage();

}  // namespace sepx::ui
