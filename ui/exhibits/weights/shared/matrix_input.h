// SPDX-License-Identifier: Apache-2.0
// Pointer over matrices: wheel zooms at the pointer, a drag pans, a double click shows all; thresholds at the
// margins and ends of the colour scale are dragged, the minimap moves the view. What a drag changes is one undo step.
// Frame thread; no ImGui.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ui/exhibit/exhibit_context.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"

namespace sepx::ui {

class MatrixInput {
 public:
  struct Place {
    const PageFrame& page;
    const MatrixLayout& layout;
    const MatrixScale& scale;
  };
  /// Positions of `event` are page coordinates.
  Cursor handle(const InputEvent& event, const Place& place, ExhibitContext& context);
  /// The threshold that is dragged or under the pointer.
  std::optional<Side> held() const { return grip_ == Grip::Threshold ? side_ : over_; }
  bool busy() const { return grip_ != Grip::None; }
  /// Calls `with` with the place of a page's matrix in a frame.
  using At = std::function<void(const PageFrame& frame, const std::function<void(const Place&)>& with)>;
  /// "view.reset", "view.zoom-in", "view.zoom-out".
  static std::vector<WeightsPage::Command> commands(const At& at);

 private:
  /// 1/factor of what is in sight, about the pointer or the middle.
  static void zoom(const Place& place, ExhibitContext& context, std::optional<render::Point> about, double factor);
  enum class Grip { None, Pan, Threshold, Scale, Map };
  Cursor cursor(const Place& place) const;
  void pressed(const PointerPressed& event, const Place& place, ExhibitContext& context);
  void moved(render::Point at, bool shift, const Place& place, ExhibitContext& context);
  void released(ExhibitContext& context);
  void takeBack(ExhibitContext& context);
  void dragThreshold(render::Point at, bool shift, const Place& place, ExhibitContext& context);
  void dragScale(render::Point at, const Place& place, ExhibitContext& context);
  void moveView(render::Point at, const Place& place, ExhibitContext& context);

  Grip grip_ = Grip::None;
  Button button_ = Button::Left;
  Side side_ = Side::Columns;
  std::optional<Side> over_;
  render::Point from_, at_;
  double offset_ = 0;  ///< between the pointer and what it holds
  bool there_ = false, dragging_ = false, changed_ = false;
  MatrixScale heldScale_;
  bool upper_ = true;
  Document before_;
  double lastPress_ = -1;
  render::Point lastAt_;
};

}  // namespace sepx::ui
