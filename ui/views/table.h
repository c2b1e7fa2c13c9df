// SPDX-License-Identifier: Apache-2.0
// A table that scrolls: a header, texts that are cut where they do not fit, numbers at the right, a row that is chosen
// and one under the pointer. Only the rows in sight are asked for and drawn, so that a million rows are no burden.
// Columns have shares of the width, or are as wide as their texts (few rows). Plain data and items; what a row means
// belongs to who asks. Pure; lengths are points of the page.
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
  double share = 1;    ///< of the width
  bool right = false;  ///< numbers
  double mark = 0;     ///< room for a mark before the text
  bool gives = false;  ///< fitted: where the width does not suffice the texts go and the marks stay
  double pad = 6;      ///< points, at both sides of the text
};

class TableView {
 public:
  struct Place {
    const Theme* theme = nullptr;
    render::Rect box;
    std::optional<std::size_t> chosen, hovered;
    bool figure = false;  ///< nothing scrolls, and no row stands out as chosen
  };
  std::vector<TableColumn> columns;
  std::size_t rows = 0;
  bool pressed = false;  ///< a pointer presses rows or heads: they are at least as high as a control
  bool fitted = false;   ///< columns as wide as their texts; every row is asked for
  std::function<std::string(std::size_t row, std::size_t column)> text;
  /// Of a cell's text; empty: the usual one.
  std::function<render::Color(std::size_t row, std::size_t column)> color;
  /// Whether a row is chosen beside Place::chosen; empty: none is.
  std::function<bool(std::size_t row)> chosen;
  /// Draws what stands before the text of columns with room for a mark; `left`: the left end of the room, mid-row.
  std::function<void(std::vector<render::Item>& items, std::size_t row, std::size_t column, render::Point left)>
      drawMark;
  /// Draws what lies behind the text of a cell; empty: nothing does.
  std::function<void(std::vector<render::Item>& items, std::size_t row, std::size_t column, const render::Rect& cell)>
      drawBehind;

  /// What of a table is whole: its numbers alone, or also their heads and short texts.
  enum class Needs { Numbers, Everything };
  /// Width that a column needs with its mark and what is at its sides, points: a number or a short text that is cut
  /// says nothing. Of a longer text the beginning suffices, and what is wide in a column of numbers is a text among
  /// them and may be cut. Of the first rows. `size`: of the type.
  double neededWidth(std::size_t column, double size, Needs needs = Needs::Everything) const;
  /// Of all columns.
  double neededWidth(const Theme& theme, Needs needs) const;
  /// Columns as wide as the texts of the first rows and of their heads need, in `width` points. Where that is too much
  /// the widest give, where that is not enough the last ones go. Shares are points then.
  void fit(const Theme& theme, double width);
  struct Span {
    double left, right;
  };
  /// Where the columns stand.
  std::vector<Span> spans(const Place& place) const;
  /// Points that the text of a column has.
  double room(const Place& place, std::size_t column) const { return textRoom(spans(place)[column], column); }
  void draw(std::vector<render::Item>& items, const Place& place, double scroll) const;
  std::optional<std::size_t> rowAt(const Place& place, double scroll, render::Point page) const;
  /// The middle of a cell; nothing where it is not in sight.
  std::optional<render::Point> middleOf(const Place& place, double scroll, std::size_t row, std::size_t column) const;
  /// The column under the pointer.
  std::optional<std::size_t> columnAt(const Place& place, render::Point page) const;
  /// The column whose head is under the pointer.
  std::optional<std::size_t> headAt(const Place& place, render::Point page) const;
  /// The text under the pointer where it did not fit.
  std::optional<std::string> cutText(const Place& place, double scroll, render::Point page) const;
  double mostScroll(const Place& place) const;
  /// The scroll nearest to `scroll` that shows the row.
  double reveal(const Place& place, double scroll, std::size_t row) const;
  /// `pressed`: of rows that a pointer presses.
  static double rowHeight(const Theme& theme, bool pressed) {
    const double height = 1.75 * static_cast<double>(theme.smallSize);
    return pressed ? std::max(height, kLeastControl) : height;
  }
  double rowHeight(const Theme& theme) const { return rowHeight(theme, pressed); }
  /// With header and all rows.
  double height(const Theme& theme) const { return static_cast<double>(rows + 1) * rowHeight(theme); }

 private:
  render::Rect body(const Place& place) const;
  std::vector<Span> fittedSpans(const Place& place) const;
  double textRoom(const Span& span, std::size_t column) const;
};

}  // namespace sepx::ui
