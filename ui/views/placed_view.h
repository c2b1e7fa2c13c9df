// SPDX-License-Identifier: Apache-2.0
// A view at its place: what is drawn of it, what lies under the pointer, what a click there does. Made once for a
// content, a box and a theme. Frame thread.
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
  /// Draws the controls of parameters over it, inside an ImGui frame. `name`: of its layer.
  virtual void drawControls(ExhibitContext&, const std::string& /*name*/) {}
  /// What can be pressed in it, as scripts name it.
  virtual const Strip* controls() const { return nullptr; }
  /// Drawn over everything while the pointer is here, kept inside `area`; empty: nothing.
  virtual std::vector<render::Item> tip(const View&, render::Point, const render::Rect& /*area*/) const { return {}; }
  /// What a click here sets; nothing where a click does nothing.
  virtual std::optional<Changes> pick(const View&, render::Point) const { return std::nullopt; }
  /// The command that a click here carries out; empty: none.
  virtual std::string command(render::Point) const { return {}; }
  /// x of a slider under the pointer, also of one that is held and has left the plot.
  virtual std::optional<double> slide(const View&, render::Point, bool /*held*/) const { return std::nullopt; }
  /// Whether nothing is drawn outside the plot of the page's camera.
  virtual bool clipped() const { return false; }
  /// Whether it is expected to survive many frames.
  virtual bool still() const { return true; }
  /// What nothing is drawn outside of.
  virtual std::optional<render::Rect> within() const { return std::nullopt; }
  /// Whether the pointer does anything here; otherwise it means what lies below.
  virtual bool answers() const { return true; }
  /// What a press here takes hold of.
  virtual std::optional<PictureGrip> hold(const View&, render::Point) const { return std::nullopt; }
  /// What the wheel changes here, beside what scrolls.
  virtual void wheel(const View&, Editor&, render::Point, double /*notches*/) const {}
  /// A double click; false: it does no more than two clicks.
  virtual bool twice(const View&, Editor&, render::Point) const { return false; }
  /// What a press of another button than the left one takes hold of.
  virtual std::optional<PictureGrip> holdOther(const View& view, render::Point at) const {
    std::optional<PictureGrip> grip = hold(view, at);
    return grip && grip->anyButton ? grip : std::nullopt;
  }
  /// How much of it is shown is the view's own, and no part of the document.
  enum class Adjust { Wheel, Click, Twice, Drop };
  /// True: it is drawn again. `notches`: of the wheel.
  virtual bool adjust(const View&, Adjust, render::Point, double /*notches*/ = 0) { return false; }
  virtual Cursor cursor(const View& view, render::Point at) const {
    return pick(view, at) || target(view, at) || !command(at).empty() ? Cursor::Hand : Cursor::Arrow;
  }
  /// What lies here whose press the page deals with: a row, a card, the head of a column.
  struct Target {
    std::size_t index = 0;
    bool head = false;
    bool operator==(const Target&) const = default;
  };
  virtual std::optional<Target> target(const View&, render::Point) const { return std::nullopt; }
  /// What a press on it does; false: that is for the page.
  virtual bool act(ExhibitContext&, const Target&) const { return false; }
  /// x under the pointer, of a chart.
  virtual std::optional<double> xAt(render::Point) const { return std::nullopt; }
  /// A line at x with a dot on every series, of a chart.
  virtual std::vector<render::Item> cursorAt(double /*x*/) const { return {}; }
  /// Room left of the plot of an aligned chart; 0: it is none.
  virtual double left() const { return 0; }
  virtual void leaveLeft(double /*points*/) {}
  /// How many cards stand in a row.
  virtual std::size_t inRow() const { return 1; }
  /// What it takes of the height of its box; 0: nothing, or all of it.
  virtual double height() const { return 0; }
  /// Scrolls by so many points; false: nothing scrolls.
  virtual bool scroll(double) { return false; }
  /// Stays scrolled, and shows the part, as the one in its place did before the content changed.
  virtual void takeOver(const PlacedView&) {}
  /// Scrolls until the row is in sight; false: it was.
  virtual bool reveal(std::size_t /*row*/) { return false; }
  /// What a person chose of a chart; nothing: all of it, as the page has it.
  virtual std::optional<ChartPart> part() const { return std::nullopt; }
  virtual void showPart(const ChartPart&) {}
  /// What can be read of it, without its name and box; refers to this object. Nothing: it says no more than others do.
  virtual std::optional<ReadableView> read() const { return std::nullopt; }
};

// Of a swatch with a name, and of lines of notes.
inline constexpr double kSwatch = 16, kAfterSwatch = 4;  ///< points
inline constexpr double kNoteLine = 1.35;                ///< from line to line, of the size of the type

std::unique_ptr<PlacedView> placeView(const View& view, const ViewPlace& place);
/// What a view takes of a height that has no end, at a width; 0: nothing, or all of it.
double heightOf(const View& view, double width, const Theme& theme, bool figure = false);
/// Width in which the columns of a table are whole, points; 0: it is made for its place.
double neededWidth(const TableContent& content, const Theme& theme, TableView::Needs needs);

// One a kind of content.
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

/// What a press at `at` (page) takes hold of among these: the first within reach, else one that is held anywhere in the
/// plot; nothing: none. `page` and `data`: the axes of the view.
std::optional<PictureGrip> gripOf(const std::vector<ViewHandle>& handles, const render::Rect& plot, render::Point at,
                                  const std::function<render::Point(render::Point)>& page,
                                  const std::function<render::Point(render::Point)>& data);

/// A matrix as it is read, without its label. `words`: all that is to be said of a cell; `middle`: of a cell, where it
/// is in the picture; `under`: the cell at a point of the picture.
ReadableView readMatrix(std::size_t rows, std::size_t columns, std::function<std::string(MatrixCell)> words,
                        std::function<std::optional<render::Point>(MatrixCell)> middle,
                        std::function<std::optional<MatrixCell>(render::Point)> under);

/// The colour of a line of text.
render::Color colorOf(NoteLine::Role role, const Theme& theme);
/// The parts that have room in one line, the first one cut where it has none.
std::string lineText(const NoteLine& line, double size, double width);

}  // namespace sepx::ui
