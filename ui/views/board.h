// SPDX-License-Identifier: Apache-2.0
// Places the views of a page: decides which ones have room, makes their layers, finds the view under the pointer and
// handles clicks, drags and the wheel. A view keeps its picture while the digest of its content and place is unchanged,
// so pages need no cache keys or counters. Frame thread.
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

/// What a page shows, and its layout. A view that the arrangement does not name is exported but not shown.
struct Views {
  std::vector<View> views;
  Arrangement arrangement;
  /// Maps data coordinates to the page; empty: data = (page x, -page y). Called after the views have their places.
  std::function<Camera(const PageArea&)> camera{};
  /// A picture over all views that follows the pointer or the clock. Called for every scene.
  std::function<std::optional<PictureContent>(const PageArea&)> over{};

  /// Adds a part above all others, at a fixed position.
  void addAt(const render::Rect& box, Arrangement part);
  void addAt(const render::Rect& box, View view);
};

/// One sentence in the middle that says why there is nothing else to see.
Views sentenceAlone(std::string text);

class ViewBoard {
 public:
  /// `prefix`: of the names of its layers, such as "reversal.checkpoint.". `picture`, `pictureName`: see PageLabel.
  explicit ViewBoard(std::string prefix, std::string picture = {}, const char* pictureName = "")
      : prefix_(std::move(prefix)), picture_(std::move(picture)), pictureName_(pictureName) {}

  /// Replaces the content. Views whose digest is unchanged keep their pictures.
  void show(Views views);
  /// Places the views for this frame; call before scene() and input(). `moving`: the content is expected to change
  /// soon.
  void place(const PageArea& area, bool moving = false);
  void scene(const PageArea& area, std::vector<render::Layer>& into);
  /// Takes back the layers of the last scene(); call before the next one. Items are moved, never copied.
  void reclaim(std::vector<render::Layer>& layers);
  Cursor input(const PageArea& area, ExhibitContext& context, const InputEvent& event);
  /// The command of a button that was pressed since the last call; empty: none.
  std::string takeCommand() { return std::exchange(command_, {}); }
  /// The press since the last call that the page must handle.
  std::optional<ViewPress> takePress() { return std::exchange(press_, std::nullopt); }
  /// x under the pointer in a chart.
  std::optional<double> xUnder(std::optional<render::Point> page) const;
  /// A line at x in every chart, with a dot on every series.
  std::vector<render::Item> cursorsAt(double x) const;
  /// Scrolls a table or cards until the row or card is in sight.
  void reveal(const std::string& name, std::size_t index);
  /// Number of cards in a row.
  std::size_t inRow(const std::string& name) const;
  /// The topmost view at a point of the page that responds to the pointer; empty: none does.
  std::string viewAt(render::Point page) const;
  /// Whether something is dragged.
  bool drags() const { return held_ || grip_; }
  const Views& views() const { return views_; }
  /// Where a view is placed; empty optional if it has no room.
  std::optional<render::Rect> boxOf(const std::string& name) const;
  // For figures.
  /// Call before place(): which views the figure shows, and which parts of charts.
  void choose(const FigureChoice& choice);
  /// Whether chosen views are shown as panels, instead of the whole page.
  bool divided() const { return !choice_.views.empty(); }
  /// Whether the view is chosen as a panel.
  bool isChosenPanel(const std::string& view) const;
  /// The box of the page's own picture as a panel, set by the last place(); the page makes its views for this box.
  /// Empty optional: it is not a panel.
  const std::optional<render::Rect>& pictureRoom() const { return pictureRoom_; }
  /// All views that can be panels, in the order of the page.
  std::vector<FigurePanel> panels() const;
  ChartParts chartParts() const;
  /// Names of what has no room; translated.
  const std::vector<std::string>& leftOut() const { return leftOut_; }
  /// Buttons of the shown views, for scripts and screen readers.
  Strip controls() const;
  /// Draws the controls of the shown parameters, inside an ImGui frame.
  void drawControls(const ExhibitContext& context);
  /// Numbers to export of all views, in their order.
  Numbers numbers() const;
  /// The views as text for assistive tools, with the names of their layers, in the order of the arrangement.
  std::vector<ReadableView> readable();
  /// What can be done with the pointer, for the "Keys and pointer" sheet: each gesture and its effect.
  std::vector<std::pair<std::string, std::string>> gestures() const;

