// SPDX-License-Identifier: Apache-2.0
// Helpers for tables that are filled row by row: columns are named once, then each row gives its cells in that order.
// Also the order of the rows of grids. Pure.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/table.h"

namespace sepx::ui {

inline Column textColumn(std::string name) {
  return {std::move(name), "", std::vector<std::string>{}};
}
inline Column numberColumn(std::string name, std::string unit = "") {
  return {std::move(name), std::move(unit), std::vector<double>{}};
}

inline void addCell(Column& column, std::string_view text) {
  std::get<std::vector<std::string>>(column.values).emplace_back(text);
}
/// Without a value the cell is NaN.
inline void addCell(Column& column, const std::optional<double>& value) {
  std::get<std::vector<double>>(column.values).push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

/// Adds a row with a cell for every column of `table`.
template <class... Cells>
void addRow(Table& table, const Cells&... cells) {
  std::size_t column = 0;
  (addCell(table.columns[column++], cells), ...);
}

/// Reverses the order of the rows: the rows of a picture run downwards, those of a grid upwards.
template <class Value>
std::vector<Value> rowsUpwards(const std::vector<Value>& values, std::size_t width) {
  std::vector<Value> all;
  all.reserve(values.size());
  for (auto end = values.end(); end != values.begin(); end -= static_cast<std::ptrdiff_t>(width))
    all.insert(all.end(), end - static_cast<std::ptrdiff_t>(width), end);
  return all;
}

}  // namespace sepx::ui
