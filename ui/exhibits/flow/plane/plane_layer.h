// SPDX-License-Identifier: Apache-2.0
// A kind of picture that can be laid over the plane: contours, nullclines, a texture, particles. Each is one object
// with its declarations, its results and its items; the plane page calls them in the order of plane_layers.cpp and
// knows none of them. Frame thread; long work in jobs, on lanes that begin with "flow.".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/plane/plane_scene.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_shared.h"

namespace sepx::ui {

/// Where in the order of the picture.
enum class PlaneLevel {
  Ground,  ///< over loss and basins, under the grid
  Lines,   ///< over critical sets and separatrix, under paths
  Inset,   ///< over all but the handles
};

/// One layer of the scene; `key` says all that its items depend on beyond theme, layout and view.
struct PlanePart {
  std::string name;
  PlaneLevel level = PlaneLevel::Lines;
  LayerKey key;
  PageLayers::Make make;
  bool still = true;  ///< expected to survive many frames
  bool clip = true;   ///< to the plot
};

class PlaneLayer {
 public:
  virtual ~PlaneLayer() = default;
  virtual void declare(PropertyRegistry& registry, const FlowShared& live) = 0;
  /// A new document.
  virtual void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) = 0;
  /// Takes over finished results, starts what is stale. Not called while another page is in sight. `frame` is of the
  /// present state; its results may be of before.
  virtual void update(const FlowFrame& frame, ExhibitContext& context) = 0;
  /// What is shown now; nothing while it is switched off. The functions in the parts are called within this frame.
  virtual void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const = 0;
  /// Rows for the legend, unfolded or folded (frame.layout.legendOpen); a change of them needs `legendKey`.
  virtual void legend(const FlowFrame&, std::vector<LegendRow>&) const {}
  virtual LayerKey legendKey(const FlowFrame&) const { return {}; }
  /// Boxes that it writes over the plot: the read-out keeps clear of them.
  virtual void taken(const FlowFrame&, std::vector<render::Rect>&) const {}
  /// Its switch among those of the picture ("flow.show.contours"), empty for none.
  virtual std::string toggle() const { return {}; }
  /// More controls, below the switches.
  virtual void panel(const FlowFrame&, ExhibitContext&, PagePanel&) {}
  virtual bool complete() const { return true; }
  virtual bool animating() const { return false; }
  virtual void numbers(const FlowState&, Numbers&) const {}
  /// A clause for the caption of a figure: what its lines and areas are. Translated; empty for none.
  virtual std::string caption(const FlowState&) const { return {}; }
  virtual std::vector<Exhibit::Command> commands(const Document&) const { return {}; }
  /// False: not a command of this layer.
  virtual bool run(const FlowFrame&, ExhibitContext&, std::string_view) { return false; }
  /// For the status bar.
  virtual std::string status() const { return {}; }
  virtual void releaseGpu() {}
};

/// All there are, bottom first within a level.
PlaneLayers makePlaneLayers();

}  // namespace sepx::ui
