// SPDX-License-Identifier: Apache-2.0
// The content of a picture as text, for those who cannot see it: views with a name, a role and cells of text, each with
// its position in the picture. Assistive technology, the keyboard (ui/workbench/reader.h) and scripts use them. The
// functions may be called until the next update of the exhibit. Frame thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "engine/render/scene_types.h"

namespace sepx::ui {

/// A row of a view, and a cell of it.
struct ReadableCell {
  std::size_t row = 0, cell = 0;
  bool operator==(const ReadableCell&) const = default;
};

struct ReadableView {
  enum class Role { Chart, Matrix, Table, Text, Points };
  std::string name;  ///< "training.curves.loss"
  Role role = Role::Text;
  std::string label;        ///< its title; translated
  std::string description;  ///< what its rows are, axes with units, ranges; translated
  render::Rect box{};       ///< in points of the page; from Workbench::readable(), of the window
  std::size_t rows = 0;     ///< series of a chart, rows of a matrix or table, points
  /// Number of cells in a row: points of a series, columns of a matrix or table.
  std::function<std::size_t(std::size_t row)> cells{};
  /// Name of a row: "loss" for a series, "row 3" for a matrix; translated. Empty: the first cell says all about a row.
  std::function<std::string(std::size_t row)> rowName{};
  /// Everything to say about a cell: "loss: step = 120, 2.3"; translated.
  std::function<std::string(std::size_t row, std::size_t cell)> text{};
  /// Position of a cell, in the coordinates of `box`; scrolls it into view. Empty if it is not in the picture.
  std::function<std::optional<render::Point>(std::size_t row, std::size_t cell)> place{};
  /// The same without scrolling, to find the cell at a position in the picture. If not set, `place` is used.
  std::function<std::optional<render::Point>(std::size_t row, std::size_t cell)> seen{};
  /// The cell at a point of `box`, for a view that finds it without testing every cell (a matrix may have billions). If
  /// not set, `seen` is used.
  std::function<std::optional<ReadableCell>(render::Point at)> under{};
  /// Position of coordinates in a script: on a chart's axes, or column and row of a matrix or table; empty: none.
  std::function<std::optional<render::Point>(render::Point data)> at{};
};

/// The cell of a view that is being read.
struct ReadingPlace {
  std::string view;  ///< ReadableView::name
  std::size_t row = 0, cell = 0;
  bool operator==(const ReadingPlace&) const = default;
};

}  // namespace sepx::ui
