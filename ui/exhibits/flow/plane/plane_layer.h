// SPDX-License-Identifier: Apache-2.0
// A kind of picture that can be laid over the plane: contours, nullclines, a texture, particles. Each is one object
// with its declarations, its results and its views; the plane page calls them in the order of plane_layers.cpp and
// knows none of them. Frame thread; long work in jobs, on lanes that begin with "flow.".
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

/// Where in the order of the picture, from the bottom.
enum class PlaneLevel {
  Field,   ///< loss and basins
  Ground,  ///< over these, under the grid
  Sets,    ///< grid, axes, critical sets
  Lines,   ///< over these, under paths
  Points,  ///< paths, and what is written over the plane
  Inset,   ///< over all but the handles
  Handles
};

/// Views over one plane.
class PlaneViews {
 public:
  using Draw = std::function<std::vector<render::Item>(const FlowFrame& frame)>;
  /// `frame`: of now. `at`: the frame with which one is drawn.
  PlaneViews(const FlowFrame& frame, std::function<FlowFrame(const ViewPlace& place)> at)
      : at_(std::move(at)),
        base_(Digest()
                  .add(frame.state.view, frame.layout.plot, frame.layout.width, frame.layout.height, frame.figure)
                  .value()) {}
  /// `of`: what it is made of beyond window and layout. `still`: it is expected to survive many frames.
  PictureContent& add(PlaneLevel level, std::string name, Digest of, Draw draw, bool still = true, bool clipped = true);
  /// What is written into a box of the page.
  PictureContent& addAt(const render::Rect& box, PlaneLevel level, std::string name, Digest of, Draw draw);
  /// One that was added; null: there is none.
  PictureContent* named(std::string_view name);
  /// All of them, bottom first; within a level as they were added.
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
  /// `toggle`: its switch, "flow.show.contours"; empty for none.
  explicit PlaneLayer(std::string toggle = "") : toggle_(std::move(toggle)) {}
  virtual ~PlaneLayer() = default;
  virtual void declare(PropertyRegistry&, const FlowShared&) {}
  /// A new document.
  virtual void read(const Document& document, const PropertyRegistry& registry, const FlowState&) {
    shown_ = !toggle_.empty() && registry.toggle(document, toggle_);
  }
  /// Takes over finished results, starts what is stale. Not called while another page is in sight. `frame` is of the
  /// present state; its results may be of before.
  virtual void update(const FlowFrame&, ExhibitContext&) {}
  /// What is shown now; nothing while it is switched off.
  virtual void views(const FlowFrame&, PlaneViews&) const {}
  /// Digest of its results, as far as views and rows depend on them.
  virtual std::uint64_t madeOf() const { return 0; }
  /// Rows for the legend, unfolded or folded (frame.layout.legendOpen).
  virtual void legend(const FlowFrame&, std::vector<LegendRow>&) const {}
  /// Its switch among those of the picture.
  const std::string& toggle() const { return toggle_; }
  /// More controls, below the switches.
  virtual void panel(const FlowFrame&, ExhibitContext&, PagePanel&) {}
  virtual bool complete() const { return true; }
  virtual bool animating() const { return false; }
  virtual void numbers(const FlowState&, Numbers&) const {}
  /// A clause for the caption of a figure: what its lines and areas are. Translated; empty for none.
  virtual std::string caption(const FlowState&) const { return {}; }
  virtual std::vector<FlowPage::Command> commands(const Document&) { return {}; }
  /// For the status bar.
  virtual std::string status() const { return {}; }
  virtual void releaseGpu() {}

 protected:
  bool shown_ = false;  ///< by its switch

 private:
  std::string toggle_;
};

using PlaneLayers = std::vector<std::unique_ptr<PlaneLayer>>;
/// All there are, bottom first within a level.
PlaneLayers makePlaneLayers();

/// The energy of the selected point of the canonical plane; nothing without one, or on the e-axis.
std::optional<double> selectedEnergy(const FlowState& state);
/// Of the place under the pointer.
std::optional<double> energyUnder(const FlowFrame& frame);
/// A level as a person reads it, to the digits that tell it from its neighbours.
std::string levelText(double E, int digits = 3);

/// Labels that keep clear of each other and of the plot's border.
class LabelRoom {
 public:
  /// `taken`: boxes where nothing can be written.
  explicit LabelRoom(const FlowFrame& frame, std::vector<render::Rect> taken = {})
      : frame_(frame), taken_(std::move(taken)) {}
  void take(const render::Rect& box) { taken_.push_back(box); }
  /// A label with its middle at a place of the page; nothing where there is no room for it.
  std::optional<render::Label> place(render::Point page, const std::string& text, float size, render::Color color);

 private:
  const FlowFrame& frame_;
  std::vector<render::Rect> taken_;
};

/// What is written over the plot and hides what is under it: the legend and the insets.
std::vector<render::Rect> boxesOver(const FlowFrame& frame);

/// The place of the plot (page) that is farthest from where `inside` (of data) ends, so that a name stands well in its
/// region and not under a box; nothing where the region has no room for one.
std::optional<render::Point> roomiest(const FlowFrame& frame, const std::function<bool(render::Point data)>& inside);
/// The name of a set of initialisations, "I" with what stands below it, on a ground of its own.
void addSetName(std::vector<render::Item>& items, const FlowFrame& frame, render::Point page, const std::string& below);

}  // namespace sepx::ui
