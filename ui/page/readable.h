// SPDX-License-Identifier: Apache-2.0
// What of a picture can be read without seeing it: views with a name, a role and cells of text, each with its place in
// the picture. Assistive programs, the keyboard (ui/workbench/reader.h) and scripts go through them. What the functions
// refer to is valid until the exhibit is updated next. Frame thread.
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
  render::Rect box{};       ///< points; of the page, of Workbench::readable() those of the window
  std::size_t rows = 0;     ///< series of a chart, rows of a matrix or table, points
  /// How many cells a row has: points of a series, columns of a matrix or table.
  std::function<std::size_t(std::size_t row)> cells{};
  /// "loss" of a series, "row 3" of a matrix; translated. Empty: a row is no more than its first cell says.
  std::function<std::string(std::size_t row)> rowName{};
  /// "loss: step = 120, 2.3": all that is to be said of a cell; translated.
  std::function<std::string(std::size_t row, std::size_t cell)> text{};
  /// Where a cell is, as `box`; brought into sight where it had scrolled out. Nothing: it is not in the picture.
  std::function<std::optional<render::Point>(std::size_t row, std::size_t cell)> place{};
  /// The same without bringing it into sight: to look for the cell at a place of the picture. Empty: as `place`.
  std::function<std::optional<render::Point>(std::size_t row, std::size_t cell)> seen{};
  /// The cell at a point of `box`, of a view that finds it without a look at every place: a matrix has billions. Empty:
  /// `seen` is asked.
  std::function<std::optional<ReadableCell>(render::Point at)> under{};
  /// Where a script means: coordinates of a chart's axes, column and row of a matrix or table; empty: nowhere.
  std::function<std::optional<render::Point>(render::Point data)> at{};
};

/// A cell of a view, while it is read.
struct ReadingPlace {
  std::string view;  ///< ReadableView::name
  std::size_t row = 0, cell = 0;
  bool operator==(const ReadingPlace&) const = default;
};

}  // namespace sepx::ui
