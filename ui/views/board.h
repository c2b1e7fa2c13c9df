// SPDX-License-Identifier: Apache-2.0
// The views of a page at their places: which have room, their layers, what lies under the pointer, what a click, a
// drag and the wheel do there. What a view was made of decides whether its picture is kept: no key and no counter is
// kept by hand. Frame thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibit/page_kit.h"
#include "ui/exhibit/readable.h"
#include "ui/views/arrangement.h"
#include "ui/views/placed_view.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// What a page shows, and how its parts stand. A view that the arrangement does not name is not shown, but exported.
struct Views {
  std::vector<View> views;
  Arrangement arrangement;
};

/// One sentence in the middle: why there is nothing else to see.
Views sentenceAlone(std::string text);

class ViewBoard {
 public:
  /// `prefix`: of the names of its layers, "reversal.checkpoint.".
  explicit ViewBoard(std::string prefix) : prefix_(std::move(prefix)) {}

  /// Another content. Views whose picture depends on nothing that changed keep it.
  void show(Views views);
  /// Before scene() and input(): where the views stand in this frame. `moving`: the content is expected to change soon.
  void place(const PageArea& area, bool moving = false);
  void scene(const PageArea& area, std::vector<render::Layer>& into);
  Cursor input(const PageArea& area, ExhibitContext& context, const InputEvent& event);
  /// The command of a button that was pressed since this was asked last; empty: none.
  std::string takeCommand() { return std::exchange(command_, {}); }
  /// Where a view stands; nothing where it has no room.
  std::optional<render::Rect> boxOf(const std::string& name) const;
  /// Buttons of what is shown, for scripts and screen readers.
  Strip controls() const;
  /// Those of all views, in their order.
  Numbers numbers() const;
  /// The views as they are read without seeing them, with the names of their layers; in the order of the arrangement.
  std::vector<ReadableView> readable();
  /// What can be done with the pointer, for the sheet of keys: the gesture and what it does.
  std::vector<std::pair<std::string, std::string>> gestures() const;

 private:
  struct Shown {
    std::size_t view = 0;  ///< of views_
    std::string name;
    render::Rect box;
    std::uint64_t key = 0;
    std::unique_ptr<PlacedView> placed;
    render::Layer layer;
  };
  const View* named(const std::string& name) const;
  Shown* under(render::Point page);
  void make(Shown& shown, const PageArea& area);
  void draw(Shown& shown);

  std::string prefix_;
  Views views_;
  std::uint64_t contents_ = 0;          ///< how many it was given
  std::vector<std::uint64_t> digests_;  ///< by view
  std::vector<Shown> shown_;            ///< bottom first
  std::uint64_t placedOf_ = 0;          ///< digest of the area that shown_ was made for
  std::optional<std::string> held_;     ///< the view whose slider is dragged
  double heldAt_ = 0;                   ///< the x at which that began
  std::optional<PictureGrip> grip_;     ///< of a picture, while it is dragged
  std::string command_;                 ///< of a button that was pressed
  PageLayers tips_;
};

/// Sets the fields as one undo step; what refuses one is said, and nothing is set.
void apply(Editor& editor, const Changes& changes);

}  // namespace sepx::ui
