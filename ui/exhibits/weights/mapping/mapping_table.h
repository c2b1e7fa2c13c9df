// SPDX-License-Identifier: Apache-2.0
// A list with columns that scrolls: only the rows in sight are asked for and drawn, so that a million tensors are no
// burden. Plain data and items; what a row means belongs to the page.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

struct ListColumn {
  std::string title;
  double share = 1;  ///< of the width
  bool right = false;
};

class ListTable {
 public:
  struct Look {
    const Theme* theme = nullptr;
    render::Rect box;
    std::optional<std::size_t> chosen, hovered;
    bool figure = false;
  };
  std::vector<ListColumn> columns;
  std::size_t rows = 0;
  std::function<std::string(std::size_t row, std::size_t column)> text;
  /// Of a cell's text; empty: the usual one.
  std::function<render::Color(std::size_t row, std::size_t column)> color;

  void draw(std::vector<render::Item>& items, const Look& look, double scroll) const;
  std::optional<std::size_t> rowAt(const Look& look, double scroll, render::Point page) const;
  /// The text under the pointer where it did not fit.
  std::optional<std::string> cutText(const Look& look, double scroll, render::Point page) const;
  double mostScroll(const Look& look) const;
  /// The scroll nearest to `scroll` that shows the row.
  double reveal(const Look& look, double scroll, std::size_t row) const;
  static double rowHeight(const Theme& theme) { return 1.75 * static_cast<double>(theme.smallSize); }

 private:
  render::Rect body(const Look& look) const;
  struct Span {
    double left, right;
  };
  Span spanOf(const Look& look, std::size_t column) const;
};

}  // namespace sepx::ui
