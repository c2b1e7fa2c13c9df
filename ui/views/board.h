// SPDX-License-Identifier: Apache-2.0
// The views of a page at their places: which have room, their layers, what lies under the pointer, what a click, a
// drag and the wheel do there. What a view was made of decides whether its picture is kept: no key and no counter is
// kept by hand. Frame thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/canvas/cut_texts.h"
#include "ui/page/figure_choice.h"
#include "ui/page/readable.h"
#include "ui/views/arrangement.h"
#include "ui/views/page_kit.h"
#include "ui/views/placed_view.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// What a page shows, and how its parts stand. A view that the arrangement does not name is not shown, but exported.
struct Views {
  std::vector<View> views;
  Arrangement arrangement;
  /// How data coordinates lie on the page; empty: data = (page x, -page y). Called after the views have their places.
  std::function<Camera(const PageArea&)> camera{};
  /// A picture over all views that follows the pointer or the clock, asked for with every scene.
  std::function<std::optional<PictureContent>(const PageArea&)> over{};

  /// Puts parts above all others, at a place of their own.
  void addAt(const render::Rect& box, Arrangement part);
  void addAt(const render::Rect& box, View view);
};

/// One sentence in the middle: why there is nothing else to see.
Views sentenceAlone(std::string text);

class ViewBoard {
 public:
  /// `prefix`: of the names of its layers, "reversal.checkpoint.". `picture`: of PageLabel.
  explicit ViewBoard(std::string prefix, std::string picture = {}, const char* pictureName = "")
      : prefix_(std::move(prefix)), picture_(std::move(picture)), pictureName_(pictureName) {}

  /// Another content. Views whose picture depends on nothing that changed keep it.
  void show(Views views);
  /// Before scene() and input(): where the views stand in this frame. `moving`: the content is expected to change soon.
  void place(const PageArea& area, bool moving = false);
  void scene(const PageArea& area, std::vector<render::Layer>& into);
  /// Before the next scene(): what the last one gave. Items are moved, never copied.
  void reclaim(std::vector<render::Layer>& layers);
  Cursor input(const PageArea& area, ExhibitContext& context, const InputEvent& event);
  /// The command of a button that was pressed since this was asked last; empty: none.
  std::string takeCommand() { return std::exchange(command_, {}); }
  /// What was pressed since this was asked last that the page deals with.
  std::optional<ViewPress> takePress() { return std::exchange(press_, std::nullopt); }
  /// x under the pointer in a chart.
  std::optional<double> xUnder(std::optional<render::Point> page) const;
  /// A line at x in every chart, with a dot on every series.
  std::vector<render::Item> cursorsAt(double x) const;
  /// Scrolls a table or cards until the row or card is in sight.
  void reveal(const std::string& name, std::size_t index);
  /// How many cards stand in a row.
  std::size_t inRow(const std::string& name) const;
  /// The view that the pointer means at a place of the page; empty: none does anything there.
  std::string viewAt(render::Point page) const;
  /// Whether something is dragged.
  bool drags() const { return held_ || grip_; }
  const Views& views() const { return views_; }
  /// Where a view stands; nothing where it has no room.
  std::optional<render::Rect> boxOf(const std::string& name) const;
  // Of figures.
  /// Before place(): which views stand in it, and what of charts.
  void choose(const FigureChoice& choice);
  /// Whether some views stand as panels, instead of the page.
  bool divided() const { return !choice_.views.empty(); }
  /// Whether the view is asked for as a panel.
  bool asksFor(const std::string& view) const;
  /// Where the page's own picture stands as a panel: since the last place(), which the views follow; nothing: it does
  /// not.
  const std::optional<render::Rect>& pictureRoom() const { return pictureRoom_; }
  /// In the order of the page.
  std::vector<FigurePanel> panels() const;
  ChartParts chartParts() const;
  /// What has no room; translated.
  const std::vector<std::string>& leftOut() const { return leftOut_; }
  /// Buttons of what is shown, for scripts and screen readers.
  Strip controls() const;
  /// Controls of the parameters that are shown, inside an ImGui frame.
  void drawControls(const ExhibitContext& context);
  /// Those of all views, in their order.
  Numbers numbers() const;
  /// The views as they are read without seeing them, with the names of their layers; in the order of the arrangement.
  std::vector<ReadableView> readable();
  /// What can be done with the pointer, for the sheet of keys: the gesture and what it does.
  std::vector<std::pair<std::string, std::string>> gestures() const;

