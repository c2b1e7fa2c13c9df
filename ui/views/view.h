// SPDX-License-Identifier: Apache-2.0
// What a page shows, as plain data made by a pure function of its state and results: charts, matrices, tables, legends
// and texts. ViewBoard (board.h) decides where each stands, draws it and answers the pointer. The name of a view is its
// layer, its key for scripts and for what is kept from frame to frame. Lengths are points of the page.
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

/// Fields that a click sets, all of them one undo step.
using Changes = std::vector<std::pair<std::string, Value>>;

/// A press of the left button on a part of a view that its page deals with.
struct ViewPress {
  std::string view;
  std::size_t index = 0;  ///< of a row, a card, the head of a column, or as the page counts
  bool head = false;
  Modifiers modifiers{};
  bool twice = false;  ///< the second one of a double click on the same part
};

/// Something that is dragged over axes.
struct ViewHandle {
  std::string label{};                ///< of the undo step, translated
  std::vector<std::string> keys;      ///< fields that it sets
  std::optional<render::Point> at{};  ///< in the units of the axes; absent: anywhere in the plot
  std::function<Changes(render::Point to, bool coarse)> changes;  ///< coarse: with Shift
  bool undoable = true;
  bool follows = false;  ///< a press brings it to the pointer
  Cursor cursor = Cursor::Hand;
  std::pair<std::string, std::string> gesture{};  ///< for the sheet of keys, translated: how, and what it does
};

/// Where a view stands.
struct ViewPlace {
  render::Rect box;
  const Theme& theme;
  bool figure = false;
  bool panel = false;  ///< one of several of a figure, all of one size of type
  bool legend = true;  ///< false: what has one of its own is drawn without
};

/// A line of text below or beside a view.
struct NoteLine {
  enum class Role { Normal, Muted, Error, Accent, Title, Heading };  ///< the last two of larger type, the last one bold
  std::vector<std::string> parts;  ///< those that have room in one line, with a gap between them
  Role role = Role::Normal;
};

/// What a place of a chart is about.
struct ChartSpot {
  std::vector<std::string> lines;        ///< said there
  std::optional<render::Point> ringed;   ///< in the units of the axes
  Changes changes{};                     ///< what a click there sets
  std::optional<render::Rect> framed{};  ///< in the units of the axes
};

/// What a page draws over its chart.
struct ChartOverlay {
  std::uint64_t of = 0;  ///< digest of what it is made of
  std::function<std::vector<render::Item>(const PlacedChart& chart, const ViewPlace& place)> draw;
};

struct ChartContent {
  LineChart chart;
  std::optional<double> cursor;  ///< a vertical line at this x, with a dot on every series
  /// What a click at x does; empty: nothing.
  std::function<Changes(double x)> pick;
  /// What a press at x = `from` and a drag from there to x do, as a slider, one undo step; empty: nothing.
  std::function<void(Editor& editor, double x, double from)> slide;
  /// In place of the name and numbers of the point nearest to the pointer: what is there, in the units of the axes.
  /// `nearest`: the point under the pointer; null: none.
  std::function<std::optional<ChartSpot>(render::Point at, const ChartHit* nearest)> spot{};
  std::optional<ChartOverlay> over{};
  std::vector<ViewHandle> handles{};  ///< what is dragged in it
  bool aligned = false;               ///< its axis stands below those of the aligned charts above it
  double reach = 12;                  ///< points within which a point is under the pointer
  /// What a point under the pointer is, counted as the page does that deals with presses on it; nothing: nothing.
  std::function<std::optional<std::size_t>(render::Point at, const ChartHit& nearest)> target{};
};

/// A matrix [rows, columns], all of it in sight.
struct MatrixContent {
  std::optional<LegendEntry> head;  ///< a swatch and a name above the picture
  /// The longest of the names above the pictures beside this one: where it needs two lines all of them have two; empty:
  /// each has one, cut where it is too long.
  std::string longestHead;
  std::string title;  ///< above the picture
  int rows = 0, columns = 0;
  std::shared_ptr<const std::vector<float>> values;  ///< row-major; null: `missing` says why
  MatrixScale scale;
  std::string missing;
  /// The longer side over the shorter one of the picture at most; 0: it fills its box.
  double longest = 2;
  bool entries = false;                  ///< written in the cells where they have room
  std::string rowAxis, columnAxis;       ///< with numbers at the edges; empty: neither
  std::vector<MatrixCell> chosen;        ///< framed
  std::optional<int> chosenRow;          ///< framed
  std::vector<std::string> rowTexts;     ///< left of the picture, where rows are high enough
  std::vector<std::string> columnTexts;  ///< above it, those that have room; then there is room for rowTexts too
  std::optional<int> decimals;           ///< of entries, in type as large as the cells let it be
  std::optional<render::ColorMap> map;   ///< from the lower end of the scale to the upper one; absent: the scale's
  std::vector<NoteLine> notes;           ///< centred below the picture
  std::string rowName, columnName, tipContext;  ///< "row", "column" of what is under the pointer; a further line
  /// In place of these: lines about a cell under the pointer.
  std::function<std::vector<std::string>(MatrixCell)> tip;
  std::function<Changes(MatrixCell)> pick;  ///< what a click on a cell does
};

