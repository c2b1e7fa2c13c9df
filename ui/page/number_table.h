// SPDX-License-Identifier: Apache-2.0
// Tables of numbers made row by row: a column is a name and a function of a row. Pure.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/table.h"

namespace sepx::ui {

/// A column: its name, and the number or text that it has for a row.
template <class Get>
struct NumberColumn {
  const char* name;
  Get get;
};
template <class Get>
NumberColumn(const char*, Get) -> NumberColumn<Get>;

/// A table with a row for each of `rows`.
template <class Rows, class... Gets>
Table numberTable(std::string name, const Rows& rows, const NumberColumn<Gets>&... columns) {
  Table table{std::move(name), {}};
  const auto add = [&](const auto& column) {
    using Made = std::decay_t<std::invoke_result_t<decltype(column.get), decltype(*rows.begin())>>;
    using Kept = std::conditional_t<std::is_arithmetic_v<Made>, double, std::string>;
    std::vector<Kept> values;
    for (const auto& row : rows)
      values.emplace_back(std::invoke(column.get, row));
    table.columns.push_back({column.name, "", std::move(values)});
  };
  (add(columns), ...);
  return table;
}

}  // namespace sepx::ui
