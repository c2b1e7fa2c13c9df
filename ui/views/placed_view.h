// SPDX-License-Identifier: Apache-2.0
// A view in its box: draws its content, finds what lies under the pointer and handles clicks. Made once for a content,
// a box and a theme. Frame thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/page/figure_choice.h"
#include "ui/page/readable.h"
#include "ui/views/page_kit.h"
#include "ui/views/strip.h"
#include "ui/views/view.h"

namespace sepx::ui {

class PlacedView {
 public:
  virtual ~PlacedView() = default;
  virtual std::vector<render::Item> items() const = 0;
  /// Draws the controls of parameters over it, inside an ImGui frame. `name`: the name of its layer.
  virtual void drawControls(ExhibitContext&, const std::string& /*name*/) {}
  /// The buttons in it, with their names for scripts; null: there are none.
  virtual const Strip* controls() const { return nullptr; }
  /// Drawn over everything while the pointer is here, kept inside `area`; empty: nothing.
  virtual std::vector<render::Item> tip(const View&, render::Point, const render::Rect& /*area*/) const { return {}; }
  /// What a click here sets; empty optional: nothing.
  virtual std::optional<Changes> pick(const View&, render::Point) const { return std::nullopt; }
  /// The command that a click here runs; empty: none.
  virtual std::string command(render::Point) const { return {}; }
  /// x of a slider under the pointer. `held`: it is being dragged, and the pointer may have left the plot.
  virtual std::optional<double> slide(const View&, render::Point, bool /*held*/) const { return std::nullopt; }
  /// Whether nothing is drawn outside the plot of the page's camera.
  virtual bool clipped() const { return false; }
  /// Whether it is expected to stay unchanged for many frames.
  virtual bool still() const { return true; }
  /// The rectangle outside of which nothing is drawn; empty optional: there is none.
  virtual std::optional<render::Rect> within() const { return std::nullopt; }
  /// Whether it responds to the pointer; otherwise the pointer applies to the view below.
  virtual bool answers() const { return true; }
  /// What a press of the left button here grabs.
  virtual std::optional<PictureGrip> hold(const View&, render::Point) const { return std::nullopt; }
  /// What the wheel changes here, besides scrolling.
  virtual void wheel(const View&, Editor&, render::Point, double /*notches*/) const {}
  /// Handles a double click. False: it is treated as two clicks.
  virtual bool twice(const View&, Editor&, render::Point) const { return false; }
  /// What a press of any other button grabs.
  virtual std::optional<PictureGrip> holdOther(const View& view, render::Point at) const {
    std::optional<PictureGrip> grip = hold(view, at);
    return grip && grip->anyButton ? grip : std::nullopt;
  }
  /// Inputs that change which part of the content is shown. That state belongs to the view, not to the document.
  enum class Adjust { Wheel, Click, Twice, Drop };
  /// True: it must be drawn again. `notches`: of the wheel.
  virtual bool adjust(const View&, Adjust, render::Point, double /*notches*/ = 0) { return false; }
  virtual Cursor cursor(const View& view, render::Point at) const {
    return pick(view, at) || target(view, at) || !command(at).empty() ? Cursor::Hand : Cursor::Arrow;
  }
  /// A part whose press the page handles: a row, a card or a column head.
  struct Target {
    std::size_t index = 0;
    bool head = false;
    bool operator==(const Target&) const = default;
  };
  virtual std::optional<Target> target(const View&, render::Point) const { return std::nullopt; }
  /// Handles a press on it. False: the page handles it.
  virtual bool act(ExhibitContext&, const Target&) const { return false; }
  /// x under the pointer, of a chart.
  virtual std::optional<double> xAt(render::Point) const { return std::nullopt; }
  /// A line at x with a dot on every series, of a chart.
  virtual std::vector<render::Item> cursorAt(double /*x*/) const { return {}; }
  /// Room left of the plot of an aligned chart; 0: it is not an aligned chart.
  virtual double left() const { return 0; }
  virtual void leaveLeft(double /*points*/) {}
  /// Number of cards in a row.
  virtual std::size_t inRow() const { return 1; }
  /// The height that it uses of its box; 0: nothing, or all of it.
  virtual double height() const { return 0; }
  /// Scrolls by a number of points; false: nothing scrolled.
  virtual bool scroll(double) { return false; }
  /// Takes over the scroll position and the shown part from the view that had its place before the content changed.
  virtual void takeOver(const PlacedView&) {}
  /// Scrolls until the row is in sight; false: it already was.
  virtual bool reveal(std::size_t /*row*/) { return false; }
  /// What the user chose to see of a chart; empty optional: all of it, as the page defines it.
  virtual std::optional<ChartPart> part() const { return std::nullopt; }
  virtual void showPart(const ChartPart&) {}
  /// Its content as text, without its name and box; refers to this object. Empty optional: it adds nothing to the text
  /// of other views.
  virtual std::optional<ReadableView> read() const { return std::nullopt; }
};

// Sizes of a swatch with a name, and of lines of notes.
inline constexpr double kSwatch = 16, kAfterSwatch = 4;  ///< points
inline constexpr double kNoteLine = 1.35;                ///< from line to line, multiple of the type size

std::unique_ptr<PlacedView> placeView(const View& view, const ViewPlace& place);
/// The height that a view needs at a width if its height is unlimited; 0: nothing, or all of it.
double heightOf(const View& view, double width, const Theme& theme, bool figure = false);
/// Width in points at which the columns of a table are not cut, as far as `needs` demands; 0: the table is made for its
/// place (TableContent::make).
double neededWidth(const TableContent& content, const Theme& theme, TableView::Needs needs);

// One per kind of content.
std::unique_ptr<PlacedView> placeContent(const ChartContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const MatrixContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const TableContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const CardsContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const LegendContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const ChoicesContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const ButtonContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const FieldsContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const TextContent& content, const ViewPlace& place);
std::unique_ptr<PlacedView> placeContent(const PictureContent& content, const ViewPlace& place);

/// What a press at `at` (page) grabs: the first handle within reach, else one that can be grabbed anywhere in the plot;
/// empty optional: nothing. `page` and `data` convert between the axes of the view and the page.
std::optional<PictureGrip> gripOf(const std::vector<ViewHandle>& handles, const render::Rect& plot, render::Point at,
                                  const std::function<render::Point(render::Point)>& page,
                                  const std::function<render::Point(render::Point)>& data);

/// A matrix as text, without its label. `words`: the whole text of a cell; `middle`: the centre of a cell, if it is in
/// the picture; `under`: the cell at a point of the picture.
ReadableView readMatrix(std::size_t rows, std::size_t columns, std::function<std::string(MatrixCell)> words,
                        std::function<std::optional<render::Point>(MatrixCell)> middle,
                        std::function<std::optional<MatrixCell>(render::Point)> under);

/// The colour of a line of text.
render::Color colorOf(NoteLine::Role role, const Theme& theme);
/// The parts that fit in one line. If not even the first one fits, it is cut.
std::string lineText(const NoteLine& line, double size, double width);

}  // namespace sepx::ui