struct TableGroup {
  LegendEntry entry;        ///< above the heads of its columns
  std::size_t columns = 1;  ///< how many belong to it
};

/// Bars before the texts of a column that has room for a mark, or behind those of this column and the next ones.
struct TableBars {
  std::size_t column = 0;
  std::vector<double> lengths;      ///< by row, of the room; NaN: none
  bool bothWays = false;            ///< from the middle of the room, -1 to 1
  render::Color color, below = {};  ///< of what is not below 0, and of what is
  std::size_t behind = 0;           ///< how many columns it lies behind; 0: before the texts
  std::vector<bool> framed{};       ///< by row, of one that lies behind: with a frame around its room
};

/// A table whose cells are texts. What does not fit scrolls.
struct TableContent {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> cells;  ///< by row, then column
  std::size_t groupsFrom = 0;                   ///< the column at which the first group begins
  std::vector<TableGroup> groups;
  std::optional<std::size_t> chosen;
  std::vector<NoteLine> notes;                                             ///< below the last row, where there is room
  std::function<Changes(std::size_t row)> pick{};                          ///< what a click on a row does
  std::function<Changes(std::size_t row, std::size_t column)> pickCell{};  ///< instead: what one on a cell does
  std::vector<std::vector<NoteLine::Role>> roles{};  ///< of cells, as they are; empty: all of them normal
  std::vector<TableBars> bars{};
  std::string scrollsWith{};  ///< tables with the same word scroll together
  /// In place of columns and cells: a table that is made for its place, with the digest of what it is made of. For many
  /// rows, columns as wide as their texts, and marks.
  std::function<TableView(const ViewPlace& place)> make{};
  std::uint64_t of = 0;
  bool pressed = false, headsPressed = false;  ///< the page deals with presses on rows, and on heads of columns
};

struct Card {
  std::string title;
  std::string corner{};             ///< at the right of the title
  std::optional<ChartLook> mark{};  ///< before it
  std::function<void(std::vector<render::Item>& items, const render::Rect& box)> picture{};
  std::vector<NoteLine> lines{};  ///< below title and picture
  bool wraps = false;             ///< lines are broken, instead of cut
  std::string foot{};             ///< at the lower edge
};

/// The heading above so many cards.
struct CardGroup {
  std::string title;  ///< empty: none
  std::size_t count = 0;
};

/// Cards of equal size that fill their box; those that have no room scroll. The page deals with presses on them.
struct CardsContent {
  std::size_t count = 0;
  std::uint64_t of = 0;  ///< digest of what they are made of
  std::function<Card(std::size_t index, const ViewPlace& place)> card;
  std::function<bool(std::size_t index)> chosen;
  std::function<std::string(std::size_t index)> key{};  ///< of the control, as scripts name it; empty: none
  double width = 17, height = 14, mostHeight = 18;      ///< least width, least and most height, sizes of the type
  std::size_t mostInRow = 100;
  std::vector<CardGroup> groups{};  ///< one after the other, all cards together; each begins a row; empty: one group
  bool pictureFirst = false;
  bool onRelease = false;  ///< pressed when the button goes up, and not by the click that activates the window
};

struct LegendContent {
  std::vector<LegendEntry> entries;
};

/// A group of buttons, each of which sets the property `key` to its value; without one it carries out the command
/// `key`.
struct ChoiceGroup {
  struct Choice {
    std::string value, label;
    bool on = false;
    bool enabled = true;
    std::function<void(ExhibitContext& context)> act{};  ///< what a press does instead
    std::string control{};                               ///< of one with `act`, as scripts name it
  };
  std::string key{};
  std::string name{};  ///< before the buttons; may be empty
  std::vector<Choice> choices{};
  bool right = false;  ///< at the right end of its row
};

/// Groups of buttons in rows: what does not fit into a row goes to the next. Not in a figure.
struct ChoicesContent {
  std::vector<ChoiceGroup> groups;
};

/// A button that carries the command `key` out.
inline ChoiceGroup commandButton(std::string key, std::string label, bool on, bool enabled = true, bool right = false) {
  return {std::move(key), {}, {{.label = std::move(label), .on = on, .enabled = enabled}}, right};
}

