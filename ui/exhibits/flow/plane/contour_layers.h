// SPDX-License-Identifier: Apache-2.0
// Layers of the plane that show the paper's statements about it: colours, the region that is good for every chain, the
// guideline drawn from it, nullclines, energy contours, the energy's profile on e = 0, the names of the sets.
#pragma once

#include <memory>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeColorLayer();
std::unique_ptr<PlaneLayer> makeCommonLayer();
std::unique_ptr<PlaneLayer> makeGuidelineLayer();
std::unique_ptr<PlaneLayer> makeNullclineLayer();
std::unique_ptr<PlaneLayer> makeContourLayer();
std::unique_ptr<PlaneLayer> makeProfileLayer();
/// The flow run backwards from every point.
std::unique_ptr<PlaneLayer> makeWaysBack();
std::unique_ptr<PlaneLayer> makeNamesLayer();

/// The energy of the selected point of the canonical plane; nothing without one, or on the e-axis.
std::optional<double> selectedEnergy(const FlowState& state);
/// Of the place under the pointer.
std::optional<double> energyUnder(const FlowFrame& frame);
/// A level as a person reads it, to the digits that tell it from its neighbours.
std::string levelText(double E, int digits = 3);

/// Labels that keep clear of each other and of the plot's border.
class LabelRoom {
 public:
  explicit LabelRoom(const FlowFrame& frame) : frame_(frame) {}
  void take(const render::Rect& box) { taken_.push_back(box); }
  /// A label with its middle at a place of the page; nothing where there is no room for it.
  std::optional<render::Label> place(render::Point page, const std::string& text, float size, render::Color color);

 private:
  const FlowFrame& frame_;
  std::vector<render::Rect> taken_;
};

/// Where the energy's profile on e = 0 is drawn over the plot: its box, the picture in it, and which (w, E) that shows.
struct ProfilePlace {
  render::Rect box, inner, window;
  bool met = false;  ///< a handle is under it
};
std::optional<ProfilePlace> profilePlace(const FlowFrame& frame);

/// What is written over the plot and hides what is under it: the legend and the insets; and the same for a key.
std::vector<render::Rect> boxesOver(const FlowFrame& frame);
LayerKey boxesKey(const FlowFrame& frame);

/// The place of the plot (page) that is farthest from where `inside` (of data) ends, so that a name stands well in its
/// region and not under a box; nothing where the region has no room for one.
std::optional<render::Point> roomiest(const FlowFrame& frame, const std::function<bool(render::Point data)>& inside);
/// The name of a set of initialisations, "I" with what stands below it, on a ground of its own.
void addSetName(std::vector<render::Item>& items, const FlowFrame& frame, render::Point page, const std::string& below);

}  // namespace sepx::ui
