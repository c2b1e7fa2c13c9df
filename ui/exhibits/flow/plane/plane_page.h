// SPDX-License-Identifier: Apache-2.0
// The plane of (e,w), or of a textbook field: loss, basins, critical sets, paths of the initial points, and whatever
// plane layers there are. Frame thread.
#pragma once

#include <memory>
#include <optional>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// What the plane works on although all pages read it.
struct PlaneOwned {
  const FlowShared& shared;
  FlowResults& results;
  FlowPlay& play;
  std::optional<render::Point>& hover;  ///< data under the pointer
};

class PlanePage : public FlowPage {
 public:
  virtual const FlowLayout& layout() const = 0;
  /// Over what the pointer rests, as things are now.
  virtual Cursor cursor(const FlowState& state) const = 0;
  /// As FlowPage::scene, but whole, so that the items of many points are moved and not copied; `strip` lies on top.
  virtual const render::Scene& whole(const FlowPageFrame& frame, double width, double height,
                                     const render::Layer& strip) = 0;
  /// The point whose menu was asked for since the last call (FlowInput::takeMenu).
  virtual std::optional<int> takeMenu() = 0;
  /// Switches of its layers, for the panel.
  virtual std::vector<std::string> toggles() const = 0;
};

std::unique_ptr<PlanePage> makePlanePage(const PlaneOwned& owned);

}  // namespace sepx::ui
