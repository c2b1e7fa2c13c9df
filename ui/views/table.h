// SPDX-License-Identifier: Apache-2.0
// A table that scrolls, with a header, texts that are cut if they do not fit, numbers at the right, a chosen row and a
// row under the pointer. Only the rows in sight are requested and drawn, so a million rows cost no more than a few.
// Columns have shares of the width, or are as wide as their texts (for few rows). Plain data and items; the caller
// knows what a row means. Pure; lengths are points of the page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/control_size.h"

namespace sepx::ui {

struct TableColumn {
  std::string title;
  double share = 1;        ///< of the width
  bool right = false;      ///< aligned to the right, as numbers are
  double mark = 0;         ///< room for a mark before the text
  bool dropsText = false;  ///< fitted: if the width does not suffice, its texts are dropped and its marks stay
  double pad = 6;          ///< points, at both sides of the text
};

class TableView {
 public:
  struct Place {
    const Theme* theme = nullptr;
    render::Rect box;
    std::optional<std::size_t> chosen, hovered;
    bool figure = false;  ///< no scroll bar, and no row is highlighted as chosen
  };
  std::vector<TableColumn> columns;
  std::size_t rows = 0;
  bool pressed = false;  ///< rows or heads can be pressed: they are at least as high as a control
  bool fitted = false;   ///< columns are as wide as their texts; every row is requested
  std::function<std::string(std::size_t row, std::size_t column)> text;
  /// The colour of a cell's text; empty: the usual one.
  std::function<render::Color(std::size_t row, std::size_t column)> color;
  /// Whether a row is chosen in addition to Place::chosen; empty: none is.
  std::function<bool(std::size_t row)> chosen;
  /// Draws the mark before the text, in columns with room for one; `left`: the left end of the room, mid-row.
  std::function<void(std::vector<render::Item>& items, std::size_t row, std::size_t column, render::Point left)>
      drawMark;
  /// Draws what lies behind the text of a cell; empty: nothing does.
  std::function<void(std::vector<render::Item>& items, std::size_t row, std::size_t column, const render::Rect& cell)>
      drawBehind;

  /// What must not be cut: only numbers, or also their heads and short texts.
  enum class Needs { Numbers, Everything };
  /// The width that a column needs with its mark and padding, points. Numbers and short texts must not be cut. Of a
  /// longer text the beginning suffices, and what is wide in a column of numbers is taken for a text that may be cut.
  /// Only the first rows are measured. `size`: of the type.
  double neededWidth(std::size_t column, double size, Needs needs = Needs::Everything) const;
  /// The same for all columns together.
  double neededWidth(const Theme& theme, Needs needs) const;
  /// Makes columns as wide as the texts of the first rows and their heads need, in `width` points. If that is too much,
  /// the widest ones shrink. If that is not enough, the last ones are removed. The shares are in points then.
  void fit(const Theme& theme, double width);
  struct Span {
    double left, right;
  };
  /// The left and right ends of the columns.
  std::vector<Span> spans(const Place& place) const;
  /// The width for the text of a column, points.
  double room(const Place& place, std::size_t column) const { return textRoom(spans(place)[column], column); }
  void draw(std::vector<render::Item>& items, const Place& place, double scroll) const;
  std::optional<std::size_t> rowAt(const Place& place, double scroll, render::Point page) const;
  /// The middle of a cell; empty optional if it is not in sight.
  std::optional<render::Point> middleOf(const Place& place, double scroll, std::size_t row, std::size_t column) const;
  /// The column under the pointer.
  std::optional<std::size_t> columnAt(const Place& place, render::Point page) const;
  /// The column whose head is under the pointer.
  std::optional<std::size_t> headAt(const Place& place, render::Point page) const;
  /// The whole text under the pointer, if it was cut.
  std::optional<std::string> cutText(const Place& place, double scroll, render::Point page) const;
  double mostScroll(const Place& place) const;
  /// The scroll nearest to `scroll` that shows the row.
  double reveal(const Place& place, double scroll, std::size_t row) const;
  /// `pressed`: the rows can be pressed.
  static double rowHeight(const Theme& theme, bool pressed) {
    const double height = 1.75 * static_cast<double>(theme.smallSize);
    return pressed ? std::max(height, kLeastControl) : height;
  }
  double rowHeight(const Theme& theme) const { return rowHeight(theme, pressed); }
  /// The height with header and all rows.
  double height(const Theme& theme) const { return static_cast<double>(rows + 1) * rowHeight(theme); }

 private:
  render::Rect body(const Place& place) const;
  std::vector<Span> fittedSpans(const Place& place) const;
  double textRoom(const Span& span, std::size_t column) const;
};

}  // namespace sepx::ui
