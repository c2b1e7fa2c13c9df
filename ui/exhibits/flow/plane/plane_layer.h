// SPDX-License-Identifier: Apache-2.0
// A layer is a picture that can be drawn over the plane: contours, nullclines, a texture, particles. Each layer is one
// object with its own declarations, results and views. The plane page calls the layers in the order of plane_layers.cpp
// through this interface alone. Frame thread; long work runs in jobs, on lanes whose names begin with "flow.".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/views/board.h"
#include "ui/views/digest.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

/// Position in the drawing order, from the bottom.
enum class PlaneLevel {
  Field,   ///< loss and basins
  Ground,  ///< above the field, below the grid
  Sets,    ///< grid, axes, critical sets
  Lines,   ///< above the sets, below the paths
  Points,  ///< paths, and the legend and read-outs over the plane
  Inset,   ///< above everything except the handles
  Handles
};

/// Collects the views over one plane.
class PlaneViews {
 public:
  using Draw = std::function<std::vector<render::Item>(const FlowFrame& frame)>;
  /// `frame`: the current frame. `at`: returns the frame with which a view is drawn at a place.
  PlaneViews(const FlowFrame& frame, std::function<FlowFrame(const ViewPlace& place)> at)
      : at_(std::move(at)),
        base_(Digest()
                  .add(frame.state.view, frame.layout.plot, frame.layout.width, frame.layout.height, frame.figure)
                  .value()) {}
  /// Adds a view. `of`: digest of its inputs other than window and layout. `still`: the picture is expected to stay
  /// unchanged for many frames.
  PictureContent& add(PlaneLevel level, std::string name, Digest of, Draw draw, bool still = true, bool clipped = true);
  /// Adds a view that is drawn into a box of the page.
  PictureContent& addAt(const render::Rect& box, PlaneLevel level, std::string name, Digest of, Draw draw);
  /// The view that was added under this name; null if there is none.
  PictureContent* named(std::string_view name);
  /// Moves out all views, bottom first; within a level in the order in which they were added.
  Views take(const render::Rect& area);

 private:
  struct Part {
    PlaneLevel level;
    View view;
    std::optional<render::Rect> box{};
  };
  std::function<FlowFrame(const ViewPlace& place)> at_;
  std::uint64_t base_;
  std::vector<Part> parts_;
};

class PlaneLayer {
 public:
  /// `toggle`: the key of its switch, such as "flow.show.contours"; empty if it has none.
  explicit PlaneLayer(std::string toggle = "") : toggle_(std::move(toggle)) {}
  virtual ~PlaneLayer() = default;
  virtual void declare(PropertyRegistry&, const FlowShared&) {}
  /// Reads a new document.
  virtual void read(const Document& document, const PropertyRegistry& registry, const FlowState&) {
    shown_ = !toggle_.empty() && registry.toggle(document, toggle_);
  }
  /// Takes over finished results and starts the jobs whose results are stale. Not called while another page is shown.
  /// `frame` has the current state, but its results may belong to an earlier one.
  virtual void update(const FlowFrame&, ExhibitContext&) {}
  /// Adds the views that are shown now; none while the layer is switched off.
  virtual void views(const FlowFrame&, PlaneViews&) const {}
  /// Digest of the results on which the views and the legend rows depend.
  virtual std::uint64_t contentDigest() const { return 0; }
  /// Adds rows to the legend, which is unfolded or folded (frame.layout.legendOpen).
  virtual void legend(const FlowFrame&, std::vector<LegendRow>&) const {}
  /// The key of its switch; empty if it has none.
  const std::string& toggle() const { return toggle_; }
  /// Draws further controls, below the switches.
  virtual void panel(const FlowFrame&, ExhibitContext&, PagePanel&) {}
  virtual bool complete() const { return true; }
  virtual bool animating() const { return false; }
  virtual void numbers(const FlowState&, Numbers&) const {}
  /// A clause for the caption of a figure that explains the lines and areas of this layer. Translated; may be empty.
  virtual std::string caption(const FlowState&) const { return {}; }
  virtual std::vector<FlowPage::Command> commands(const Document&) { return {}; }
  /// Text for the status bar.
  virtual std::string status() const { return {}; }
  virtual void releaseGpu() {}

 protected:
  bool shown_ = false;  ///< whether the layer is switched on

 private:
  std::string toggle_;
};

using PlaneLayers = std::vector<std::unique_ptr<PlaneLayer>>;
/// Makes all layers, bottom first within a level.
PlaneLayers makePlaneLayers();

/// The energy of the selected point of the canonical plane; empty if no point is selected, or on the e-axis.
std::optional<double> selectedEnergy(const FlowState& state);
/// The energy at the place under the pointer, or the level that the pointer picks in the energy profile.
std::optional<double> energyUnder(const FlowFrame& frame);
/// An energy level as text. `digits`: the decimals that distinguish it from its neighbours.
std::string levelText(double E, int digits = 3);

/// Places labels so that they overlap neither each other nor the plot's border.
class LabelPlacer {
 public:
  /// `taken`: boxes that no label may overlap.
  explicit LabelPlacer(const FlowFrame& frame, std::vector<render::Rect> taken = {})
      : frame_(frame), taken_(std::move(taken)) {}
  void take(const render::Rect& box) { taken_.push_back(box); }
  /// A label centred at a place of the page; empty if there is no room for it.
  std::optional<render::Label> place(render::Point page, const std::string& text, float size, render::Color color);

 private:
  const FlowFrame& frame_;
  std::vector<render::Rect> taken_;
};

/// The boxes that are drawn over the plot and hide what is under them: the legend and the insets.
std::vector<render::Rect> boxesOver(const FlowFrame& frame);

/// The place of the plot (page coordinates) that is farthest from the border of the region `inside` (data coordinates)
/// and from the boxes over the plot, so that a name can be written there. Empty if the region has no room for a name.
std::optional<render::Point> roomiest(const FlowFrame& frame, const std::function<bool(render::Point data)>& inside);
/// Adds the name of a set of initialisations, "I" with the subscript `below`, on its own background.
void addSetName(std::vector<render::Item>& items, const FlowFrame& frame, render::Point page, const std::string& below);

}  // namespace sepx::ui