 private:
  void drawTip(const PageArea& area, std::vector<render::Layer>& into);
  void drawOver(const PageArea& area, std::vector<render::Layer>& into);
  struct Shown {
    std::size_t view = 0;  ///< index in views_
    std::string name;
    render::Rect box;
    std::uint64_t key = 0;
    double left = 0;  ///< room left of the plot of an aligned chart
    std::unique_ptr<PlacedView> placed;
    render::Layer layer;
    std::vector<CutText> cutWhenPlaced;  ///< texts shortened when the view was placed, not when it is drawn
    std::vector<CutPlace> cut;           ///< shortened texts of the layer
  };
  /// The shortened text at a point of the page; null: there is none.
  const CutPlace* cutAt(render::Point page) const;
  const View* named(const std::string& name) const;
  const Shown* shownAs(const std::string& name) const;
  /// The parts that have room, and a line that names those that have none.
  std::vector<PlacedPart> parts(const PageArea& area);
  /// The parts of a figure: the page, or its panels in a grid with one legend below.
  std::vector<PlacedPart> figureParts(const PageArea& area);
  std::vector<PlacedPart> panelParts(const PageArea& area);
  /// Something that can be a panel of a figure: a view, or views on top of each other.
  struct Panel {
    std::string name;                ///< of the view, or of the lowest one
    std::vector<std::string> views;  ///< bottom first; empty: the page's own picture
  };
  std::vector<Panel> allPanels() const;
  const ChartContent* chartOf(const Panel& panel) const;
  /// Places the page's own picture: all of its views except those that are panels themselves.
  void placePicture(const PageArea& area, const render::Rect& room, std::vector<PlacedPart>& into) const;
  /// Adds the legends of the panels; panels with equal entries share one. Returns the names of the added views.
  std::vector<std::string> addLegends(const std::vector<Panel>& panels);
  std::string labelOf(const Panel& panel) const;
  void alignCharts();
  /// Handles a press or release on a row, a card or a column head; false: there is none at that point.
  bool pressedPart(const Shown* shown, ExhibitContext& context, const PointerPressed& press);
  Shown* under(render::Point page);
  void make(Shown& shown, const PageArea& area);
  void draw(Shown& shown);
  /// Applies an event to what is being dragged. Empty optional: the event is for the view under the pointer.
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
  std::uint64_t contents_ = 0;          ///< number of calls of show()
  std::vector<std::uint64_t> digests_;  ///< by view
  std::vector<Shown> shown_;            ///< bottom first
  std::uint64_t placedOf_ = 0;          ///< digest of the area that shown_ was made for
  std::optional<std::string> held_;     ///< the view whose slider is dragged
  double heldAt_ = 0;                   ///< the x at which that drag began
  /// The part of a picture that is being dragged.
  struct Held {
    PictureGrip grip;
    render::Point from;
    Document before;
    Button button = Button::Left;
    bool moved = false;
    std::string twice{};  ///< the view, if releasing the button where it was pressed ends a double click
  };
  std::optional<Held> grip_;
  double lastPress_ = -1;  ///< host time of the press that may begin a double click; below 0: none
  render::Point lastAt_;
  std::string command_;  ///< of a button that was pressed
  PageLayers tips_;
  /// A part and the host time of its press. lastPart_ was pressed last; armed_ counts as pressed once the button is
  /// released on it.
  struct Part {
    std::string view;
    PlacedView::Target target;
    double seconds = 0;
  };
  std::optional<Part> lastPart_, armed_;
  std::optional<ViewPress> press_;  ///< for the page to handle
  double activated_ = -1;           ///< host time at which the window became active; below 0: unknown
};

/// Sets the fields as one undo step. If a value is refused, the error is reported and nothing is set.
void apply(Editor& editor, const Changes& changes);

}  // namespace sepx::ui