 private:
  void drawTip(const PageArea& area, std::vector<render::Layer>& into);
  void drawOver(const PageArea& area, std::vector<render::Layer>& into);
  struct Shown {
    std::size_t view = 0;  ///< of views_
    std::string name;
    render::Rect box;
    std::uint64_t key = 0;
    double left = 0;  ///< room left of the plot of an aligned chart
    std::unique_ptr<PlacedView> placed;
    render::Layer layer;
    std::vector<CutText> cutWhenPlaced;  ///< shortened by the view itself, whatever is drawn of it
    std::vector<CutPlace> cut;           ///< shortened texts of the layer
  };
  /// The shortened text at a place of the page; null: there is none.
  const CutPlace* cutAt(render::Point page) const;
  const View* named(const std::string& name) const;
  const Shown* shownAs(const std::string& name) const;
  /// The parts that have room, and a line about those that have none.
  std::vector<PlacedPart> parts(const PageArea& area);
  /// Those of a figure: the page, or its panels in a grid with one legend below.
  std::vector<PlacedPart> figureParts(const PageArea& area);
  std::vector<PlacedPart> panelParts(const PageArea& area);
  /// What can stand in a figure by itself: a view, or views that lie over each other.
  struct Panel {
    std::string name;                ///< of the view, or of the lowest one
    std::vector<std::string> views;  ///< bottom first; none of the page's own picture
  };
  std::vector<Panel> allPanels() const;
  const ChartContent* chartOf(const Panel& panel) const;
  /// The page's own picture: its views but for those that are panels themselves.
  void placePicture(const PageArea& area, const render::Rect& room, std::vector<PlacedPart>& into) const;
  /// Legends of the panels: one for those that have the same. Answers their views.
  std::vector<std::string> addLegends(const std::vector<Panel>& panels);
  std::string labelOf(const Panel& panel) const;
  void alignCharts();
  /// A press or its release on a row, a card or a head; false: there is none.
  bool pressedPart(const Shown* shown, ExhibitContext& context, const PointerPressed& press);
  Shown* under(render::Point page);
  void make(Shown& shown, const PageArea& area);
  void draw(Shown& shown);
  /// What an event does to what is held; nothing: it is for what lies under the pointer.
  std::optional<Cursor> dragged(ExhibitContext& context, const InputEvent& event);
  Cursor slideTo(Shown& shown, Editor& editor, render::Point at);
  void release(Editor& editor);
  bool adjust(Shown& shown, PlacedView::Adjust how, render::Point at, double notches = 0);
  bool hold(Shown& shown, Editor& editor, render::Point at, Button button, bool shift);
  Cursor pressed(Shown& shown, ExhibitContext& context, render::Point at, const PointerPressed& press);
  void scrolled(Shown& shown, Editor& editor, render::Point at, double notches, const Theme& theme);

  std::string prefix_;
  std::string picture_;  ///< empty: it has none
  const char* pictureName_;
  std::optional<render::Rect> pictureRoom_;
  FigureChoice choice_;
  std::vector<std::string> leftOut_;
  std::map<std::string, render::Rect> cells_;  ///< of the panels
  Views views_;
  std::uint64_t contents_ = 0;          ///< how many it was given
  std::vector<std::uint64_t> digests_;  ///< by view
  std::vector<Shown> shown_;            ///< bottom first
  std::uint64_t placedOf_ = 0;          ///< digest of the area that shown_ was made for
  std::optional<std::string> held_;     ///< the view whose slider is dragged
  double heldAt_ = 0;                   ///< the x at which that began
  /// A picture's part that is dragged.
  struct Held {
    PictureGrip grip;
    render::Point from;
    Document before;
    Button button = Button::Left;
    bool moved = false;
    std::string twice{};  ///< the view, if a double click ends where the button is let go
  };
  std::optional<Held> grip_;
  double lastPress_ = -1;  ///< host time of the press that a double click begins with; below 0: none
  render::Point lastAt_;
  std::string command_;  ///< of a button that was pressed
  PageLayers tips_;
  /// What was pressed last, and when; what is pressed when the button goes up on it.
  struct Part {
    std::string view;
    PlacedView::Target target;
    double seconds = 0;
  };
  std::optional<Part> lastPart_, armed_;
  std::optional<ViewPress> press_;  ///< that the page deals with
  double activated_ = -1;           ///< when the window became the active one
};

/// Sets the fields as one undo step; what refuses one is said, and nothing is set.
void apply(Editor& editor, const Changes& changes);

}  // namespace sepx::ui
