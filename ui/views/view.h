// SPDX-License-Identifier: Apache-2.0
// The views of a page as plain data: charts, matrices, tables, legends, texts and others. A page makes them with a pure
// function of its state and results. ViewBoard (board.h) places and draws them and handles the pointer. The name of a
// view is also the name of its layer, its key for scripts, and the key of data that is kept from frame to frame.
// Lengths are in points of the page.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/table.h"
#include "ui/canvas/camera.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/readable.h"
#include "ui/views/line_chart.h"
#include "ui/views/matrix_scale.h"
#include "ui/views/matrix_view.h"
#include "ui/views/table.h"

namespace sepx::ui {

/// Keys and values of the fields that a click sets, as one undo step.
using Changes = std::vector<std::pair<std::string, Value>>;

/// A press on a part of a view that the page handles: of the left button, or of the right button on a card that is not
/// chosen.
struct ViewPress {
  std::string view;
  std::size_t index = 0;  ///< of the row, card or column head, or an index that the page defines
  bool head = false;
  Modifiers modifiers{};
  bool twice = false;  ///< the second press of a double click on the same part
};

/// A handle that can be dragged over the axes of a view.
struct ViewHandle {
  std::string label{};                ///< of the undo step, translated
  std::vector<std::string> keys;      ///< fields that it sets
  std::optional<render::Point> at{};  ///< in the units of the axes; absent: a press anywhere in the plot grabs it
  std::function<Changes(render::Point to, bool coarse)> changes;  ///< `coarse`: Shift is held
  bool undoable = true;
  bool follows = false;  ///< a press moves it to the pointer
  Cursor cursor = Cursor::Hand;
  std::pair<std::string, std::string> gesture{};  ///< for the "Keys and pointer" sheet, translated: gesture, effect
};

/// Where and how a view is drawn.
struct ViewPlace {
  render::Rect box;
  const Theme& theme;
  bool figure = false;
  bool panel = false;  ///< one of several panels of a figure, all with the same type size
  bool legend = true;  ///< false: charts are drawn without their own legend
};

/// A line of text below or beside a view.
struct NoteLine {
  enum class Role { Normal, Muted, Error, Accent, Title, Heading };  ///< Title, Heading: larger type; Heading: bold
  std::vector<std::string> parts;  ///< those that fit are shown in one line, with gaps between them
  Role role = Role::Normal;
};

/// What a chart says at a position.
struct ChartSpot {
  std::vector<std::string> lines;        ///< of the tip
  std::optional<render::Point> ringed;   ///< drawn with a ring; in the units of the axes
  Changes changes{};                     ///< what a click there sets
  std::optional<render::Rect> framed{};  ///< drawn with a frame; in the units of the axes
};

/// What a page draws over its chart.
struct ChartOverlay {
  std::uint64_t of = 0;  ///< digest of the data that it is made from
  std::function<std::vector<render::Item>(const PlacedChart& chart, const ViewPlace& place)> draw;
};

struct ChartContent {
  LineChart chart;
  std::optional<double> cursor;  ///< a vertical line at this x, with a dot on every series
  /// What a click at x sets; empty: nothing.
  std::function<Changes(double x)> pick;
  /// What a press at x = `from` and a drag from there to x do, as with a slider. One undo step; empty: nothing.
  std::function<void(Editor& editor, double x, double from)> slide;
  /// Replaces the name and numbers of the point nearest to the pointer. `at`: in the units of the axes; `nearest`: the
  /// point under the pointer, null if there is none.
  std::function<std::optional<ChartSpot>(render::Point at, const ChartHit* nearest)> spot{};
  std::optional<ChartOverlay> over{};
  std::vector<ViewHandle> handles{};  ///< what can be dragged in it
  bool aligned = false;               ///< its plot begins at the same x as those of aligned charts above and below it
  double reach = 12;                  ///< largest distance in points at which a data point is under the pointer
  /// Index of what is under the pointer, for ViewPress::index; empty optional: the page handles no press there.
  std::function<std::optional<std::size_t>(render::Point at, const ChartHit& nearest)> target{};
};

/// A matrix [rows, columns], shown as a whole.
struct MatrixContent {
  std::optional<LegendEntry> head;  ///< a swatch and a name above the picture
  /// The longest of the names above the pictures beside this one. If it needs two lines, all of the names get two
  /// lines. Empty: each name has one line and is cut if it is too long.
  std::string longestHead;
  std::string title;  ///< above the picture
  int rows = 0, columns = 0;
  std::shared_ptr<const std::vector<float>> values;  ///< row-major; null: `missing` says why
  MatrixScale scale;
  std::string missing;
  /// Largest ratio of the longer to the shorter side of the picture; 0: the picture fills its box.
  double longest = 2;
  bool entries = false;                  ///< written in the cells if they fit
  std::string rowAxis, columnAxis;       ///< names, with numbers at the edges; empty: neither
  std::vector<MatrixCell> chosen;        ///< framed
  std::optional<int> chosenRow;          ///< framed
  std::vector<std::string> rowTexts;     ///< left of the picture, if rows are high enough
  std::vector<std::string> columnTexts;  ///< above the picture, those that fit; rowTexts then have room too
  std::optional<int> decimals;           ///< of entries, in the largest type that fits the cells
  std::optional<render::ColorMap> map;   ///< from the lower to the upper end of the scale; absent: the scale's own
  std::vector<NoteLine> notes;           ///< centred below the picture
  std::string rowName, columnName, tipContext;  ///< words for "row" and "column" in the tip; a further line of the tip
  /// Replaces the line with rowName and columnName: lines about the cell under the pointer.
  std::function<std::vector<std::string>(MatrixCell)> tip;
  std::function<Changes(MatrixCell)> pick;  ///< what a click on a cell does
};

struct TableGroup {
  LegendEntry entry;        ///< above the heads of its columns
  std::size_t columns = 1;  ///< number of its columns
};

/// Bars before the texts of a column that has room for a mark, or behind the texts of this column and the next ones.
struct TableBars {
  std::size_t column = 0;
  std::vector<double> lengths;      ///< by row, as a share of the room; NaN: no bar
  bool bothWays = false;            ///< bars begin in the middle of the room, lengths from -1 to 1
  render::Color color, below = {};  ///< of lengths >= 0, and of lengths < 0
  std::size_t behind = 0;           ///< number of columns that it lies behind; 0: before the texts
  std::vector<bool> framed{};       ///< by row, for bars behind texts: with a frame around the room
};

/// A table whose cells are texts. It scrolls if it does not fit.
struct TableContent {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> cells;  ///< by row, then column
  std::size_t groupsFrom = 0;                   ///< the column at which the first group begins
  std::vector<TableGroup> groups;
  std::optional<std::size_t> chosen;
  std::vector<NoteLine> notes;                                             ///< below the last row, where there is room
  std::function<Changes(std::size_t row)> pick{};                          ///< what a click on a row does
  std::function<Changes(std::size_t row, std::size_t column)> pickCell{};  ///< instead: what a click on a cell does
  std::vector<std::vector<NoteLine::Role>> roles{};  ///< by row, then column; empty: all of them normal
  std::vector<TableBars> bars{};
  std::string scrollsWith{};  ///< tables with the same value scroll together; empty: alone
  /// Replaces columns and cells: makes a table for its place. `of` is the digest of the data that it is made from. For
  /// many rows, columns as wide as their texts, and marks.
  std::function<TableView(const ViewPlace& place)> make{};
  std::uint64_t of = 0;
  bool pressed = false, headsPressed = false;  ///< the page handles presses on rows, and on column heads
};

struct Card {
  std::string title;
  std::string corner{};             ///< at the right of the title
  std::optional<ChartLook> mark{};  ///< left of the corner text
  std::function<void(std::vector<render::Item>& items, const render::Rect& box)> picture{};
  std::vector<NoteLine> lines{};  ///< below title and picture
  bool wraps = false;             ///< lines are wrapped instead of cut
  std::string foot{};             ///< at the lower edge
};

/// A heading above the next `count` cards.
struct CardGroup {
  std::string title;  ///< empty: none
  std::size_t count = 0;
};

/// Cards of equal size that fill their box. If they do not fit, they scroll. The page handles presses on them.
struct CardsContent {
  std::size_t count = 0;
  std::uint64_t of = 0;  ///< digest of the data that they are made from
  std::function<Card(std::size_t index, const ViewPlace& place)> card;
  std::function<bool(std::size_t index)> chosen;
  std::function<std::string(std::size_t index)> key{};  ///< name of the control for scripts; empty: none
  double width = 17, height = 14, mostHeight = 18;      ///< least width, least and greatest height, in type sizes
  std::size_t mostInRow = 100;
  std::vector<CardGroup> groups{};  ///< in the order of the cards; each begins a row; empty: one group
  bool pictureFirst = false;
  bool onRelease = false;  ///< pressed when the button is released, but not by the click that activates the window
};

struct LegendContent {
  std::vector<LegendEntry> entries;
};

/// A group of buttons. Each sets the property `key` to its value; a button without a value runs the command `key`.
struct ChoiceGroup {
  struct Choice {
    std::string value, label;
    bool on = false;
    bool enabled = true;
    std::function<void(ExhibitContext& context)> act{};  ///< what a press does instead
    std::string control{};                               ///< name for scripts, of a choice with `act`
  };
  std::string key{};
  std::string name{};  ///< before the buttons; may be empty
  std::vector<Choice> choices{};
  bool right = false;  ///< at the right end of its row
};

/// Groups of buttons in rows. What does not fit in a row moves to the next one. Not drawn in a figure.
struct ChoicesContent {
  std::vector<ChoiceGroup> groups;
};

/// A button that runs the command `key`.
inline ChoiceGroup commandButton(std::string key, std::string label, bool on, bool enabled = true, bool right = false) {
  return {std::move(key), {}, {{.label = std::move(label), .on = on, .enabled = enabled}}, right};
}

/// One large button that runs a command of the page. Not drawn in a figure.
struct ButtonContent {
  std::string command, label;
  double done = 0;  ///< progress of the work, 0 to 1: share of the lower edge that is filled
  bool enabled = true;
};

/// A parameter that can be set in the view.
struct FieldRow {
  std::string key, label, value;  ///< label with its symbol, value with its unit, as displayed
  std::string heading{};          ///< above the row
  bool highlighted = false;       ///< highlighted and scrolled into view
  /// The value before a change. The row is marked, and a click restores the value.
  struct Before {
    std::string words;
    Value value;
  };
  std::optional<Before> before{};
};

/// Parameters with the controls that their declarations define. They set the document, as the controls of the panel do.
/// Rows that do not fit scroll. In a figure, and in a pane that is not active, only labels and values are shown.
struct FieldsContent {
  std::vector<FieldRow> rows;
  double columns = 0;  ///< least width of each of several columns, multiples of the type size; 0: one column
};

/// The row of a parameter. Empty optional if `key` is not a parameter or does not apply to the document.
std::optional<FieldRow> fieldRow(const PropertyRegistry& registry, const Document& document, const std::string& key);

/// Sentences one below the other, wrapped at a readable width. Drawing stops at the first one that does not fit, unless
/// the text scrolls.
struct TextContent {
  std::vector<NoteLine> lines;
  /// Distance from the left edge at which the second part of each line begins, in multiples of the type size. A line of
  /// one part uses the whole width. 0: the parts follow each other.
  double columns = 0;
  bool oneLine = false;  ///< one line each, with the parts that fit, instead of wrapped lines
  bool centred = false;  ///< the reason why there is nothing to show: in the middle, and not in a figure
  bool large = false;    ///< in the usual size of type instead of the small one
  bool scrolls = false;
  std::string command{};  ///< what a click runs
};

/// Something in a picture that a press grabs and the pointer drags.
struct PictureGrip {
  /// Called with the pointer position and whether Shift is held. The whole drag is one undo step.
  std::function<void(Editor& editor, render::Point at, bool shift)> drag;
  Cursor cursor = Cursor::Move;
  std::optional<Cursor> dragCursor{};  ///< during the drag; absent: `cursor`
  double still = 0;                    ///< points that the pointer must move before the drag begins
  bool atOnce = false;                 ///< the press itself already calls `drag`
  bool anyButton = false;              ///< any button of the mouse grabs it, not only the left one
  bool again = false;  ///< the second press of a double click can drag; released where it began, it is a double click
  std::function<void(ExhibitContext& context, render::Point at)> drop{};   ///< what releasing the button there does
  std::function<std::vector<render::Item>()> over{};                       ///< drawn over everything during the drag
  std::function<void(Editor& editor, const Document& before)> takeBack{};  ///< what Escape does; `before`: at the press
};

/// A picture that the page draws itself, if no other kind of content fits.
struct PictureContent {
  std::uint64_t of = 0;  ///< digest of the data that it is made from, besides its place
  std::function<std::vector<render::Item>(const ViewPlace& place)> draw;
  /// Drawn over everything while the pointer is at `at`, kept inside `area`; empty: nothing.
  std::function<std::vector<render::Item>(const ViewPlace& place, render::Point at, const render::Rect& area)> tip{};
  std::function<std::optional<Changes>(const ViewPlace& place, render::Point at)> pick{};
  std::function<std::optional<PictureGrip>(const ViewPlace& place, render::Point at)> hold{};
  std::function<void(Editor& editor, const ViewPlace& place, render::Point at, double notches)> wheel{};
  /// Handles a double click. False: it is treated as two clicks.
  std::function<bool(Editor& editor, const ViewPlace& place, render::Point at)> twice{};
  std::function<ReadableView(const ViewPlace& place)> read{};
  /// Index of the part at a point whose press the page handles.
  std::function<std::optional<std::size_t>(const ViewPlace& place, render::Point at)> target{};
  std::function<Camera(const ViewPlace& place)> camera{};  ///< of its axes
  std::vector<ViewHandle> handles{};  ///< handles over the axes; the first one within reach takes the press
  bool clipped = false;               ///< nothing is drawn outside the plot of the page's camera
  bool still = true;                  ///< expected to stay unchanged for many frames
  bool boxed = false;                 ///< nothing is drawn outside its box
};

struct View {
  std::string name;  ///< "heads": unique in its page; used by scripts and for layers
  std::variant<ChartContent, MatrixContent, TableContent, CardsContent, LegendContent, ChoicesContent, ButtonContent,
               FieldsContent, TextContent, PictureContent>
      content;
  /// The numbers to export with it; absent: the entries of a matrix, nothing for other views. Called while the view is
  /// shown.
  std::function<Numbers()> numbers{};
};

/// For a view whose numbers another view exports.
inline Numbers nothingExported() {
  return {};
}

/// Digest of all content that the picture of a view depends on. It does not cover what the functions do.
std::uint64_t digestOf(const View& view);

}  // namespace sepx::ui
