// SPDX-License-Identifier: Apache-2.0
// The layers of the plane's picture, bottom to top. One is made anew only when what it depends on has changed, so that
// renderers may keep what they made of it. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/page/page_kit.h"

namespace sepx::ui {

/// The layout of a figure that has a legend: inside the plot where it hides no data, else beside it, on a narrow page
/// below it; none where that would take half of the page. `top`: as layoutFlow().
FlowLayout figureLayout(const FlowFrame& frame, double top);
/// Where the legend of this frame is.
Placed legendPlace(const FlowFrame& frame);
std::vector<render::Item> legendItems(const FlowFrame& frame);
/// The square of (p, q).
std::vector<render::Item> squareItems(const FlowFrame& frame);
/// What is under the pointer, and where the selected point ends; nothing in a figure.
std::vector<render::Item> readOutItems(const FlowFrame& frame);
/// A coordinate to the digits that a window of this span can tell.
std::string shownPlace(double value, double span);

struct PlanePart;
enum class PlaneLevel;

class PlaneScene {
 public:
  /// The layers of this frame; those that did not change keep their revision, and their items are moved, never copied.
  void update(const FlowFrame& frame, std::vector<render::Layer>& into);
  /// Before the next update(): what the last one gave.
  void reclaim(std::vector<render::Layer>& layers);

 private:
  struct Kept {
    std::string name;
    render::Layer layer;  ///< empty while it is given away
    LayerKey key;
  };
  struct Look {
    bool still = true;  ///< expected to survive many frames
    bool clip = true;   ///< to the plot
  };
  using Make = std::vector<render::Item> (*)(const FlowFrame&);

  void add(const char* name, LayerKey key, Make make, Look look = {true, true},
           FlowFrame::Part part = FlowFrame::Part::All);
  void put(const std::string& name, LayerKey key, const PageLayers::Make& make, Look look);
  void addParts(const std::vector<PlanePart>& parts, PlaneLevel level);
  void addPlane(const std::vector<PlanePart>& parts);
  void addPoints(const std::vector<PlanePart>& parts);
  Kept& kept(const std::string& name);
  std::vector<Kept> layers_;
  std::uint64_t revision_ = 0;
  const FlowFrame* frame_ = nullptr;  ///< while update() runs, as the next
  std::vector<render::Layer>* into_ = nullptr;
};

}  // namespace sepx::ui