/// One large button that carries a command of the page out. Not in a figure.
struct ButtonContent {
  std::string command, label;
  double done = 0;  ///< share of its lower edge that is filled: how far the work is
  bool enabled = true;
};

/// A parameter that is set where it stands.
struct FieldRow {
  std::string key, label, value;  ///< label with its symbol, value with its unit: as they are read
  std::string heading{};          ///< stands above it
  bool lit = false;               ///< it is what is meant: brought into sight
  /// What it was changed from: a mark, and a click sets it again.
  struct Before {
    std::string words;
    Value value;
  };
  std::optional<Before> before{};
};

/// Parameters with the controls that their declarations give them, set through the document as those of the panel are;
/// what does not fit scrolls. In a figure, and in a pane that is not the active one, labels and values.
struct FieldsContent {
  std::vector<FieldRow> rows;
  double columns = 0;  ///< least width of each of several columns, sizes of the type; 0: one column
};

/// The row of a parameter; nothing where it is none, or does not apply to the document.
std::optional<FieldRow> fieldRow(const PropertyRegistry& registry, const Document& document, const std::string& key);

/// Sentences below each other, at a width that can be read; nothing after the first one that does not fit, or all of
/// them where the text scrolls.
struct TextContent {
  std::vector<NoteLine> lines;
  /// The second part of each line begins so far to the right, in sizes of the type; a line of one part takes all of the
  /// width. 0: one behind the other.
  double columns = 0;
  bool oneLine = false;  ///< a line each with the parts that have room, instead of lines that are broken
  bool centred = false;  ///< why there is nothing to see: in the middle, and not in a figure
  bool large = false;    ///< in the usual size of type instead of the small one
  bool scrolls = false;
  std::string command{};  ///< what a click carries out
};

/// What a press in a picture takes hold of.
struct PictureGrip {
  /// Where the pointer is, and whether Shift is held; all of it is one undo step.
  std::function<void(Editor& editor, render::Point at, bool shift)> drag;
  Cursor cursor = Cursor::Move;
  std::optional<Cursor> dragCursor{};  ///< while it is dragged; absent: the same
  double still = 0;                    ///< points that the pointer moves before the drag begins
  bool atOnce = false;                 ///< the press is the first part of the drag
  bool anyButton = false;              ///< of the mouse
  bool again = false;                  ///< a second press drags too: it is a double click where it is let go
  std::function<void(ExhibitContext& context, render::Point at)> drop{};   ///< what letting go there does
  std::function<std::vector<render::Item>()> over{};                       ///< drawn over everything meanwhile
  std::function<void(Editor& editor, const Document& before)> takeBack{};  ///< what Escape does; before the press
};

/// A picture of the page's own, where no other content fits.
struct PictureContent {
  std::uint64_t of = 0;  ///< digest of what it is made of, besides its place
  std::function<std::vector<render::Item>(const ViewPlace& place)> draw;
  /// Drawn over everything while the pointer is there, kept inside `area`; empty: nothing.
  std::function<std::vector<render::Item>(const ViewPlace& place, render::Point at, const render::Rect& area)> tip{};
  std::function<std::optional<Changes>(const ViewPlace& place, render::Point at)> pick{};
  std::function<std::optional<PictureGrip>(const ViewPlace& place, render::Point at)> hold{};
  std::function<void(Editor& editor, const ViewPlace& place, render::Point at, double notches)> wheel{};
  /// A double click; false: it is two clicks.
  std::function<bool(Editor& editor, const ViewPlace& place, render::Point at)> twice{};
  std::function<ReadableView(const ViewPlace& place)> read{};
  /// What lies at a place whose press the page deals with.
  std::function<std::optional<std::size_t>(const ViewPlace& place, render::Point at)> target{};
  std::function<Camera(const ViewPlace& place)> camera{};  ///< of its axes
  std::vector<ViewHandle> handles{};                       ///< what is dragged over them, the first ones above
  bool clipped = false;                                    ///< nothing is drawn outside the plot of the page's camera
  bool still = true;                                       ///< expected to survive many frames
  bool boxed = false;                                      ///< nothing is drawn outside its box
};

struct View {
  std::string name;  ///< "heads": of its page, in scripts and layers
  std::variant<ChartContent, MatrixContent, TableContent, CardsContent, LegendContent, ChoicesContent, ButtonContent,
               FieldsContent, TextContent, PictureContent>
      content;
  /// What is exported with it; absent: the entries of a matrix, nothing of other views. Called while it is shown.
  std::function<Numbers()> numbers{};
};

/// Of a view whose numbers another one has.
inline Numbers nothingExported() {
  return {};
}

/// All of the content that its picture depends on; what its functions do is not part of it.
std::uint64_t digestOf(const View& view);

}  // namespace sepx::ui
